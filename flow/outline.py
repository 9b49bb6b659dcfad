"""Area and critical path of a circuit, by the nodes up to the timing analysis; no simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsaxcel.flow.files import read_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.layout import NOT_PLACED, Layout
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.nodes.placed_timing import PlacedTimingNode
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.nodes.timing import TimingNode
from rsaxcel.flow.physical.placed import read_placed
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.runner import Goal, Stored, files_of


def timing_node(layout: Layout) -> type[TimingNode]:
    return PlacedTimingNode if layout.placed else TimingNode


@dataclass(frozen=True)
class Outline:
    """Area and critical path of a circuit, from synthesis and timing analysis alone."""

    library: str
    corner: str  #: operating conditions of the library
    clock_ns: float
    min_period_ns: float
    delay_ns: float | None  #: delay of the critical path; None in a draft
    area_um2: float
    cell_count: int
    hash: str  #: digest of everything that the outline depends on


def _read_outline(job: FlowJob, found: Sequence[Stored]) -> Outline:
    timing = _read(found, TimingNode)
    return _outline(job, found, timing["min_period_ns"], timing["critical_path"]["delay_ns"])


def _read_draft(job: FlowJob, found: Sequence[Stored]) -> Outline:
    made = _read(found, SynthesisNode)
    kept = [
        x["min_period_ns"]
        for x in made["attempts"]
        if (x["adders"], x["area_um2"]) == (made["adders"], made["area_um2"])
    ]
    return _outline(job, found, round(min(kept), 6), None)


def _outline(
    job: FlowJob, found: Sequence[Stored], period_ns: float, delay_ns: float | None
) -> Outline:
    made, corner, key = _read(found, SynthesisNode), find_kit(job.library).corner, found[-1].key
    sizes = made["area_um2"], made["cell_count"]
    return Outline(job.library, corner, job.clock_ns, period_ns, delay_ns, *sizes, key)


def _read(found: Sequence[Stored], node: type[SynthesisNode | TimingNode]) -> Mapping[str, Any]:
    folder = next(x.folder for x in found if x.node is node)
    return read_json(folder / f"{node.name}.json")


OUTLINE = Goal(lambda _: TimingNode, _read_outline, reads_all=True)
#: Goal whose outline lacks only the delay: synthesis itself times its attempts.
DRAFT = Goal(lambda _: SynthesisNode, _read_draft)


@dataclass(frozen=True)
class NetlistWithSlews:
    """A circuit's netlist and its timing; a placed circuit's layout, too."""

    job: FlowJob  #: job with the utilisation that a search has found
    files: Mapping[str, Path]  #: files of all nodes up to the timing analysis, by name
    key: str  #: key of the timing's result


def _read_files(job: FlowJob, found: Sequence[Stored]) -> NetlistWithSlews:
    return NetlistWithSlews(job, files_of(found), found[-1].key)


NETLIST = Goal(timing_node, _read_files, reads_all=True)


def read_netlist(
    files: Mapping[str, Path], library: str, top: str, layout: Layout = NOT_PLACED
) -> Netlist:
    """Read the netlist from files of a ``TimedNetlist``; if placed, with its wires' delays."""
    cells = find_kit(library).library
    if layout.placed:
        return read_placed(files, cells, top, delays=True)
    return Netlist.from_yosys_json(files["netlist.json"], cells, top=top)


def read_slews(files: Mapping[str, Path], layout: Layout = NOT_PLACED) -> Slews:
    return Slews.from_file(files[timing_node(layout).slews])
