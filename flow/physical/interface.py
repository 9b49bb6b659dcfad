"""Interface of a physical tool: its task, its steps and its files.

Each step reads the checkpoint of the step before, which only the tool understands, and writes its
own, ``STEP.db``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit

FLOORPLAN, PLACE, REPAIR = "floorplan", "place", "repair"
CLOCK_TREE, REPAIR_TIMING, WIRES, ROUTE = "clock-tree", "repair-timing", "wires", "route"

#: Steps in order. For the stage `routed`, ROUTE is called in place of WIRES.
STEPS = (FLOORPLAN, PLACE, REPAIR, CLOCK_TREE, REPAIR_TIMING, WIRES)

#: Files that the last step writes. placed.v, placed.json: netlist with clock tree and repairs;
#: cells and nets keep their names, a net has one public name. placed.def: places, rows and power
#: straps. placed.spef: wires of every net. clock.json: latency_ns of each clock sink from the port
#: by INSTANCE/PIN, mean_latency_ns (of the flip-flops: the ports' clock has it), skew_ns,
#: insertion_delay_ns (the longest latency), buffers; with several corners, mean_latencies_ns at
#: each. All others are those at the corner for setup. capacity.npz: demand and capacity of each
#: edge of the routing grid.
NETLIST, SPEF, CLOCK = "placed.json", "placed.spef", "clock.json"
LAYOUT = ("placed.v", NETLIST, "placed.def", SPEF, CLOCK, "capacity.npz")
MEAN_LATENCIES = "mean_latencies_ns"
INTERCONNECT = "interconnect.txt"  #: file of the wires' delays, which timing writes

#: Figures that the last step returns, and maybe others; step PLACE returns `overflow`.
FIGURES = (
    "core_area_um2",
    "utilisation",
    "area_um2",
    "wire_length_mm",
    "overflow",
    "clock_buffers",
    "hold_buffers",
)


@dataclass(frozen=True)
class PlacementTask:
    """Netlist to place, and how."""

    netlist: Path  #: synthesized netlist, in Yosys's JSON form
    top: str
    kit: Kit  #: at the corner at which the clock period is to be met
    clock_ns: float  #: clock period to meet
    utilisation: float  #: area of cells over that of the core
    seed: int
    uncertainty_ns: float = 0.0  #: see flow.layout.Layout
    derate: float = 0.0  #: see flow.layout.Layout
    hold_kit: Kit | None = None  #: at the corner at which hold is repaired, if that is another one
    corners: tuple[Kit, ...] = ()  #: the kit at each of its corners, if there are several

    @classmethod
    def of(cls, job: FlowJob, kit: Kit, netlist: Path) -> PlacementTask:
        return cls(
            netlist,
            job.design,
            kit.at(kit.setup),
            job.clock_ns,
            job.utilisation,
            job.seed,
            job.uncertainty_ns,
            job.derate,
            None if kit.hold == kit.setup else kit.at(kit.hold),
            tuple(kit.at(corner) for corner, _ in kit.corners[1:] and kit.corners),
        )

    @property
    def period_ns(self) -> float:
        """Clock period to meet, less uncertainty and derate."""
        return (self.clock_ns - self.uncertainty_ns) / (1 + self.derate)

    @property
    def verilog(self) -> Path:
        return self.netlist.with_suffix(".v")


class PhysicalTool(ABC):
    """A tool that places a netlist, step by step."""

    name: ClassVar[str]  #: key of flow.tools.TOOLS

    @abstractmethod
    def version(self) -> str:
        """Version of the tool, for the keys of results; ``FlowError`` says how to get it."""

    @abstractmethod
    def run(
        self, step: str, task: PlacementTask, before: Path | None, folder: Path, work: Path
    ) -> dict[str, Any]:
        """Run a step; the same arguments give the same files.

        The last step also writes ``LAYOUT`` to ``folder``. The figures returned have no times of
        the run. ``NoRoom`` if the cells do not fit, ``FlowError`` for other faults.
        """
