"""Random netlists of gates between registers, from the cells that the flow may use."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import cached_property
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import Library, LibraryCell, LookUpTable, Pin
from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.yosys_json import Bit

T = TypeVar("T")
Choose = Callable[[Sequence[T]], T]
"""Function that chooses one item of a sequence."""

_NAND, _XOR = BooleanFunction.parse("!(A & B)"), BooleanFunction.parse("A ^ B")


@dataclass(frozen=True, repr=False)
class Cells:
    """Cells of a library by kind.

    Parameters
    ----------
    library
        Library with exactly these cells.
    """

    library: Library

    @classmethod
    def of(cls, kit: Kit, library: Library) -> Cells:
        """Keep cells that synthesis may choose, and the ties and clock gates that it inserts."""
        ties = [tie[0] for tie in (kit.tie_high, kit.tie_low) if tie]
        unusable = library.unusable(kit.unusable)
        return cls(library).only(
            name
            for name, cell in library.cells.items()
            if name in ties
            or cell.clock_gate
            or not any(fnmatch(name, pattern) for pattern in unusable)
        )

    def only(self, names) -> Cells:
        """Keep the named cells only, in the order of the names."""
        cells = {name: self.library.cells[name] for name in names}
        return Cells(replace(self.library, cells=cells))

    def with_short_delays(self) -> Cells:
        """Give each delay 1 to 6 ps, so that many changes are at the same moment."""
        draw = random.Random(0)

        def short(pin: Pin) -> Pin:
            arcs = [replace(x, tables={e: _always(draw) for e in x.tables}) for x in pin.delay_arcs]
            return replace(pin, delay_arcs=tuple(arcs))

        cells = {
            name: replace(cell, pins={pin: short(x) for pin, x in cell.pins.items()})
            for name, cell in self.library.cells.items()
        }
        return Cells(replace(self.library, cells=cells))

    @cached_property
    def gates(self) -> list[LibraryCell]:
        """Combinational cells, ties included."""
        return [x for x in self.library.cells.values() if x.sequential is None and x.outputs]

    @cached_property
    def flip_flops(self) -> list[LibraryCell]:
        """Flip-flops on the rising edge; with clear or preset only if there are no others."""
        found = [
            cell
            for cell in self.library.cells.values()
            if (state := cell.sequential) is not None and state.kind == "ff"
        ]
        return [x for x in found if x.sequential.forced is None] or found

    @cached_property
    def clock_gates(self) -> list[LibraryCell]:
        """Clock gates for the rising edge."""
        return [cell for cell in self.library.cells.values() if cell.clock_gate]

    @cached_property
    def nand(self) -> LibraryCell:
        """A NAND gate of two inputs."""
        return self._first(_NAND)

    @cached_property
    def xor(self) -> LibraryCell:
        """An XOR gate of two inputs."""
        return self._first(_XOR)

    def _first(self, wanted: BooleanFunction) -> LibraryCell:
        for cell in self.gates:
            function = cell.outputs[0].function
            if function is not None and np.array_equal(function.table, wanted.table):
                return cell
        raise LookupError(f"no cell with the table {wanted.table}")


def _always(draw: random.Random) -> LookUpTable:
    """Draw a delay that depends on neither slew nor load."""
    return LookUpTable(np.zeros(1), np.zeros(1), np.array([[draw.randint(1, 6) * 1e-12]]))


class _Builder:
    """A netlist under construction; nets have numbers from 2 on."""

    def __init__(self, cells: Cells, choose: Choose) -> None:
        self.cells, self.choose = cells, choose
        self.count = 2
        self.instances: list[Instance] = []

    def nets(self, number: int) -> list[int]:
        self.count += number
        return list(range(self.count - number, self.count))

    def cell(self, cell: LibraryCell, inputs: Sequence[Bit], outputs: Sequence[int | None]) -> None:
        pins = [pin.name for pin in (*cell.inputs, *cell.outputs)]
        wires = dict(zip(pins, (*inputs, *outputs), strict=True))
        connected = {pin: bit for pin, bit in wires.items() if bit is not None}
        self.instances.append(Instance(f"g{len(self.instances)}", cell, connected))

    def gate(self, cell: LibraryCell, nets: Sequence[Bit]) -> list[int]:
        """Add a gate with inputs chosen from ``nets``; connect one of its outputs or all."""
        driven = self.nets(len(cell.outputs))
        connected = self.choose([driven, *([net] for net in driven)])
        outputs = [net if net in connected else None for net in driven]
        self.cell(cell, [self.choose(nets) for _ in cell.inputs], outputs)
        return connected

    def nand(self, a: Bit, b: Bit) -> int:
        (net,) = self.nets(1)
        self.cell(self.cells.nand, [a, b], [net])
        return net

    def xor(self, a: Bit, b: Bit) -> int:
        (net,) = self.nets(1)
        self.cell(self.cells.xor, [a, b], [net])
        return net

    def flip_flop(self, cell: LibraryCell, data: Bit, clock: int, outputs: Sequence[int]) -> None:
        state = cell.sequential
        assert state is not None
        pins = {**dict.fromkeys(state.next_state.pins, data), state.clock.pins[0]: clock}
        pins |= {pin: str(int(value)) for pin, value in cell.forcing_pins.items()}
        self.cell(cell, [pins[pin.name] for pin in cell.inputs], outputs)


def netlist_of(
    cells: Cells, kinds: Sequence[LibraryCell], width: int, registers: int, choose: Choose
) -> Netlist:
    """Connect gates at random, in the given order, between registers.

    An XOR with a recently driven net follows each gate: without XORs, toggles would die out after a
    few gates, and glitches would be rare.

    A request whose lowest bit is 1 waits for a cycle, so that lanes differ in their cycles. The
    response is valid in the cycle after the request is accepted.

    Parameters
    ----------
    cells, kinds
        The library's cells, and the cells of the gates.
    width
        Bits of a request, each with a register.
    registers
        Number of other registers, with gated clocks if the library has clock gates.
    choose
        Function that makes the random choices.
    """
    made = _Builder(cells, choose)
    clock, reset, valid, ready = made.nets(4)
    message = made.nets(width)
    clocks = [clock, *(made.nets(1)[0] for _ in cells.clock_gates[:2])]
    # Outputs of registers are made first, their inputs last, so that there are loops through them.
    held = []
    for _ in range(width + registers):
        flip_flop = choose(cells.flip_flops)
        held.append((flip_flop, made.nets(len(flip_flop.outputs))))
    nets: list[Bit] = ["0", "1", ready, *message, *(net for _, outputs in held for net in outputs)]
    for kind in kinds:
        driven = made.gate(kind, nets)
        nets += [*driven, made.xor(choose(driven), choose(nets[-10:]))]
    for position, (flip_flop, outputs) in enumerate(held):
        data = message[position] if position < width else choose(nets)
        made.flip_flop(flip_flop, data, choose(clocks), outputs)
    for gated in clocks[1:]:
        gate = choose(cells.clock_gates)
        assert gate.clock_gate is not None
        enable = gate.clock_gate.next_state.pins[0]
        choice = choose(nets)
        inputs = [choice if pin.name == enable else clock for pin in gate.inputs]
        made.cell(gate, inputs, [gated])
    # Ready at once, or after a cycle: ``waited`` is 1 after a cycle with a request.
    flip_flop = cells.flip_flops[0]
    waited, accepted = (made.nets(len(flip_flop.outputs)) for _ in range(2))
    fresh = made.nand(waited[0], waited[0])
    taking = made.nand(message[0], fresh)
    for outputs, other in ((waited, fresh), (accepted, taking)):
        both = made.nand(valid, other)
        made.flip_flop(flip_flop, made.nand(both, both), clock, outputs)
    ports: dict[str, tuple[str, list[Bit]]] = {
        "clk": ("input", [clock]),
        "reset": ("input", [reset]),
        "recv__val": ("input", [valid]),
        "send__rdy": ("input", [ready]),
        "recv__msg": ("input", [*message]),
        "recv__rdy": ("output", [taking]),
        "send__val": ("output", [accepted[0]]),
        "send__msg": ("output", nets[-width:]),
    }
    return Netlist(
        library=cells.library,
        top="top",
        instances=tuple(made.instances),
        ports={name: tuple(bits) for name, (_, bits) in ports.items()},
        directions={name: direction for name, (direction, _) in ports.items()},
        names={},
        clock_nets=frozenset(clocks),
        wires_f={},
    )


def random_netlist(cells: Cells, kinds: Sequence[LibraryCell], seed: int) -> Netlist:
    """Connect gates in an order drawn from a seed."""
    draw = random.Random(seed)
    return netlist_of(cells, draw.sample(kinds, len(kinds)), 8, 8, draw.choice)


def random_requests(netlist: Netlist, seed: int) -> list[list[int]]:
    """Draw two requests for each lane."""
    draw = random.Random(seed)
    width = len(netlist.ports["recv__msg"])
    return [[draw.getrandbits(width) for _ in range(2)] for _ in range(LANES)]


@st.composite
def netlists(draw, cells: Cells):
    """Draw a netlist of any gates of a library."""
    kinds = draw(st.lists(st.sampled_from(cells.gates), min_size=3, max_size=20))
    width, registers = draw(st.integers(2, 6)), draw(st.integers(0, 4))
    return netlist_of(cells, kinds, width, registers, lambda items: draw(st.sampled_from(items)))
