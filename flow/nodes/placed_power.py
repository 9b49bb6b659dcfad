"""Power and energy per operation of the placed netlist, with its wires and its clock tree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rsaxcel.flow.nodes.node import KIT
from rsaxcel.flow.nodes.power import PowerNode
from rsaxcel.flow.physical.interface import NETLIST, SPEF

if TYPE_CHECKING:  # slow to import
    from rsaxcel.flow.power.energy import OperationEnergy
    from rsaxcel.flow.power.liberty import Library
    from rsaxcel.flow.power.netlist import Netlist

CELL_ENERGIES = "cell-energies.npz"


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
        from rsaxcel.flow.physical.placed import read_placed

        return read_placed(cls.files(inputs), library, top)

    @classmethod
    def write_more(cls, outputs: Path, windows: Mapping[str, OperationEnergy]) -> None:
        """Write the energy of each cell, for maps."""
        from rsaxcel.flow.power.energy import write_energies

        write_energies(outputs / CELL_ENERGIES, windows)
