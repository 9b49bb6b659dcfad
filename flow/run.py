"""The flow: answers a request for a job, from the store or by running nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, overload

from rsaxcel.circuit import Target
from rsaxcel.flow.errors import FlowError, NoRoom, ToolFailure
from rsaxcel.flow.files import read_json
from rsaxcel.flow.graph import path_to
from rsaxcel.flow.job import FlowJob, energy_job
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import NOT_PLACED, PLACED_STAGES, SEARCHED, TIMED, TIMED_CYCLES, Layout
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.nodes.node import LONGEST_NAME
from rsaxcel.flow.nodes.placed_record import PlacedRecordNode
from rsaxcel.flow.nodes.record import RecordNode
from rsaxcel.flow.nodes.steps import STEP_NODES, StepNode, WiresNode
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.physical.interface import PLACE
from rsaxcel.flow.record import Record
from rsaxcel.flow.runner import (
    Asked,
    Goal,
    Progress,
    Stored,
    find_result,
    made_digests,
    make_results,
    note_answer,
    run_folder,
    run_nodes,
    stored,
)
from rsaxcel.flow.subjects import find_target
from rsaxcel.flow.tools import find_timer, find_tool
from rsaxcel.flow.yosys import yosys_version
from rsaxcel.sim.native.toolchain import find_toolchain
from rsaxcel.store.folders import find_json, keep_json, key_of


@overload
def run(job: FlowJob, goal: Goal[Asked], progress: Progress | None = None) -> Asked: ...


@overload
def run(job: FlowJob, goal: Goal[Asked], *, lookup: Literal[True]) -> Asked | None: ...


def run(
    job: FlowJob, goal: Goal[Asked], progress: Progress | None = None, *, lookup: bool = False
) -> Asked | None:
    """Return the answer to ``goal`` for a job; with ``lookup``, None if a node would have to run.

    A lookup elaborates no circuit, so that any thread may ask.
    """
    core = find_core(job)
    found = None if core is None else find_result(core, goal)
    if lookup:
        return found and found[0]
    tell = progress or (lambda line: None)
    if core is not None and found is not None:
        return note_answer(core, found, tell)
    if job.family:
        yosys_version()
    else:
        check_tools(job.library, job)
    try:
        if core is not None:
            return make_results(core, goal, tell)
        return run_nodes(search_core(job, tell), goal, tell)
    except ToolFailure as error:
        target = find_target(job.design, job.nbits, job.params)
        explain = getattr(target, "explained", None)
        if told := explain(str(error)) if explain else "":
            raise ToolFailure(told) from error
        raise


def check_tools(library: str, layout: Layout = NOT_PLACED) -> None:
    """Check that all tools of the flow are installed; ``SetupError`` says how to install one."""
    yosys_version()
    find_timer(layout.timer).version()
    find_toolchain()
    plain_kit(library)
    if layout.placed:
        find_tool(layout.physical).version()


def stored_folders(job: FlowJob, goal: Goal[Any]) -> dict[str, Path]:
    """Folders of a job's stored results by node, unchecked, up to the first missing one.

    `run`: the folder of the run with the logs, if it still exists. No folders if the smallest core
    was not searched yet.
    """
    core = find_core(job)
    if core is None:
        return {}
    found = {x.node.name: x.folder for x in stored(core, goal.nodes(core))}
    folder = run_folder(core)
    return found | ({"run": folder} if folder.is_dir() else {})


def read_record(folder: Path) -> Record:
    """Read the record in the folder of its result; ``ValueError`` if the file is no record."""
    names = RecordNode.figures, PlacedRecordNode.figures
    path = next((folder / x for x in names if (folder / x).exists()), folder / names[0])
    return Record.from_json(json.loads(path.read_text(encoding="utf-8")))


def _read(job: FlowJob, found: Sequence[Stored]) -> Record:
    return read_record(found[-1].folder)


RECORD = Goal(lambda job: PlacedRecordNode if job.placed else RecordNode, _read)


def run_flow(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    operations: Mapping[str, int] | None = None,
    *,
    activity: str = TIMED,
    timed_cycles: int = TIMED_CYCLES,
    layout: Layout = NOT_PLACED,
    progress: Progress | None = None,
    directory: Path | None = None,
) -> Record:
    """Take a design, a multiplier or a system through the flow, or return an earlier record.

    A node's result is used again while its inputs, code, tools and parameters are the same; an
    interrupted run resumes. Of several processes that ask for one record, the first makes it and
    the others wait. (PyMTL3 elaborates one component per process at a time: only one thread may
    call this at once.)

    Parameters
    ----------
    target
        Design or multiplier with width and parameters, or a processor system.
    library
        Name of the cell library.
    clock_ns
        Clock period to synthesize for, in ns.
    operations
        Exponent of each type of operation, by default those of ``flow.requests.usual_exponents``;
        None for a multiplier, whose only operation is a product.
    activity
        ``timed``: gates have delays, and energy counts glitches; ``zero``: none, which is faster,
        and energy is a lower bound.
    timed_cycles
        Cycles of each type of operation in which gates have delays, drawn at random;
        ``flow.layout.ALL_CYCLES``: all. At the default, all if that takes only some seconds.
    layout
        Stage of the record, and how the circuit is placed; not placed by default.
    progress
        Called with a line at the beginning of each node.
    directory
        Where the build folders are; ``build/flow`` of the current folder by default.

    Raises
    ------
    ValueError
        If a parameter is not allowed; the message has its name, its value and what is allowed.
    SetupError
        If a tool is missing or the build folder cannot be written.
    FlowError
        If a node fails, with its reason and its log.
    """
    job = energy_job(
        target,
        library,
        clock_ns,
        operations,
        activity=activity,
        timed_cycles=timed_cycles,
        layout=layout,
        directory=directory,
    )
    return run(job, RECORD, progress)


#: Utilisations that the search tries, from the smallest core on.
UTILISATIONS = (*(percent / 100 for percent in range(80, 45, -2)), 0.45)

_PLACE = next(node for node in STEP_NODES if node.name == PLACE)


def find_core(job: FlowJob) -> FlowJob | None:
    """Return a job with the utilisation that an earlier search has found; None if none has."""
    if not _is_searched(job):
        return job
    name = _entry(job)
    utilisation = None if name is None else find_json(job.store, name)
    return None if utilisation is None else job.replaced(utilisation=utilisation)


def search_core(job: FlowJob, progress: Progress) -> FlowJob:
    """Return a job with its utilisation; search the smallest core if asked and not yet stored.

    The search takes the largest utilisation without overflow after placement, runs the other steps,
    and goes down if the finished wires do not fit. Every result is stored, so that a search is
    resumed.
    """
    if not _is_searched(job):
        return job
    run_nodes(job, Goal(lambda _: SynthesisNode, lambda _, found: found), progress)
    name = _entry(job)
    if name is None:
        raise FlowError(f"{job.name}: the result of synthesis is gone")
    return job.replaced(utilisation=keep_json(job.store, name, partial(_search, job, progress)))


def _is_searched(job: FlowJob) -> bool:
    return job.stage in PLACED_STAGES and job.utilisation == SEARCHED


def _search(job: FlowJob, progress: Progress) -> float:
    first, last = 0, len(UTILISATIONS) - 1
    while first < last:
        middle = (first + last) // 2
        if _has_room(job, UTILISATIONS[middle], progress):
            last = middle
        else:
            first = middle + 1
    for utilisation in UTILISATIONS[first:]:
        try:
            _run(job, utilisation, WiresNode, progress)
        except NoRoom:
            if utilisation == UTILISATIONS[-1]:
                raise
        else:
            return utilisation
    raise AssertionError  # the loop ends by a return or by an exception


def _has_room(job: FlowJob, utilisation: float, progress: Progress) -> bool:
    """Whether cells and wires have room after placement."""
    try:
        figures = _run(job, utilisation, _PLACE, progress)
    except NoRoom:
        return False
    return not figures["overflow"]


def _run(
    job: FlowJob, utilisation: float, last: type[StepNode], progress: Progress
) -> Mapping[str, Any]:
    """Run nodes at a utilisation; return the figures of the last one."""

    def tell(line: str) -> None:
        progress(f"{line} at utilisation {utilisation:g}")

    def read(_: FlowJob, found: Sequence[Stored]) -> Mapping[str, Any]:
        return read_json(found[-1].folder / f"{last.name}.json")

    return run_nodes(job.replaced(utilisation=utilisation), Goal(lambda _: last, read), tell)


def _entry(job: FlowJob) -> str | None:
    """Name of the stored utilisation: a digest of the keys of all nodes that place the netlist."""
    made = made_digests(job, path_to(SynthesisNode))
    if made is None:
        return None
    keys = [node.key(job, {**dict.fromkeys(node.inputs, ""), **made}) for node in STEP_NODES]
    return f"utilisation-{job.name[:LONGEST_NAME]}-{key_of(keys, UTILISATIONS)}"
