"""A mapped netlist as arrays; each gate comes after the gates that it reads."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property
from itertools import chain, groupby
from typing import Any

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import NEXT, Library, LibraryCell, Pin, Sequential
from rsaxcel.flow.power.netlist import ClockBranch, Instance, Netlist
from rsaxcel.flow.yosys_json import Bit
from rsaxcel.sim.native.records import ForeignRecord

#: The state stays while the enable is 0.
HOLD = BooleanFunction.parse("(enable & next) | (!enable & state)")


@dataclass(frozen=True)
class Kernels:
    """The distinct functions of a library's cells (output or next state).

    Each has a kernel in C++.
    """

    tables: tuple[tuple[int, bytes], ...]  #: each function: number of inputs and truth table

    @classmethod
    def of(cls, library: Library) -> Kernels:
        """Collect the functions of all cells of a library, and ``HOLD``."""
        functions = [HOLD]
        for cell in library.cells.values():
            functions += [pin.function for pin in cell.outputs if pin.function is not None]
            if cell.sequential is not None:
                functions.append(cell.sequential.next_state)
                if cell.sequential.forced is not None:
                    functions.append(cell.sequential.forced)
        return cls(tuple(sorted({_key(function) for function in functions})))

    @cached_property
    def _numbers(self) -> dict[tuple[int, bytes], int]:
        return {table: number for number, table in enumerate(self.tables)}

    def number(self, function: BooleanFunction) -> int:
        """Return the number of the kernel of a function."""
        return self._numbers[_key(function)]

    def inputs(self, number: int) -> int:
        """Return the number of a kernel's inputs."""
        return self.tables[number][0]

    @cached_property
    def source(self) -> str:
        """C++ ``switch`` cases over the number of a kernel, for ``simulator.cpp``."""
        cases = []
        for number, (inputs, table) in enumerate(self.tables):
            function = np.frombuffer(table, bool).reshape((2,) * inputs)
            names = [f"PIN({i})" for i in range(inputs)]
            cases.append(f"KERNEL({number}, {expression(function, names)})")
        return "\n".join(cases) + "\n"


def _key(function: BooleanFunction) -> tuple[int, bytes]:
    return len(function.pins), np.asarray(function.table, bool).tobytes()


def expression(table: np.ndarray, names: Sequence[str]) -> str:
    """C++ expression for a truth table; the compiler merges repeated terms."""
    if table.all():
        return "ONES"
    if not table.any():
        return "ZEROS"
    name, rest = names[0], names[1:]
    low, high = (expression(table[value], rest) for value in (0, 1))
    if np.array_equal(table[0], table[1]):
        return low
    if np.array_equal(table[0], ~table[1]):
        return f"({name} ^ {low})"
    terms = {("ZEROS", "ONES"): name, ("ONES", "ZEROS"): f"~{name}"}
    if (low, high) in terms:
        return terms[low, high]
    if low == "ZEROS":
        return f"({name} & {high})"
    if high == "ZEROS":
        return f"(~{name} & {low})"
    if low == "ONES":
        return f"(~{name} | {high})"
    if high == "ONES":
        return f"({name} | {low})"
    return f"(({name} & {high}) | (~{name} & {low}))"


Driver = tuple[Instance, Pin, BooleanFunction]

#: Gives the number of a gate; the gates of a run have equal numbers.
Kind = Callable[[BooleanFunction, Driver | None], int]

_LOW, _HIGH = 0, 1
_CONSTANTS: dict[Bit, int] = {"0": _LOW, "1": _HIGH}


@dataclass(frozen=True, repr=False)
class GateCircuit:
    """A netlist as arrays, from which ``simulator.cpp`` computes the nets' values.

    A position is the index of a net's, or flip-flop state's, value in the simulator's array. A run
    is a group of gates that the simulator evaluates in one loop.
    """

    #: Position by the net's number. 0 and 1 are constants; nets without a gate, states and outputs
    #: of gates follow.
    nets: dict[int, int]
    net_count: int  #: number of positions
    first_state: int  #: position of the first flip-flop's state
    #: A row for each run: kernel (see Kernels), number of gates, index of the first operand,
    #: position of the first output. Gates of a run have one function, do not read each other, and
    #: have consecutive outputs.
    runs: np.ndarray
    #: Positions that gates read, for each run: first inputs of all its gates, then second inputs,
    #: and so on.
    operands: np.ndarray
    #: Position from which each flip-flop takes its next state, in the order of the states.
    states: np.ndarray
    flip_flops: tuple[Instance, ...]  #: flip-flops in the order of their states
    #: Instance, output and function of each gate, in the order of the runs; None for a gate inside
    #: a flip-flop.
    drivers: tuple[Driver | None, ...]
    kinds: np.ndarray  #: number that the argument `kind` of build_circuit gives, for each run

    @property
    def first_output(self) -> int:
        """Position of the first gate's output."""
        return self.first_state + len(self.states)


def build_circuit(
    netlist: Netlist, kernels: Kernels, kind: Kind = lambda function, driver: 0
) -> GateCircuit:
    """Order the gates of a netlist and return its arrays.

    ``FlowError`` for a combinational loop, a latch, or a clock that is not the rising edge of the
    clock port; buffers and one clock gate before a flip-flop are supported. An asynchronous clear
    or preset takes effect at the next edge: it is active during a reset alone, which has edges.
    """
    builder = _Builder(netlist, kernels, kind)
    for bit in chain.from_iterable(netlist.ports.values()):
        if isinstance(bit, int) and bit not in netlist.clock_nets:
            builder.position(bit)  # a position also for a net that only joins two ports
    for instance in netlist.instances:
        builder.add(instance)
    runs, operands, moved, order = builder.ordered()
    firsts = np.cumsum([0, *(count for _, count, _, _ in runs)])[:-1]
    states = moved[np.array(builder.states, np.int32).reshape(-1, 2)]
    return GateCircuit(
        nets={net: int(moved[at]) for net, at in builder.nets.items()},
        net_count=builder.count,
        first_state=builder.count - len(states) - len(order),
        runs=np.array(runs, np.int64).reshape(-1, 4),
        operands=moved[np.array(operands, np.int32)],
        states=states[:, 1].copy(),
        flip_flops=tuple(builder.flip_flops),
        drivers=tuple(builder.drivers[index] for index in order),
        kinds=np.array([builder.kinds[index] for index in order], np.int32)[firsts],
    )


class _Builder:
    def __init__(self, netlist: Netlist, kernels: Kernels, kind: Kind) -> None:
        self.kind = kind
        self.drivers: list[Driver | None] = []
        self.kinds: list[int] = []
        self.netlist = netlist
        self.kernel = cache(kernels.number)
        self.functions: dict[tuple[str, str], BooleanFunction] = {}
        self.clocks: Mapping[Any, ClockBranch] = netlist.clock_branches
        self.nets: dict[int, int] = {}
        self.count = 2
        self.states: list[tuple[int, int]] = []
        self.flip_flops: list[Instance] = []
        self.gates: list[tuple[int, tuple[int, ...], int]] = []

    def position(self, bit: Bit) -> int:
        if not isinstance(bit, int):
            return _CONSTANTS.get(bit, _LOW)
        if bit not in self.nets:
            self.nets[bit] = self.new()
        return self.nets[bit]

    def new(self) -> int:
        self.count += 1
        return self.count - 1

    def add(self, instance: Instance) -> None:
        wires = {pin: self.position(bit) for pin, bit in instance.nets.items()}
        sequential = instance.cell.sequential
        if sequential is not None:
            self.check(instance, sequential)
            if sequential.kind == "gate":
                return
            wires[sequential.state] = self.new()
            following = self.gate(sequential.next_state, wires)
            for enable in self.clocks[instance.nets[sequential.clock.pins[0]]].enables:
                following = self.gate(
                    HOLD,
                    {
                        "enable": self.position(enable),
                        "next": following,
                        "state": wires[sequential.state],
                    },
                )
            if sequential.forced is not None:
                following = self.gate(sequential.forced, {**wires, NEXT: following})
            self.states.append((wires[sequential.state], following))
            self.flip_flops.append(instance)
        for pin in instance.cell.outputs:
            if pin.name not in wires or instance.nets[pin.name] in self.netlist.clock_nets:
                continue
            function = self.function(instance.cell, pin)
            self.gate(function, wires, wires[pin.name], (instance, pin, function))

    def function(self, cell: LibraryCell, pin: Pin) -> BooleanFunction:
        """Return the function of an output; for a flip-flop, as a function of its state."""
        kept = self.functions.get((cell.name, pin.name))
        if kept is not None:
            return kept
        assert pin.function is not None  # each output that drives a net has a function
        self.functions[cell.name, pin.name] = cell.of_state(pin.function)
        return self.functions[cell.name, pin.name]

    def check(self, instance: Instance, sequential: Sequential) -> None:
        """Refuse registers unless they use the rising edge of the clock, gated at most once."""
        clocked = sequential.clock.pins
        branch = self.clocks.get(instance.nets[clocked[0]]) if len(clocked) == 1 else None
        most = 0 if sequential.kind == "gate" else 1
        if (
            sequential.kind not in ("ff", "gate")
            or branch is None
            or not sequential.clock.table[1]
            or branch.inverted
            or len(branch.enables) > most
        ):
            raise FlowError(
                f"gate-level simulation: {instance.name} ({instance.cell.name}) is not a "
                "flip-flop on only the rising edge of the clock"
            )

    def gate(
        self,
        function: BooleanFunction,
        wires: dict[str, int],
        output: int | None = None,
        driver: Driver | None = None,
    ) -> int:
        """Add a gate and return its output's position.

        Without ``output``, a buffer is its input.
        """
        inputs = tuple(wires[pin] for pin in function.pins)
        if output is None:
            if len(inputs) == 1 and bool(function.table[1]):
                return inputs[0]
            output = self.new()
        self.gates.append((self.kernel(function), inputs, output))
        self.drivers.append(driver)
        self.kinds.append(self.kind(function, driver))
        return output

    def ordered(self) -> tuple[list[tuple[int, int, int, int]], list[int], np.ndarray, list[int]]:
        """Order gates by level (longest distance from a register or port), then by kernel and kind.

        Return rows of ``Circuit.runs``, operands, new positions by the old ones, and the gates'
        order.
        """
        driver = {gate[2]: index for index, gate in enumerate(self.gates)}
        waiting = [0] * len(self.gates)
        readers: list[list[int]] = [[] for _ in self.gates]
        for index, (_, inputs, _) in enumerate(self.gates):
            for net in inputs:
                if net in driver:
                    readers[driver[net]].append(index)
                    waiting[index] += 1

        def group_of(index: int) -> tuple[int, int]:
            return self.gates[index][0], self.kinds[index]

        level = [index for index, count in enumerate(waiting) if count == 0]
        done: list[int] = []
        runs: list[tuple[int, int, int, int]] = []
        operands: list[int] = []
        states = [state for state, _ in self.states]
        driven = driver.keys() | set(states)
        order = [position for position in range(self.count) if position not in driven] + states
        while level:
            level.sort(key=group_of)
            done += level
            for (kernel, _), group in groupby(level, group_of):
                gates = [self.gates[index] for index in group]
                runs.append((kernel, len(gates), len(operands), len(order)))
                pins = zip(*(inputs for _, inputs, _ in gates), strict=True)
                operands += chain.from_iterable(pins)
                order += [output for _, _, output in gates]
            following = []
            for index in level:
                for reader in readers[index]:
                    waiting[reader] -= 1
                    if waiting[reader] == 0:
                        following.append(reader)
            level = following
        if len(order) < self.count:
            raise FlowError(f"gate-level simulation: {self.netlist.top} has a combinational loop")
        moved = np.empty(self.count, np.int32)
        moved[order] = np.arange(self.count, dtype=np.int32)
        return runs, operands, moved, done


class NetlistPort(ForeignRecord):
    """Nets of a port, least significant bit first."""

    _fields_ = (("nets", ctypes.POINTER(ctypes.c_int32)), ("nbits", ctypes.c_uint64))


class NetlistArrays(ForeignRecord):
    """A netlist for ``gates.h``; see ``Circuit`` for the first four fields.

    ``values`` has a word for each net with a bit for each lane (simulation). ``toggles`` and
    ``high`` count a net's toggles and its cycles at 1, and ``counted_cycles`` the cycles, over all
    lanes.
    """

    _fields_ = (
        ("runs", ctypes.POINTER(ctypes.c_int64)),
        ("operands", ctypes.POINTER(ctypes.c_int32)),
        ("states", ctypes.POINTER(ctypes.c_int32)),
        ("values", ctypes.POINTER(ctypes.c_uint64)),
        ("toggles", ctypes.POINTER(ctypes.c_uint64)),
        ("high", ctypes.POINTER(ctypes.c_uint64)),
        ("ports", ctypes.POINTER(NetlistPort)),
        *((n, ctypes.c_int64) for n in ("run_count", "first_state", "state_count", "reset_net")),
        ("counted_cycles", ctypes.c_uint64),
    )


class FaultKind(IntEnum):
    """Kind of a fault, in the order in which faults of one cycle take effect.

    ``SKIP``: the clock edge before the cycle has no effect. ``FLIP``: the state is inverted.
    ``STUCK_AT_0``, ``STUCK_AT_1``: in this and all later cycles. ``TRANSIENT``: a gate's output is
    inverted in the cycle.
    """

    SKIP = 0
    FLIP = 1
    STUCK_AT_0 = 2
    STUCK_AT_1 = 3
    TRANSIENT = 4


class LaneFault(ForeignRecord):
    """A fault in the lanes of a mask, at the position of a state or output.

    Cycle 0 follows the reset.
    """

    _fields_ = (
        ("cycle", ctypes.c_uint64),
        ("kind", ctypes.c_int64),
        ("position", ctypes.c_int64),
        ("run", ctypes.c_int64),
        ("lanes", ctypes.c_uint64),
    )


class FaultArrays(ForeignRecord):
    """A netlist with faults for ``faults.h``, sorted by cycle, kind and position."""

    _fields_ = (
        ("netlist", ctypes.POINTER(NetlistArrays)),
        ("faults", ctypes.POINTER(LaneFault)),
        ("count", ctypes.c_uint64),
    )
