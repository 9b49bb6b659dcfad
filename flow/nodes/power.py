"""Power and energy per operation, from toggles, slews and the library's tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.nodes.node import KIT, Folders, Node

if TYPE_CHECKING:  # slow to import, and a result that is there needs no analysis
    from rsaxcel.flow.power.energy import OperationEnergy
    from rsaxcel.flow.power.liberty import Library
    from rsaxcel.flow.power.netlist import Netlist


class PowerNode(Node):
    """Computes power and energy from toggles, slews and the library's tables."""

    netlist: ClassVar[str] = "netlist.json"
    slews: ClassVar[str] = "slews.txt"
    timing: ClassVar[str] = "timing.json"
    simulation: ClassVar[str] = "simulation.json"
    activity: ClassVar[str] = "activity.npz"
    figures: ClassVar[str] = "power.json"

    name = "power"
    inputs: ClassVar[tuple[str, ...]] = (KIT, netlist, slews, timing, simulation, activity)
    outputs: ClassVar[tuple[str, ...]] = (figures,)
    configuration = ("design", "library")
    tools = ()

    @classmethod
    def read(cls, inputs: Path, library: Library, top: str) -> Netlist:
        from rsaxcel.flow.power.netlist import Netlist

        return Netlist.from_yosys_json(inputs / cls.netlist, library, top=top)

    @classmethod
    def run(cls, job: FlowJob, folders: Folders) -> None:
        """Compute and write power and energy of each type of operation."""
        from rsaxcel.flow.power.activity import load_activities
        from rsaxcel.flow.power.energy import EnergyModel
        from rsaxcel.flow.power.figures import figures_of
        from rsaxcel.flow.power.slews import Slews

        inputs = folders.inputs
        library = Kit.read(inputs / KIT).library
        netlist = cls.read(inputs, library, job.design)
        model = EnergyModel(netlist, Slews.from_file(inputs / cls.slews))
        timing = read_json(inputs / cls.timing)
        period_ns = power_period_ns(timing["clock_ns"], timing["min_period_ns"])
        counts = read_json(inputs / cls.simulation)["operations"]
        found: dict[str, dict[str, Any]] = {}
        windows: dict[str, OperationEnergy] = {}
        for name, activity in load_activities(inputs / cls.activity).items():
            operations = operations_of(counts[name])
            found[name], windows[name] = figures_of(model, activity, period_ns, operations)
        write_json(folders.outputs / cls.figures, {"period_ns": period_ns, "operations": found})
        cls.write_more(folders.outputs, windows)

    @classmethod
    def write_more(cls, outputs: Path, windows: Mapping[str, OperationEnergy]) -> None:
        """Write further files on the energies of the types of operations."""


def operations_of(count: Mapping[str, Any]) -> float:
    """Return the number of operations in the simulated cycles, from a simulation's results."""
    share = count.get("simulated_cycles", count["cycles"]) / count["cycles"]
    return count["operations"] * share


def power_period_ns(clock_ns: float, min_period_ns: float) -> float:
    """Clock period at which power is given: the constraint, or the smallest period if longer."""
    return max(clock_ns, min_period_ns)
