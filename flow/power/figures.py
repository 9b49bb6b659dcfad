"""Power and energy of an operation, as figures of a record: by part, by module, and of glitches.

These words have a fixed meaning here:

- A net's *gate* is the gate that drives the net. The glitches of a net *come from* that input of
  the net's gate that has the most glitches (the first such pin). Glitches *begin* at a net if every
  input of the net's gate has less than a tenth of the net's glitches.
- So each net with glitches has one *chain* of gates, from the net where its glitches begin (the
  *beginning*) to the net itself.
- The glitches of a net take energy to charge the net and inside the net's gate. This energy is
  added to the net's beginning. The energy of glitches inside a register, or inside a gate whose
  output has no glitches, is added to the beginning of its input with the most glitches.
- The *source* of a beginning is a register or a port: the end of the way back, gate by gate, each
  time to the input with the most useful toggles. Beginnings in one module whose sources are bits of
  one register or port form a *group*. The energies of the groups add up to the energy of all
  glitches.
- A group is represented by its *worst chain*: among its chains that end at a register or a port (or
  among all chains, if none does), the one whose nets have the most glitch energy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rsaxcel.flow.names import inclusive, register_name
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.energy import (
    TOP,
    Energy,
    EnergyItems,
    EnergyModel,
    OperationEnergy,
    charging_j,
)
from rsaxcel.flow.power.liberty import LibraryCell
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.yosys_json import Bit

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


NEW = 0.1  #: glitches begin at a gate if no input has this fraction of the glitches of its output


@dataclass(frozen=True, repr=False)
class _Nets:
    """Nets as arrays. The module's docstring defines "come from", "begin" and "source"."""

    bits: list[int]  #: number of each net in the netlist
    glitches: np.ndarray
    energy_j: np.ndarray  #: energy of each net's glitches
    #: net from which a net's glitches come; the net itself: they begin there
    before: np.ndarray
    #: next net on the way to the source; the net itself: the source drives it
    toward: np.ndarray


def glitch_chains(
    netlist: Netlist, activity: Activity, energy: Energy, lower: Energy, scale: float
) -> dict[str, Any]:
    """Return the groups of glitches with the most energy, and the worst chain of each group.

    The module's docstring defines the words. ``glitch_depth``: gates from the beginning to a net,
    mean over all nets, weighted by glitch energy. ``glitch_chains``: groups with ``source``,
    ``module``, ``energy_nj`` of an operation and ``share`` of all glitch energy; of the worst
    chain, ``begin``, ``end`` (the register or port that reads its last net, or this net), ``gates``
    (their number), ``glitches_per_cycle`` of the last net, and ``modules``. Empty without glitches.
    """
    cells_j = {name: value - lower.by_cell[name] for name, value in energy.by_cell.items()}
    nets = _gather(netlist, activity, cells_j)
    total_j = float(nets.energy_j.sum())
    if not nets.glitches.any() or total_j <= 0:
        return {}
    begin, source = _ends(nets.before), _ends(nets.toward)
    gates = _sums(nets.before, np.ones(len(nets.before)))
    along_j = _sums(nets.before, nets.energy_j)

    ends = _named_ends(netlist)
    starts = _named_starts(netlist)
    module_of = netlist.module_of
    groups: dict[tuple[str, str], list[int]] = {}
    for at in np.flatnonzero(nets.glitches > 0).tolist():
        first = int(begin[at])
        start = nets.bits[int(source[first])]
        key = module_of.get(nets.bits[first], ""), starts.get(start, netlist.name_of(start))
        groups.setdefault(key, []).append(at)
    energies_j = {key: float(nets.energy_j[members].sum()) for key, members in groups.items()}

    def shown(key: tuple[str, str]) -> dict[str, Any]:
        members = groups[key]
        reaching = [at for at in members if nets.bits[at] in ends] or members
        last = reaching[int(np.argmax(along_j[reaching]))]
        chain = [last]
        while nets.before[chain[-1]] != chain[-1]:
            chain.append(int(nets.before[chain[-1]]))
        passed = (module_of.get(nets.bits[at], "") for at in reversed(chain))
        bit = nets.bits[last]
        return {
            "source": key[1],
            "module": key[0],
            "begin": netlist.name_of(nets.bits[chain[-1]]),
            "end": ends.get(bit, netlist.name_of(bit)),
            "gates": len(chain),
            "glitches_per_cycle": short(nets.glitches[last] / activity.cycles),
            "modules": list(dict.fromkeys(passed)),
            "energy_nj": short(1e9 * scale * energies_j[key]),
            "share": short(energies_j[key] / total_j),
        }

    worst = sorted(groups, key=lambda key: (-energies_j[key], key))[:SHOWN]
    depth = float((gates * nets.energy_j).sum()) / total_j
    return {"glitch_depth": short(depth), "glitch_chains": [shown(key) for key in worst]}


def _gather(netlist: Netlist, activity: Activity, cells_j: Mapping[str, float]) -> _Nets:
    """Collect, for each net, its glitches, their energy, and the net they come from.

    ``cells_j`` has the energy of glitches inside each cell.
    """
    bits = list(netlist.load_f)
    glitches = {bit: activity.glitches.get(bit, 0.0) for bit in bits}
    useful = {bit: activity.toggles.get(bit, 0.0) - count for bit, count in glitches.items()}
    position = {bit: at for at, bit in enumerate(bits)}
    before, toward = list(range(len(bits))), list(range(len(bits)))
    charging = charging_j(netlist)
    energy_j = [charging.get(bit, 0.0) * glitches[bit] for bit in bits]

    pins_of: dict[str, tuple[list[str], dict[str, Sequence[str]]]] = {}

    for instance in netlist.instances:
        nets, inside_j = instance.nets, cells_j[instance.name]
        if instance.cell.name not in pins_of:
            pins_of[instance.cell.name] = _pins(instance.cell)
        inputs, functions = pins_of[instance.cell.name]
        outputs = [
            (bit, reads) for pin, reads in functions.items() if (bit := nets.get(pin)) in position
        ]
        whole = sum(glitches[bit] for bit, _ in outputs)
        if whole:
            for bit, _ in outputs:
                energy_j[position[bit]] += inside_j * glitches[bit] / whole
        elif inside_j and (read := _data(netlist, nets, inputs)):
            energy_j[position[max(read, key=glitches.__getitem__)]] += inside_j
        for bit, reads in outputs:
            if read := _data(netlist, nets, reads):
                at = position[bit]
                toward[at] = position[max(read, key=useful.__getitem__)]
                worst = max(read, key=glitches.__getitem__)
                if 0 < NEW * glitches[bit] <= glitches[worst]:
                    before[at] = position[worst]
    counted = np.array(list(glitches.values()))
    return _Nets(bits, counted, np.array(energy_j), np.array(before), np.array(toward))


def _pins(cell: LibraryCell) -> tuple[list[str], dict[str, Sequence[str]]]:
    """Return the inputs, and for each output the inputs in its function (none for a register)."""
    inputs = [pin.name for pin in cell.inputs]
    outputs: dict[str, Sequence[str]] = {}
    for pin in cell.outputs:
        function = None if cell.sequential else pin.function
        outputs[pin.name] = function.pins if function else ()
    return inputs, outputs


def _data(netlist: Netlist, nets: Mapping[str, Bit], pins: Sequence[str]) -> list[int]:
    found = (nets[pin] for pin in pins)
    return [bit for bit in found if isinstance(bit, int) and bit not in netlist.clock_nets]


def _ends(pointers: np.ndarray) -> np.ndarray:
    """Follow pointers (index of the next element) from each element; return the last elements."""
    for _ in range(len(pointers).bit_length()):
        pointers = pointers[pointers]
    return pointers


def _sums(pointers: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Add up the values of each element and of all that follow it; the last points at itself."""
    none = len(pointers)
    ends = pointers == np.arange(none)
    pointers = np.append(np.where(ends, none, pointers), none)
    sums = np.append(values, 0.0)
    for _ in range(none.bit_length()):
        sums = sums + sums[pointers]
        pointers = pointers[pointers]
    return sums[:none]


def _named_starts(netlist: Netlist) -> dict[int, str]:
    """For each net that a register or port drives, the driver's name without the bit number."""
    found = _ports(netlist, "input")
    for instance in netlist.instances:
        if instance.cell.sequential is not None:
            for pin in instance.cell.outputs:
                if isinstance(bit := instance.nets.get(pin.name), int):
                    found[bit] = register_name(instance.name)
    return found


def _named_ends(netlist: Netlist) -> dict[int, str]:
    """For each net that a register or port reads, the name of one, without the bit number."""
    found = _ports(netlist, "output")
    for instance in netlist.instances:
        if instance.cell.sequential is not None:
            pins = [pin.name for pin in instance.cell.inputs]
            for bit in _data(netlist, instance.nets, pins):
                found.setdefault(bit, register_name(instance.name))
    return found


def _ports(netlist: Netlist, direction: str) -> dict[int, str]:
    return {
        bit: name
        for name, bits in netlist.ports.items()
        if netlist.directions[name] == direction
        for bit in bits
        if isinstance(bit, int)
    }
