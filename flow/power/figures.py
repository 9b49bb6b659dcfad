"""Power and energy of an operation, as figures of a record."""

from __future__ import annotations

from typing import Any

from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.breakdown import by_module, energies, glitch_modules, parts_j
from rsaxcel.flow.power.chains import glitch_chains
from rsaxcel.flow.power.energy import Energy, EnergyModel, OperationEnergy


def figures_of(
    model: EnergyModel, activity: Activity, period_ns: float, operations: float
) -> tuple[dict[str, Any], OperationEnergy]:
    """Return power and energy of an operation as figures, and the energies that they come from."""
    energy, lower = model.energy(activity, period_ns=period_ns), None
    found = summarize(energy, operations)
    if activity.timed_cycles:
        lower = model.energy(activity.useful, period_ns=period_ns)
        found |= summarize_glitches(model, activity, energy, lower, operations)
    else:
        scale = 1 / operations
        found |= {
            "energy_parts_nj": energies(parts_j(energy), scale),
            "by_module": by_module(model.netlist, activity, energy, scale),
        }
    return found, OperationEnergy(model.netlist, activity, energy, lower, operations)


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
