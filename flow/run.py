"""The flow: answers a request for a job, from the store or by running nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from rsaxcel.circuit import Target
from rsaxcel.flow.errors import ToolFailure
from rsaxcel.flow.job import FlowJob, energy_job
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import NOT_PLACED, TIMED, TIMED_CYCLES, Layout
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.nodes.placed_record import PlacedRecordNode
from rsaxcel.flow.nodes.record import RecordNode
from rsaxcel.flow.record import Record
from rsaxcel.flow.runner import (
    Asked,
    Goal,
    Progress,
    Stored,
    find_result,
    make_results,
    note_answer,
    run_folder,
    run_nodes,
    stored,
)
from rsaxcel.flow.subjects import find_target
from rsaxcel.flow.tools import find_timer, find_tool
from rsaxcel.flow.utilisation import find_core, search_core
from rsaxcel.flow.yosys import yosys_version
from rsaxcel.sim.native.toolchain import find_toolchain


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
