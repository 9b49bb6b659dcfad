"""Finds where glitches begin, how far they spread, and which glitches take the most energy.

These words have a fixed meaning in this module:

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

from rsaxcel.flow.names import register_name
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.breakdown import SHOWN, short
from rsaxcel.flow.power.energy import Energy, charging_j
from rsaxcel.flow.power.liberty import LibraryCell
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.yosys_json import Bit

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
