"""What a physical tool is given and gives back.

A physical tool takes a synthesized netlist through the steps of ``STEPS``. Each step reads the
checkpoint of the step before, which only the tool understands, and writes its own, ``STEP.db``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.flow.kit import Kit

FLOORPLAN, PLACE, REPAIR = "floorplan", "place", "repair"
CLOCK_TREE, REPAIR_TIMING, WIRES, ROUTE = "clock-tree", "repair-timing", "wires", "route"

STEPS = (FLOORPLAN, PLACE, REPAIR, CLOCK_TREE, REPAIR_TIMING, WIRES)
"""Steps in their order. For the stage ``routed``, ``ROUTE`` is called in place of ``WIRES``."""

LAYOUT = (
    *("placed.v", "placed.json", "placed.def", "placed.spef"),
    *("clock.json", "capacity.npz"),
)
"""Files that the last step writes, the same for all tools.

``placed.v``, ``placed.json``
    The netlist with its clock tree and all repairs, as Verilog and in Yosys's JSON form. A cell or
    net of the synthesized netlist keeps its name; each net has one public name.
``placed.def``
    Places of cells, taps, fillers and ports; rows and power straps.
``placed.spef``
    Resistances and capacitances of every net, clock tree included.
``clock.json``
    ``latency_ns`` of each clock sink by ``INSTANCE/PIN``, from the clock port to the sink;
    ``mean_latency_ns`` (of the flip-flops: the ports' clock has it), ``skew_ns``,
    ``insertion_delay_ns`` (the longest latency), ``buffers``.
``capacity.npz``
    Demand and capacity for wires of each edge of the routing grid.
"""

FIGURES = (
    *("core_area_um2", "utilisation", "area_um2", "wire_length_mm"),
    *("overflow", "clock_buffers", "hold_buffers"),
)
"""Figures that the last step returns at least. Step ``PLACE`` returns ``overflow`` at least."""


@dataclass(frozen=True)
class Task:
    """What to place.

    Parameters
    ----------
    netlist
        Synthesized netlist in Yosys's JSON form; ``verilog`` is the same netlist.
    top
        Name of its module.
    kit
        Cell library.
    clock_ns
        Clock period to meet, in ns.
    utilisation
        Area of the cells over area of the core.
    seed
        Seed of the placement.
    uncertainty_ns, derate
        Margins under which setup and hold must be kept; see ``flow.layout.Layout``.
    """

    netlist: Path
    top: str
    kit: Kit
    clock_ns: float
    utilisation: float
    seed: int
    uncertainty_ns: float = 0.0
    derate: float = 0.0

    @property
    def verilog(self) -> Path:
        """The netlist as Verilog, beside the netlist in JSON form."""
        return self.netlist.with_suffix(".v")


class PhysicalTool(ABC):
    """A tool that places a netlist, step by step.

    Attributes
    ----------
    name
        Name of the tool, a key of ``flow.physical.tools.TOOLS``.
    """

    name: ClassVar[str]

    @abstractmethod
    def version(self) -> str:
        """Version of the tool, part of the keys of its results.

        Raises
        ------
        FlowError
            If the tool is missing or too old; the message is one line that says how to get it.
        """

    @abstractmethod
    def run(
        self, step: str, task: Task, before: Path | None, folder: Path, work: Path
    ) -> dict[str, Any]:
        """Run a step; the same arguments give the same files.

        Parameters
        ----------
        step
            One of ``STEPS``, or ``ROUTE``.
        task
            What to place.
        before
            Checkpoint of the step before; None for the first step.
        folder
            Folder for the checkpoint ``STEP.db``; the last step writes the files ``LAYOUT``, too.
        work
            Folder for logs and temporary files.

        Returns
        -------
        dict
            Figures for ``STEP.json``, such as ``FIGURES`` of the last step; no times of the run.

        Raises
        ------
        NoRoom
            If the cells do not fit into the core.
        FlowError
            If the step fails, or a check of its result.
        """
