"""The space of a design's faults: kinds, places in the netlist, and cycles of an operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rsaxcel.flow.gates.circuit import FaultKind
from rsaxcel.flow.gates.faults import FaultSimulator, Injection
from rsaxcel.flow.names import module_path, register_name, register_of

#: Kinds of faults by the names that users give.
KINDS: Mapping[str, tuple[FaultKind, ...]] = {
    "flip": (FaultKind.FLIP,),
    "stuck": (FaultKind.STUCK_AT_0, FaultKind.STUCK_AT_1),
    "skip": (FaultKind.SKIP,),
    "transient": (FaultKind.TRANSIENT,),
}

ALL = "all"  #: name that stands for all kinds

MEANINGS: Mapping[str, str] = {
    "flip": "a flip-flop is inverted in one cycle",
    "stuck": "a flip-flop is stuck at 0 or 1 from one cycle on",
    "skip": "a register, all its bits, misses the edge of the clock that begins one cycle",
    "transient": "the output of a gate is inverted in one cycle",
}

_NAME_OF = {kind: name for name, kinds in KINDS.items() for kind in kinds}

#: A fault: its kind, the number of its place, and its cycle from 1 (after acceptance) on.
Row = tuple[FaultKind, int, int]


def kinds_of(name: str) -> tuple[str, ...]:
    """Names of the kinds for a name that a user gives."""
    if name != ALL and name not in KINDS:
        raise ValueError(f"kind={name}: {', '.join((*KINDS, ALL))} are allowed")
    return tuple(KINDS) if name == ALL else (name,)


def name_of(kind: FaultKind) -> str:
    """Name of a kind as users give it."""
    return _NAME_OF[kind]


@dataclass(frozen=True)
class FaultPlace:
    """Place of faults: module instance, and register or gate in it."""

    module: str  #: path of the module instance
    name: str
    register: str = ""  #: name of the register with path; empty for a gate


class FaultPlaces:
    """Places of faults in a netlist: flip-flops, registers (skipped edges), gates (transients)."""

    def __init__(self, simulator: FaultSimulator) -> None:
        self._simulator = simulator
        registers: dict[str, list[int]] = {}
        for number, name in enumerate(self._bits):
            registers.setdefault(register_name(name), []).append(number)
        self._registers = registers

    @cached_property
    def _bits(self) -> Sequence[str]:
        return [register_of(instance.name) for instance in self._simulator.flip_flops]

    @cached_property
    def of_kind(self) -> Mapping[FaultKind, Sequence[FaultPlace]]:
        bits = [FaultPlace(module_path(x), x, register_name(x)) for x in self._bits]
        whole = [FaultPlace(module_path(x), x, x) for x in self._registers]
        gates = [FaultPlace(x.module, f"{x.name}.{pin}") for x, pin in self._simulator.gates]
        flips = {kind: bits for kind in FaultKind}
        return {**flips, FaultKind.SKIP: whole, FaultKind.TRANSIENT: gates}

    @cached_property
    def _skipped(self) -> Sequence[tuple[int, ...]]:
        return [tuple(numbers) for numbers in self._registers.values()]

    def injection(self, rows: Sequence[Row], start: int) -> Injection | None:
        """Return the faults of a run for the simulator; ``start``: cycle of the acceptance."""
        found: Injection | None = None
        for kind, place, cycle in reversed(rows):
            places = self._skipped[place] if kind is FaultKind.SKIP else (place,)
            found = Injection(kind, places, start + cycle, found)
        return found


@dataclass(frozen=True)
class FaultSpace:
    """All faults of some kinds, each at every place and in every cycle of an operation."""

    kinds: tuple[str, ...]
    counts: Mapping[FaultKind, int]  #: number of places of each kind
    cycles: int  #: cycles from acceptance to response

    @property
    def size(self) -> int:
        """Number of faults."""
        return sum(self._size(kind) for name in self.kinds for kind in KINDS[name])

    def _size(self, kind: FaultKind) -> int:
        return self.counts[kind] * self.cycles

    def at(self, index: int) -> Row:
        """Return the fault with a number below ``size``."""
        for name in self.kinds:
            for kind in KINDS[name]:
                if index < self._size(kind):
                    place, cycle = divmod(index, self.cycles)
                    return kind, place, cycle + 1
                index -= self._size(kind)
        raise IndexError(index)

    def draw(self, draw: np.random.Generator, count: int) -> list[Row]:
        """Draw faults: first the name of the kind, then kind, place and cycle, each uniformly.

        The first faults are the same whatever the count is. A fault may be drawn twice.
        """
        rows = []
        for first, second, third, cycle in draw.random((count, 4)).tolist():
            kinds = KINDS[self.kinds[int(first * len(self.kinds))]]
            kind = kinds[int(second * len(kinds))]
            rows.append((kind, int(third * self.counts[kind]), 1 + int(cycle * self.cycles)))
        return rows
