"""The ASIC flow for one configuration: checks the request, runs the nodes, reads the record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catalog import Configuration
from flow.conditions import ACTIVITIES, ALL_CYCLES, TIMED, TIMED_CYCLES
from flow.errors import FlowError, SetupError
from flow.files import read_json
from flow.graph import path_of, path_to
from flow.job import FlowJob
from flow.kit import CLOCK_NS, DEFAULT_LIBRARY, check_library, find_kit
from flow.layout import NOT_PLACED, SEARCHED, Layout
from flow.nodes.placed_record import PlacedRecordNode
from flow.nodes.placed_timing import PlacedTimingNode
from flow.nodes.record import RecordNode
from flow.nodes.synthesis import SynthesisNode
from flow.nodes.timing import TimingNode
from flow.opensta import opensta_version
from flow.paths import plain_kit
from flow.physical.tools import find_tool
from flow.record import Record
from flow.requests import default_exponents
from flow.runner import Progress, find_result, find_run, job_of, run_nodes
from flow.subjects import Subject, Target, subject_of
from flow.utilisation import find_utilisation, search_utilisation
from flow.yosys import yosys_version
from proc.systems import System
from sim.native.toolchain import ToolError, find_toolchain

_OUTLINE = path_to(TimingNode)


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

    A node's result is used again while inputs, code, tools and parameters of the node are the same.
    An interrupted run resumes after the last finished node. If several processes ask for the same
    record at once, the first one makes it and the others wait. (PyMTL3 elaborates one component per
    process at a time: no two threads of one process may call this at once.)

    Parameters
    ----------
    target
        Design or multiplier with width and parameters, or a processor system.
    library
        Name of the cell library.
    clock_ns
        Clock period to synthesize for, in ns.
    operations
        Exponent of each type of operation, by default those of ``flow.requests.default_exponents``;
        None for a multiplier, whose only operation is a product.
    activity
        ``timed``: gates have delays, and energy counts glitches; ``zero``: gates have none, which
        is faster, and energy is a lower bound.
    timed_cycles
        Number of cycles of each type of operation in which gates have delays, drawn at random;
        ``flow.conditions.ALL_CYCLES``: all cycles. At the default, gates have delays in all cycles
        if that takes only some seconds.
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
    root = _root(directory)
    job = _job(target, root, library, clock_ns, operations, activity, timed_cycles, layout)
    check_tools(library, layout)
    tell = progress or (lambda line: None)
    if layout.placed and layout.utilisation == SEARCHED:
        job = job.at(search_utilisation(job, root, tell))
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

    Raises
    ------
    ValueError, SetupError
        See ``run_flow``.
    """
    root = _root(directory)
    job = _job(target, root, library, clock_ns, operations, activity, timed_cycles, layout)
    check_tools(library, layout)
    known = _with_utilisation(job, layout)
    found = None if known is None else find_result(known, path_of(layout.stage), read_record)
    return None if found is None else read_record(found[0])


def _with_utilisation(job: FlowJob, layout: Layout) -> FlowJob | None:
    """Return a job with the utilisation that a search has found; None if it has found none."""
    if not (layout.placed and layout.utilisation == SEARCHED):
        return job
    utilisation = find_utilisation(job)
    return None if utilisation is None else job.at(utilisation)


@dataclass(frozen=True)
class Outline:
    """Area and critical path of a circuit, from synthesis and timing analysis without simulation.

    Parameters
    ----------
    library, corner
        Cell library and its operating conditions.
    clock_ns, min_period_ns
        Clock constraint, and smallest clock period.
    delay_ns
        Delay of the critical path; in a combinational circuit, from port to port.
    area_um2, cell_count
        Area, and number of cells.
    hash
        Key of the timing node's result: a digest of everything that the outline depends on.
    """

    library: str
    corner: str
    clock_ns: float
    min_period_ns: float
    delay_ns: float
    area_um2: float
    cell_count: int
    hash: str


def run_outline(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    *,
    progress: Progress | None = None,
    directory: Path | None = None,
) -> Outline:
    """Synthesize a circuit and find its critical path; parameters and errors as in ``run_flow``."""
    root = _root(directory)
    job = _outline_job(target, root, library, clock_ns)
    check_tools(library)
    run_nodes(job, _OUTLINE, root, progress or (lambda line: None), _read_timing)
    found = _find_outline(job)
    if found is None:
        raise FlowError(f"{job.name}: the result of synthesis is gone")
    return found


def find_outline(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    *,
    directory: Path | None = None,
) -> Outline | None:
    """Return the stored result of ``run_outline``; None if nodes would have to run."""
    job = _outline_job(target, _root(directory), library, clock_ns)
    check_tools(library)
    return _find_outline(job)


def _find_outline(job: FlowJob) -> Outline | None:
    found = find_result(job, _OUTLINE, _read_timing)
    mapped = find_result(job, path_to(SynthesisNode), Path.iterdir)
    if found is None or mapped is None:
        return None
    return read_outline(job, mapped[0], *found)


def read_outline(job: FlowJob, mapped: Path, timed: Path, key: str) -> Outline:
    """Read an outline from the result folders of synthesis (``mapped``) and timing (``timed``).

    ``key`` is the key of timing's result.

    Raises
    ------
    FlowError
        If a file or the library is missing.
    """
    timing, synthesis = _read_timing(timed), read_json(mapped / "synthesis.json")
    return Outline(
        job.library,
        find_kit(job.library).corner,
        **{name: timing[name] for name in ("clock_ns", "min_period_ns")},
        delay_ns=timing["critical_path"]["delay_ns"],
        **{name: synthesis[name] for name in ("area_um2", "cell_count")},
        hash=key,
    )


def find_netlist(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    *,
    layout: Layout = NOT_PLACED,
    directory: Path | None = None,
) -> tuple[dict[str, Path], str] | None:
    """Return the files of all nodes up to the timing analysis, and the timing result's key.

    The files are known by their names, such as ``netlist.json``. For a placed circuit, they include
    the files of its layout. Return None if a node would have to run.
    """
    asked = layout.as_fields()
    job = _with_utilisation(
        _outline_job(target, _root(directory), library, clock_ns, **asked), layout
    )
    check_tools(library, layout)
    if job is None:
        return None
    nodes = path_to(PlacedTimingNode) if layout.placed else _OUTLINE
    found = [find_result(job, path_to(node), Path.iterdir) for node in nodes]
    there = [x for x in found if x is not None]
    if len(there) < len(found):
        return None
    return {path.name: path for folder, _ in there for path in folder.iterdir()}, there[-1][1]


def run_netlist(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    *,
    layout: Layout = NOT_PLACED,
    progress: Progress | None = None,
    directory: Path | None = None,
) -> tuple[FlowJob, dict[str, Path]]:
    """Run the nodes up to the timing analysis; parameters and errors as in ``run_flow``.

    Returns
    -------
    tuple
        The job, whose utilisation is the one that a search has found, and the files of the nodes as
        ``find_netlist`` returns them.
    """
    job = _outline_job(target, _root(directory), library, clock_ns, **layout.as_fields())
    check_tools(library, layout)
    tell, root = progress or (lambda line: None), _root(directory)
    if layout.placed and layout.utilisation == SEARCHED:
        job = job.at(search_utilisation(job, root, tell))
    nodes = path_to(PlacedTimingNode) if layout.placed else _OUTLINE
    run_nodes(job, nodes, root, tell, Path.iterdir)
    found = find_netlist(target, library, clock_ns, layout=layout, directory=directory)
    if found is None:
        raise FlowError(f"{job.name}: the result of timing is gone")
    return job, found[0]


def find_results(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    *,
    layout: Layout = NOT_PLACED,
    directory: Path | None = None,
) -> dict[str, Path]:
    """Folders of a target's stored results, by node.

    The nodes are those of ``run_flow`` with the default operations for a design or a system, and
    those of ``run_outline`` for other targets. The files are not checked, and no circuit is
    elaborated. The name of the folder of the last node, ``record`` or ``placed-record``, ends with
    the record's hash. The additional key ``run`` has the folder of the run that made the results,
    with the tools' logs, if this folder still exists. There are no folders if ``layout`` asks for
    the smallest core, and this core was not searched yet.
    """
    root = _root(directory)
    if isinstance(target, Configuration | System):
        nodes = path_of(layout.stage)
        asked = _job(target, root, library, clock_ns, None, layout=layout)
        job = _with_utilisation(asked, layout)
    else:
        job, nodes = _outline_job(target, root, library, clock_ns), _OUTLINE
    return {} if job is None else find_run(job, nodes)


def _read_timing(folder: Path) -> Mapping[str, Any]:
    return read_json(folder / "timing.json")


def _outline_job(
    target: Target, root: Path, library: str, clock_ns: float, **asked: Any
) -> FlowJob:
    check_library(library)
    if not 0.01 <= clock_ns <= 1000:
        raise ValueError(f"clock_ns={clock_ns}: 0.01 to 1000 ns are allowed")
    return job_of(subject_of(target), root, library=library, clock_ns=float(clock_ns), **asked)


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
    return _outline_job(
        *(target, root, library, clock_ns),
        exponents=_check_exponents(subject_of(target), operations),
        activity=activity,
        timed_cycles=timed_cycles if activity == TIMED else TIMED_CYCLES,
        **layout.as_fields(),
    )


def _root(directory: Path | None) -> Path:
    return (directory or Path("build", "flow")).absolute()


def read_record(folder: Path) -> Record:
    """Read the record in the folder of its result; ``ValueError`` if the file is no record."""
    names = RecordNode.figures, PlacedRecordNode.figures
    path = next((folder / x for x in names if (folder / x).exists()), folder / names[0])
    return Record.from_json(json.loads(path.read_text(encoding="utf-8")))


def check_tools(library: str, layout: Layout = NOT_PLACED) -> None:
    """Check that all tools of the flow are installed.

    Raises
    ------
    SetupError
        If a tool is missing; the message names the tool and how to install it.
    """
    try:
        yosys_version()
        opensta_version()
        find_toolchain()
        plain_kit(library)
        if layout.placed:
            find_tool(layout.physical).version()
    except (FlowError, ToolError) as error:
        raise SetupError(str(error)) from error


def _check_exponents(subject: Subject, exponents: Mapping[str, int] | None) -> dict[str, int]:
    if not subject.exponent_nbits:
        if exponents:
            raise ValueError(f"operations: {subject.design} is a multiplier; none are allowed")
        return {}
    if exponents is None:
        exponents = default_exponents(subject.nbits)
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
    return (
        f"{text}; take nbits={nbits} or more, or a schedule with exponent_nbits={nbits}; "
        f"without operations, e is {usual} at {subject.nbits} bits"
    )
