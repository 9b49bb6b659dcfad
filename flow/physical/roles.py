"""Roles of the kinds of a design: functions, repeaters, constants, clock pins, clock gates."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import PORT_KINDS, ArrayNetlist, CellKind
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import BUFFER, INVERTER, Library, LibraryCell

_BOTH = 2


@dataclass(frozen=True)
class Role:
    """Function of a kind; pins are numbers."""

    signature: Hashable  #: equal for two kinds if and only if their pins and functions are equal
    repeats: tuple[int, int] | None = None  #: input and output of a buffer or an inverter
    inverts: bool = False  #: the repeater is an inverter
    constant: bool | None = None  #: value of a tie cell
    clock_pins: tuple[int, ...] = ()  #: clock pins of a flip-flop, latch or clock gate
    gate_output: int | None = None
    complement: tuple[int, int] | None = None  #: a flip-flop's output, and the complementary one


def roles_of(kinds: Sequence[CellKind], library: Library) -> list[Role]:
    """Role of each kind; kinds that the library does not have are only equal to themselves."""
    return [
        _role(kind, library.cells[kind.name])
        if kind not in PORT_KINDS and kind.name in library.cells
        else Role(kind.name)
        for kind in kinds
    ]


def _role(kind: CellKind, cell: LibraryCell) -> Role:
    names = [pin.name for pin in kind.pins]
    inputs = [pin.name for pin in cell.inputs]
    outputs = cell.outputs
    sequential = cell.sequential
    known = all(pin.function for pin in outputs) or (sequential and sequential.kind == "gate")
    state = sequential and (
        sequential.kind,
        sequential.state,
        sequential.complement,
        *map(_key, (sequential.next_state, sequential.clock, sequential.clear, sequential.preset)),
    )
    signature = (
        frozenset(names),
        frozenset((pin.name, _key(pin.function)) for pin in outputs),
        state,
        None if known and outputs else kind.name,
    )
    if sequential:
        clock_pins = tuple(names.index(pin) for pin in sequential.clock.pins if pin in names)
        gate = names.index(outputs[0].name) if cell.clock_gate else None
        pair = min(complements(cell, names).items(), default=None)
        return Role(signature, clock_pins=clock_pins, gate_output=gate, complement=pair)
    if len(outputs) != 1 or outputs[0].function is None:
        return Role(signature)
    values = outputs[0].function.values
    if not inputs and len(values) == 1:
        return Role(signature, constant=values[0])
    if len(inputs) == 1 and values in (BUFFER, INVERTER):
        pins = names.index(inputs[0]), names.index(outputs[0].name)
        return Role(signature, repeats=pins, inverts=values == INVERTER)
    return Role(signature)


def complements(cell: LibraryCell | None, names: Sequence[str]) -> dict[int, int]:
    """Pairs of a flip-flop's outputs that are complements, both ways, as positions in ``names``."""
    state = cell.sequential if cell else None
    # With clear and preset at once, neither output needs to be the other one's complement.
    if cell is None or state is None or state.kind != "ff" or (state.clear and state.preset):
        return {}
    found = {}
    for pin in cell.outputs:
        function = pin.function
        if function is not None and function.pins in ((state.state,), (state.complement,)):
            inverted = function.pins == (state.complement,)
            found[inverted ^ bool(function.table[0])] = names.index(pin.name)
    return {found[x]: found[not x] for x in found} if len(found) == _BOTH else {}


def _key(function: BooleanFunction | None) -> Hashable:
    return function and (function.pins, function.table.tobytes())


@dataclass
class NetSources:
    """Source of each net's value, behind all buffers and inverters."""

    netlist: ArrayNetlist
    roles: Sequence[Role]
    through_gates: bool = False  #: the source of a gated clock is the clock

    @cached_property
    def driver(self) -> np.ndarray:
        start, pins = self.netlist.net_pins
        return pins[start[:-1]].astype(np.int64)

    @cached_property
    def _traced(self) -> tuple[np.ndarray, np.ndarray]:
        netlist = self.netlist
        root = np.arange(len(netlist.nets))
        inverted = np.zeros(len(netlist.nets), bool)
        passed = np.zeros(len(netlist.nets), bool)
        for index, role in enumerate(self.roles):
            if role.repeats is not None:
                into, out = role.repeats
            elif self.through_gates and role.gate_output is not None:
                into, out = role.clock_pins[0], role.gate_output
            else:
                continue
            start = netlist.pin_start[:-1][netlist.kind == index]
            nets = netlist.pin_net[start + out]
            start, nets = start[nets >= 0], nets[nets >= 0]
            root[nets], inverted[nets] = netlist.pin_net[start + into], role.inverts
            passed[nets] = True
        # Each round doubles how far a net sees back.
        for _ in range(len(netlist.nets).bit_length() + 1):
            if np.array_equal(root[root], root):
                break
            inverted = inverted ^ inverted[root]
            root = root[root]
        if ring := np.flatnonzero(passed[root]).tolist():
            raise FlowError(
                f"net {netlist.nets[ring[0]]} comes from a ring of buffers "
                f"({len(ring)} nets in all)"
            )
        return root, inverted

    @property
    def root(self) -> np.ndarray:
        """Net at the beginning of the buffers and inverters before each net."""
        return self._traced[0]

    @property
    def inverted(self) -> np.ndarray:
        """Whether each net is the complement of its root."""
        return self._traced[1]

    def states(self, pins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Replace complementary outputs of flip-flops by the others; return which were replaced."""
        netlist = self.netlist
        pins, inverted = pins.copy(), np.zeros(len(pins), bool)
        kind = netlist.kind[netlist.pin_instance[pins]]
        number = pins - netlist.pin_start[netlist.pin_instance[pins]]
        for index, role in enumerate(self.roles):
            if role.complement:
                plain, other = role.complement
                found = (kind == index) & (number == other)
                pins[found] += plain - other
                inverted |= found
        return pins, inverted

    def path(self, net: int) -> list[int]:
        """Instances that lie between a net and its root, the nearest to the net first."""
        found = []
        while net != self.root[net]:
            found.append(int(self.netlist.pin_instance[self.driver[net]]))
            role = self.roles[self.netlist.kind[found[-1]]]
            into = role.repeats[0] if role.repeats else role.clock_pins[0]
            net = int(self.netlist.pin_net[self.netlist.pin_start[found[-1]] + into])
        return found
