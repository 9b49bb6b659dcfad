"""The ASIC flow for one configuration: checks the request, runs the nodes, reads the record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from rsaxcel.circuit import Target, is_product
from rsaxcel.flow.conditions import ACTIVITIES, ALL_CYCLES, TIMED, TIMED_CYCLES
from rsaxcel.flow.graph import path_of
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import NOT_PLACED, Layout
from rsaxcel.flow.nodes.placed_record import PlacedRecordNode
from rsaxcel.flow.nodes.record import RecordNode
from rsaxcel.flow.outline import OUTLINE
from rsaxcel.flow.preparation import check_tools, circuit_job, root_of
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import default_exponents, usual_exponents
from rsaxcel.flow.runner import Progress, find_result, find_run, run_nodes
from rsaxcel.flow.subjects import Subject, subject_of
from rsaxcel.flow.utilisation import find_core, search_core


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
        ``flow.conditions.ALL_CYCLES``: all. At the default, all if that takes only some seconds.
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
    root = root_of(directory)
    asked = _job(target, root, library, clock_ns, operations, activity, timed_cycles, layout)
    check_tools(library, layout)
    tell = progress or (lambda line: None)
    job = search_core(asked, root, tell)
    entry, _ = run_nodes(job, path_of(layout.stage), root, tell, read_record)
    return read_record(entry)


def find_record(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    operations: Mapping[str, int] | None = None,
    *,
    activity: str = TIMED,
    timed_cycles: int = TIMED_CYCLES,
    layout: Layout = NOT_PLACED,
    directory: Path | None = None,
) -> Record | None:
    """Return the stored record that ``run_flow`` would use; None if nodes would have to run.

    No circuit is elaborated, so that any thread may call this.
    """
    root = root_of(directory)
    asked = _job(target, root, library, clock_ns, operations, activity, timed_cycles, layout)
    check_tools(library, layout)
    job = find_core(asked)
    found = None if job is None else find_result(job, path_of(layout.stage), read_record)
    return None if found is None else read_record(found[0])


def find_results(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    *,
    layout: Layout = NOT_PLACED,
    directory: Path | None = None,
) -> dict[str, Path]:
    """Folders of a target's stored results, by node."""
    # The files are not checked, no circuit is elaborated.
    # The nodes are those of `run_flow` with the default operations, or of `run_outline`. The folder
    # of `record` or `placed-record` ends with the record's hash; the key `run` has the run's folder
    # with logs, if it still exists. No folders if the smallest core was not searched yet.
    root = root_of(directory)
    if not is_product(target):
        nodes = path_of(layout.stage)
        job = find_core(_job(target, root, library, clock_ns, None, layout=layout))
    else:
        job, nodes = circuit_job(target, root, library, clock_ns), OUTLINE
    return {} if job is None else find_run(job, nodes)


def _job(
    target: Target,
    root: Path,
    library: str,
    clock_ns: float,
    operations: Mapping[str, int] | None,
    activity: str = TIMED,
    timed_cycles: int = TIMED_CYCLES,
    layout: Layout = NOT_PLACED,
) -> FlowJob:
    if activity not in ACTIVITIES:
        raise ValueError(f"activity={activity}: {', '.join(ACTIVITIES)} are allowed")
    if timed_cycles < ALL_CYCLES:
        raise ValueError(f"timed_cycles={timed_cycles}: numbers from 1, or {ALL_CYCLES} for all")
    return circuit_job(
        target,
        root,
        library,
        clock_ns,
        exponents=_check_exponents(subject_of(target), operations),
        activity=activity,
        timed_cycles=timed_cycles if activity == TIMED else TIMED_CYCLES,
        **layout.as_fields(),
    )


def read_record(folder: Path) -> Record:
    """Read the record in the folder of its result; ``ValueError`` if the file is no record."""
    names = RecordNode.figures, PlacedRecordNode.figures
    path = next((folder / x for x in names if (folder / x).exists()), folder / names[0])
    return Record.from_json(json.loads(path.read_text(encoding="utf-8")))


def _check_exponents(subject: Subject, exponents: Mapping[str, int] | None) -> dict[str, int]:
    if not subject.exponent_nbits:
        if exponents:
            raise ValueError(f"operations: {subject.design} is a multiplier; none are allowed")
        return {}
    if exponents is None:
        exponents = usual_exponents(subject.nbits, subject.exponent_nbits)
    if not exponents:
        raise ValueError("operations: at least one is needed, such as encrypt")
    for name, exponent in exponents.items():
        if not name.isidentifier():
            raise ValueError(f"operations: {name!r} must be letters, digits and underscores")
        if not 0 <= exponent < 1 << subject.exponent_nbits:
            raise ValueError(f"operations: {name}={exponent}: {_allowed(subject, exponent)}")
    return dict(exponents)


def _allowed(subject: Subject, exponent: int) -> str:
    """Text on the exponents that a subject takes, and on how to measure a longer one."""
    text = f"exponents of 0 to {subject.exponent_nbits} bits are allowed"
    if exponent < 0:
        return text
    nbits, usual = exponent.bit_length(), default_exponents(subject.nbits)["encrypt"]
    wider = f"nbits={nbits} or more, or " if subject.exponent_nbits >= subject.nbits else ""
    text += f"; take {wider}a schedule with exponent_nbits={nbits}"
    if exponent == usual:
        return text
    return f"{text}; without operations, e is {usual} at {subject.nbits} bits"
