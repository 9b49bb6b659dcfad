"""Gate-level simulation of the placed netlist, with the delays of wires and the clock's skew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rsaxcel.flow.layout import TIMED
from rsaxcel.flow.nodes.gate_simulation import NOTES, GateSimulationNode
from rsaxcel.flow.nodes.node import KIT
from rsaxcel.flow.physical.interface import CLOCK, INTERCONNECT, NETLIST, SPEF

if TYPE_CHECKING:  # slow to import
    from rsaxcel.flow.power.liberty import Library
    from rsaxcel.flow.power.netlist import Netlist

PLACED_NOTES = NOTES | {
    TIMED: "energy counts glitches, wires and the clock tree; crosstalk is not in it"
}


class PlacedGateSimulationNode(GateSimulationNode):
    netlist = NETLIST
    slews = "placed-slews.txt"
    figures = "placed-simulation.json"
    activity = "placed-activity.npz"
    notes = PLACED_NOTES

    name = "placed-gate-simulation"
    inputs = (KIT, "interface.json", netlist, slews, SPEF, CLOCK, INTERCONNECT)
    outputs = (figures, activity)

    @classmethod
    def read(cls, inputs: Path, library: Library, top: str) -> Netlist:
        from rsaxcel.flow.physical.placed import read_placed

        return read_placed(cls.files(inputs), library, top, delays=True)
