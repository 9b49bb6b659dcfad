"""Splits the energy of an operation by part, by module, and into useful toggles and glitches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsaxcel.flow.names import inclusive
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.energy import TOP, Energy, EnergyItems
from rsaxcel.flow.power.netlist import Netlist

_PARTS = {
    "clock": ("clock_pins_j", "clock_nets_j"),
    "registers": ("internal_sequential_j",),
    "combinational": ("internal_combinational_j",),
    "wires": ("switching_j", "input_nets_j"),
    "leakage": ("leakage_j",),
}
_GLITCHES = "{}_glitches"

#: Parts without glitches: `clock` (nets and pins), `registers` (inside flip-flops, for toggles of
#: data and outputs), `combinational` (inside cells), `wires` (nets) and `leakage`. Glitches: in
#: registers, in combinational cells and in nets.
PARTS = (*_PARTS, *(_GLITCHES.format(part) for part in ("registers", "combinational", "wires")))


SHOWN = 5  #: longest list of modules or chains of glitches: those with the most energy


def parts_j(energy: Energy, lower: Energy | None = None) -> dict[str, float]:
    """Split an energy into the parts that ``PARTS`` names, in joules.

    ``lower`` is without glitches.

    Glitches at the enables of clock gates are in the part ``registers_glitches``.
    """
    useful = {part: _sum((lower or energy).items, items) for part, items in _PARTS.items()}
    if lower is None:
        return useful
    more = {part: _sum(energy.items, items) - useful[part] for part, items in _PARTS.items()}
    more["registers"] += more.pop("clock")
    more["wires"] += more.pop("leakage")
    return useful | {_GLITCHES.format(part): value for part, value in more.items()}


def by_module(
    netlist: Netlist, activity: Activity, energy: Energy, scale: float, lower: Energy | None = None
) -> dict[str, dict[str, float]]:
    """Return energy and toggles of each module by path, including all modules inside it.

    A net belongs to its driver's module, nets of input ports and of the clock to ``""``. Figures,
    scaled to an operation: ``energy_nj``, ``toggles`` and, with ``lower``, ``glitch_nj``,
    ``glitches``.
    """
    energies_nj = {"energy_nj": _inclusive_nj(energy)}
    if lower is not None:
        own_nj = _inclusive_nj(lower)
        glitch_nj = {path: x - own_nj[path] for path, x in energies_nj["energy_nj"].items()}
        energies_nj["glitch_nj"] = glitch_nj
    module_of = netlist.module_of
    counts: dict[str, dict[str, float]] = {"toggles": {}}
    if lower is not None:
        counts["glitches"] = {}
    for kind, own in counts.items():
        for bit, count in getattr(activity, kind).items():
            if bit not in netlist.clock_nets:
                path = module_of.get(bit, TOP)
                own[path] = own.get(path, 0.0) + count
    figures = energies_nj | {kind: inclusive(own) for kind, own in counts.items()}
    return {
        path: {name: short(scale * own.get(path, 0.0)) for name, own in figures.items()}
        for path in figures["energy_nj"]
    }


def _inclusive_nj(energy: Energy) -> dict[str, float]:
    return inclusive({path: 1e9 * x.total_j for path, x in energy.by_module.items()})


def glitch_modules(energy: Energy, lower: Energy, scale: float) -> list[dict[str, Any]]:
    """Return the ``SHOWN`` modules with the most glitch energy, without the modules inside them.

    Each has ``module`` (path), ``energy_nj`` of its glitches in an operation, and their ``share``
    in all glitch energy.
    """
    own_j = {
        path: x.total_j - lower.by_module[path].total_j for path, x in energy.by_module.items()
    }
    total_j = sum(own_j.values())
    worst = sorted((path for path, x in own_j.items() if x > 0), key=lambda path: -own_j[path])
    return [
        {
            "module": path,
            "energy_nj": short(1e9 * scale * own_j[path]),
            "share": short(own_j[path] / total_j),
        }
        for path in worst[:SHOWN]
    ]


def _sum(items: EnergyItems, names: tuple[str, ...]) -> float:
    return sum(getattr(items, name) for name in names)


def short(value: float) -> float:
    """Round to six significant digits, to keep files with thousands of modules small."""
    return float(f"{value:.6g}")


def energies(parts: Mapping[str, float], scale: float) -> dict[str, float]:
    """Return the energy of each part in nanojoules per operation."""
    return {part: short(1e9 * scale * value) for part, value in parts.items()}
