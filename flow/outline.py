"""Area and critical path of a circuit, by the nodes up to the timing analysis; no simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsaxcel.circuit import Target
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.graph import path_to
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY, find_kit
from rsaxcel.flow.layout import NOT_PLACED, Layout
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.nodes.placed_timing import PlacedTimingNode
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.nodes.timing import TimingNode
from rsaxcel.flow.physical.placed import read_placed
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import FLOW_UNIT_S, Slews
from rsaxcel.flow.preparation import check_tools, circuit_job, root_of
from rsaxcel.flow.runner import Progress, find_result, run_nodes
from rsaxcel.flow.utilisation import find_core, search_core


def timing_node(layout: Layout) -> type[TimingNode]:
    return PlacedTimingNode if layout.placed else TimingNode


OUTLINE = path_to(TimingNode)
"""Nodes that make an outline."""

_DRAFT = path_to(SynthesisNode)


@dataclass(frozen=True)
class Outline:
    """Area and critical path of a circuit, from synthesis and timing analysis alone."""

    library: str
    corner: str  # operating conditions of the library
    clock_ns: float
    min_period_ns: float
    delay_ns: float | None  # of the critical path; None in a draft
    area_um2: float
    cell_count: int
    hash: str  # digest of everything that the outline depends on


def run_outline(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    draft: bool = False,
    *,
    progress: Progress | None = None,
    directory: Path | None = None,
) -> Outline:
    """Synthesize a circuit and find its critical path; parameters and errors as in ``run_flow``.

    A ``draft`` lacks only the delay: synthesis itself times what it tries.
    """
    root = root_of(directory)
    job = circuit_job(target, root, library, clock_ns)
    check_tools(library)
    nodes, check = (_DRAFT, _read_synthesis) if draft else (OUTLINE, _read_timing)
    run_nodes(job, nodes, root, progress or (lambda line: None), check)
    found = _find_outline(job, draft)
    if found is None:
        raise FlowError(f"{job.name}: the result of synthesis is gone")
    return found


def find_outline(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    draft: bool = False,
    *,
    directory: Path | None = None,
) -> Outline | None:
    """Return the stored result of ``run_outline``; None if nodes would have to run."""
    job = circuit_job(target, root_of(directory), library, clock_ns)
    check_tools(library)
    return _find_outline(job, draft)


def _find_outline(job: FlowJob, draft: bool) -> Outline | None:
    mapped = find_result(job, _DRAFT, _read_synthesis)
    if mapped is None or draft:
        return mapped and _read_draft(job, *mapped)
    found = find_result(job, OUTLINE, _read_timing)
    return found and read_outline(job, mapped[0], *found)


def _read_draft(job: FlowJob, mapped: Path, key: str) -> Outline:
    made = _read_synthesis(mapped)
    area_um2, count = made["area_um2"], made["cell_count"]
    kept = [
        x for x in made["attempts"] if (x["adders"], x["area_um2"]) == (made["adders"], area_um2)
    ]
    period_ns = round(min(x["min_period_ns"] for x in kept), 6)
    corner = find_kit(job.library).corner
    return Outline(job.library, corner, job.clock_ns, period_ns, None, area_um2, count, key)


def read_outline(job: FlowJob, mapped: Path, timed: Path, key: str) -> Outline:
    """Read an outline from results of synthesis and of timing, which has the key ``key``."""
    timing, synthesis = _read_timing(timed), _read_synthesis(mapped)
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
    """Return the files of all nodes up to the timing analysis, by name, and timing's key.

    For a placed circuit, they include its layout. None if a node would have to run.
    """
    asked = circuit_job(target, root_of(directory), library, clock_ns, **layout.as_fields())
    check_tools(library, layout)
    job = find_core(asked)
    if job is None:
        return None
    found = [find_result(job, path_to(node), Path.iterdir) for node in _timed(layout)]
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

    The job has the utilisation that a search has found.
    """
    tell, root = progress or (lambda line: None), root_of(directory)
    asked = circuit_job(target, root, library, clock_ns, **layout.as_fields())
    check_tools(library, layout)
    job = search_core(asked, root, tell)
    run_nodes(job, _timed(layout), root, tell, Path.iterdir)
    found = find_netlist(target, library, clock_ns, layout=layout, directory=directory)
    if found is None:
        raise FlowError(f"{job.name}: the result of timing is gone")
    return job, found[0]


def read_netlist(
    files: Mapping[str, Path], library: str, top: str, layout: Layout = NOT_PLACED
) -> Netlist:
    """Read the netlist from the files of ``find_netlist``; a placed one with its wires' delays."""
    cells = kept_library(find_kit(library).liberty)
    if layout.placed:
        return read_placed(files, cells, top, delays=True)
    return Netlist.from_yosys_json(files["netlist.json"], cells, top=top)


def read_slews(files: Mapping[str, Path], layout: Layout = NOT_PLACED) -> Slews:
    return Slews.from_file(files[timing_node(layout).slews], time_unit_s=FLOW_UNIT_S)


def _timed(layout: Layout) -> Sequence[Any]:
    return path_to(timing_node(layout))


def _read_synthesis(folder: Path) -> Mapping[str, Any]:
    return read_json(folder / "synthesis.json")


def _read_timing(folder: Path) -> Mapping[str, Any]:
    return read_json(folder / "timing.json")
