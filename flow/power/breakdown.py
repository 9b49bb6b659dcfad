"""Where the energy of an operation goes: by what takes it, by module, useful or in glitches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flow.names import inclusive
from flow.power.activity import Activity
from flow.power.energy import TOP, Energy, EnergyItems
from flow.power.netlist import Netlist

_PARTS = {
    "clock": ("clock_pins_j", "clock_nets_j"),
    "registers": ("internal_sequential_j",),
    "combinational": ("internal_combinational_j",),
    "wires": ("switching_j", "input_nets_j"),
    "leakage": ("leakage_j",),
}
_GLITCHES = "{}_glitches"

PARTS = (*_PARTS, *(_GLITCHES.format(part) for part in ("registers", "combinational", "wires")))
"""Parts of an energy: the clock's nets and pins; inside of flip-flops for data; inside of
combinational cells; charging of nets; leakage; and what glitches add to registers,
cells and wires."""


SHOWN = 5
"""Modules and chains of glitches that are named, those with the most energy."""


def parts_j(energy: Energy, lower: Energy | None = None) -> dict[str, float]:
    """Split an energy into ``PARTS``, in joules.

    Parameters
    ----------
    energy
        Energy of an activity.
    lower
        Energy of the same activity without glitches. None: there are no parts for glitches.

    What glitches at the enables of clock gates cost counts as the registers'.
    """
    useful = {part: _sum((lower or energy).items, items) for part, items in _PARTS.items()}
    if lower is None:
        return useful
    more = {part: _sum(energy.items, items) - useful[part] for part, items in _PARTS.items()}
    more["registers"] += more.pop("clock")
    more["wires"] += more.pop("leakage")
    return useful | {_GLITCHES.format(part): value for part, value in more.items()}


def by_module(
    netlist: Netlist,
    activity: Activity,
    energy: Energy,
    scale: float,
    lower: Energy | None = None,
) -> dict[str, dict[str, float]]:
    """Energy and toggles of each module with all modules inside it.

    A net belongs to the module of its driver; nets of ports and the clock to the top, ``""``.

    Parameters
    ----------
    netlist, activity
        The netlist, and how its nets toggle.
    energy
        Energy of that activity.
    scale
        From the window to one operation.
    lower
        Energy of the same activity without glitches; None where glitches are not counted.

    Returns
    -------
    dict of str to dict of str to float
        By path: ``energy_nj`` and ``toggles`` (glitches included) of an operation; where glitches
        are counted, also ``glitch_nj`` and ``glitches``.
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
    """Name the modules in which glitches take most energy, each without the modules inside it.

    Parameters
    ----------
    energy, lower
        Of an activity, and of the same without glitches.
    scale
        From the window to one operation.

    Returns
    -------
    list of dict
        The worst first, at most ``SHOWN``; empty without glitches. Each has ``module`` (path),
        ``energy_nj`` of its glitches in an operation, ``share`` of the energy of all glitches.
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
    """Round to six digits that count: a file may have thousands of modules."""
    return float(f"{value:.6g}")


def energies(parts: Mapping[str, float], scale: float) -> dict[str, float]:
    """Give parts in nanojoules for each operation."""
    return {part: short(1e9 * scale * value) for part, value in parts.items()}
