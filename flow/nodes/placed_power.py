"""Power and energy per operation of the placed netlist, with its wires and its clock tree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rsaxcel.flow.nodes.node import KIT
from rsaxcel.flow.nodes.power import PowerNode
from rsaxcel.flow.physical.placed import NETLIST, SPEF, read_placed
from rsaxcel.flow.power.cell_energies import CELL_ENERGIES, write_energies
from rsaxcel.flow.power.energy import Window
from rsaxcel.flow.power.liberty import Library
from rsaxcel.flow.power.netlist import Netlist


class PlacedPowerNode(PowerNode):
    netlist = NETLIST
    slews = "placed-slews.txt"
    timing = "placed-timing.json"
    simulation = "placed-simulation.json"
    activity = "placed-activity.npz"
    figures = "placed-power.json"

    name = "placed-power"
    inputs = (KIT, netlist, slews, timing, simulation, activity, SPEF)
    outputs = (figures, CELL_ENERGIES)

    @classmethod
    def read(cls, inputs: Path, library: Library, top: str) -> Netlist:
        """Read the netlist with the capacitances of its wires."""
        return read_placed(cls.files(inputs), library, top)

    @classmethod
    def write_more(cls, outputs: Path, windows: Mapping[str, Window]) -> None:
        """Write the energy of each cell, for maps."""
        write_energies(outputs / CELL_ENERGIES, windows)
