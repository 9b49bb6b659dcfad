"""Power and energy per operation, from toggles, slews and the library's tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.flow.activities import load_activities
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.nodes.node import KIT, Folders, Node
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.breakdown import by_module, energies, glitch_modules, parts_j
from rsaxcel.flow.power.chains import glitch_chains
from rsaxcel.flow.power.energy import Energy, EnergyModel, Window
from rsaxcel.flow.power.liberty import Library
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import FLOW_UNIT_S, Slews


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
        return Netlist.from_yosys_json(inputs / cls.netlist, library, top=top)

    @classmethod
    def run(cls, job: FlowJob, folders: Folders) -> None:
        """Compute and write power and energy of each type of operation."""
        inputs = folders.inputs
        library = kept_library(Kit.read(inputs / KIT, job.library).liberty)
        netlist = cls.read(inputs, library, job.design)
        model = EnergyModel(netlist, Slews.from_file(inputs / cls.slews, time_unit_s=FLOW_UNIT_S))
        timing = read_json(inputs / cls.timing)
        period_ns = power_period_ns(timing["clock_ns"], timing["min_period_ns"])
        counts = read_json(inputs / cls.simulation)["operations"]
        found: dict[str, dict[str, Any]] = {}
        windows: dict[str, Window] = {}
        for name, activity in load_activities(inputs / cls.activity).items():
            energy = model.energy(activity, period_ns=period_ns)
            operations = operations_of(counts[name])
            found[name] = summarize(energy, operations)
            lower = None
            if activity.timed_cycles:
                lower = model.energy(activity.useful, period_ns=period_ns)
                found[name] |= summarize_glitches(model, activity, energy, lower, operations)
            else:
                scale = 1 / operations
                found[name] |= {
                    "energy_parts_nj": energies(parts_j(energy), scale),
                    "by_module": by_module(netlist, activity, energy, scale),
                }
            windows[name] = Window(netlist, activity, energy, lower, operations)
        write_json(folders.outputs / cls.figures, {"period_ns": period_ns, "operations": found})
        cls.write_more(folders.outputs, windows)

    @classmethod
    def write_more(cls, outputs: Path, windows: Mapping[str, Window]) -> None:
        """Write further files on the energies of the types of operations."""


def operations_of(count: Mapping[str, Any]) -> float:
    """Return the number of operations in the simulated cycles, from a simulation's results."""
    share = count.get("simulated_cycles", count["cycles"]) / count["cycles"]
    return count["operations"] * share


def power_period_ns(clock_ns: float, min_period_ns: float) -> float:
    """Clock period at which power is given: the constraint, or the smallest period if longer."""
    return max(clock_ns, min_period_ns)


def summarize(energy: Energy, operations: float) -> dict[str, Any]:
    """Power in mW, split up, and the mean energy of an operation in nJ.

    Power = switching (nets) + internal (inside cells) + clock (clock nets and pins) + leakage.
    ``operations`` may be a fraction: cycles that were not simulated are assumed to have the same
    power.
    """
    items, to_mw = energy.items, 1e3 / energy.time_s
    energy_nj = _nj(energy, operations)
    return {
        "power_mw": energy.power_mw,
        "energy_nj": energy_nj,
        "energy_lower_nj": energy_nj,
        "switching_mw": (items.switching_j + items.input_nets_j) * to_mw,
        "internal_mw": (items.internal_j - items.clock_pins_j) * to_mw,
        "clock_mw": items.clock_j * to_mw,
        "leakage_mw": items.leakage_j * to_mw,
        "items_mw": energy.items_mw(),
        "power_mw_by_module": {
            path: module.total_j * to_mw for path, module in energy.by_module.items()
        },
    }


def summarize_glitches(
    model: EnergyModel, activity: Activity, energy: Energy, lower: Energy, operations: float
) -> dict[str, Any]:
    """Energy in nJ that glitches add to an operation, and the modules where they arise.

    ``lower`` is the energy without glitches.
    """
    netlist, scale = model.netlist, 1 / operations
    upper = model.energy(activity.unfinished, period_ns=energy.period_ns)
    return {
        "energy_lower_nj": _nj(lower, operations),
        "energy_upper_nj": _nj(upper, operations),
        "glitch_factor": energy.items.total_j / lower.items.total_j,
        "energy_parts_nj": energies(parts_j(energy, lower), scale),
        "by_module": by_module(netlist, activity, energy, scale, lower),
        "glitch_modules": glitch_modules(energy, lower, scale),
        **glitch_chains(netlist, activity, energy, lower, scale),
    }


def _nj(energy: Energy, operations: float) -> float:
    return 1e9 * energy.items.total_j / operations
