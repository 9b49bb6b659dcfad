"""Runs faults in blocks; results of blocks are kept, so that an interrupted run can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from math import ceil
from typing import Any

import numpy as np

from rsaxcel.circuit import Circuit
from rsaxcel.flow.gates.circuit import FaultKind
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.lab.blocks import Block
from rsaxcel.lab.faults.space import KINDS, FaultPlace, FaultSpace, Row, name_of
from rsaxcel.lab.faults.target import DEADLINE, FaultAnswer, FaultOutcome, FaultTarget, KeyOperation
from rsaxcel.store.folders import cache_root, keep_json, key_of

#: Largest space whose faults are all run unless a number of faults is asked for.
MOST_EXHAUSTIVE = 100_000

#: largest space whose faults can all be run: their outcomes are in memory together
MOST = 2_000_000

DRAWN = 20_000  #: number of faults drawn from a larger space unless another number is asked for

_IN_FLIP_FLOPS = ("flip", "stuck")
#: Gates times cycles that are simulated in a block.
_BLOCK_GATE_CYCLES = 5e9
_BLOCK_SECONDS = 5.0  #: rough time for them
_LONGEST_BLOCK = 256 * LANES


def least_flip_flops(configuration: Circuit) -> int:
    """Return the number of bits of a request, which a design keeps."""
    rules = configuration.rules
    modulus = rules.modulus_nbits if rules and not rules.constant_modulus else 0
    return configuration.nbits + configuration.exponent_nbits + modulus


def check_exhaustive(configuration: Circuit, operation: KeyOperation, kinds: Sequence[str]) -> None:
    """Refuse, before a netlist is made, kinds whose faults are surely too many to run all."""
    # Base, exponent and modulus come in one request, so that at least their bits are in flip-flops.
    of_bit = sum(len(KINDS[kind]) for kind in kinds if kind in _IN_FLIP_FLOPS)
    least = of_bit * least_flip_flops(configuration) * operation.cycles
    if least > MOST:
        raise ValueError(f"exhaustive: more than {least:,} faults; up to {MOST:,} are allowed")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, its place, and its cycle from 1 (after acceptance) on."""

    kind: FaultKind
    place: FaultPlace
    cycle: int

    def as_json(self) -> dict[str, Any]:
        about = {"kind": self.kind.name.lower(), "module": self.place.module}
        return {**about, "place": self.place.name, "cycle": self.cycle}


@dataclass(frozen=True, slots=True)
class Effect:
    """The faults of a run, and the end of its operation."""

    faults: tuple[Fault, ...]
    answer: FaultAnswer

    @property
    def first(self) -> Fault:
        return self.faults[0]

    @property
    def kind_name(self) -> str:
        return together(name_of(fault.kind) for fault in self.faults)


def together(names: Iterable[str]) -> str:
    """Name of the kinds of the faults of a run."""
    return " and ".join(names)


@dataclass(frozen=True)
class Campaign:
    """Faults of some kinds in one operation of a design, one or two in each run."""

    target: FaultTarget
    operation: KeyOperation
    kinds: tuple[str, ...]  #: names of the kinds, see space.KINDS
    count: int | None  #: faults to draw; None: every fault of the space once
    seed: int
    start: int  #: cycle in which the request is accepted
    second: tuple[str, ...] = ()  #: kinds of the second fault of each run; none: there is one fault

    @classmethod
    def of(
        cls,
        target: FaultTarget,
        operation: KeyOperation,
        kinds: tuple[str, ...],
        count: int | None,
        seed: int,
        exhaustive: bool = False,
        second: tuple[str, ...] = (),
    ) -> Campaign:
        """Run the operation without a fault, and plan its faults.

        All faults of the space are run if ``exhaustive``; if there are no more than ``count``; or,
        without ``count``, if there are at most ``MOST_EXHAUSTIVE``. Two faults are always drawn.
        """
        if count is not None and count < 1:
            raise ValueError(f"count={count}: at least 1")
        campaign = cls(target, operation, kinds, None, seed, target.start(operation), second)
        if second:
            return replace(campaign, count=count or DRAWN)
        size, limit = campaign.space.size, MOST_EXHAUSTIVE if count is None else count
        if exhaustive and size > MOST:
            raise ValueError(f"exhaustive: {size:,} faults; up to {MOST:,} are allowed")
        if exhaustive or size <= limit:
            return campaign
        return replace(campaign, count=count or DRAWN)

    @property
    def space(self) -> FaultSpace:
        """All faults of the kinds."""
        return self._space(self.kinds)

    def _space(self, kinds: tuple[str, ...]) -> FaultSpace:
        counts = {kind: len(found) for kind, found in self.target.places.of_kind.items()}
        return FaultSpace(kinds, counts, self.operation.cycles)

    @property
    def size(self) -> int:
        """Number of faults, or of pairs of faults, from which the runs are taken."""
        return self.space.size * (self._space(self.second).size if self.second else 1)

    @property
    def kind_names(self) -> list[str]:
        """Names of the kinds of a run's faults."""
        return [together(names) for names in product(*filter(None, (self.kinds, self.second)))]

    @property
    def exhaustive(self) -> bool:
        return self.count is None

    @property
    def total(self) -> int:
        """Number of runs."""
        return self.space.size if self.count is None else self.count

    def run(self, advance: Callable[[int], object] = lambda faults: None) -> list[Effect]:
        """Run all faults without kept results; ``advance`` gets the runs since its last call."""
        of_kind = self.target.places.of_kind
        effects: list[Effect] = []
        for number in range(self.block_count):
            rows, kept = self.block(number)
            answers = [FaultAnswer(FaultOutcome(a), int(r, 16), status) for a, r, status in kept]
            for those, answer in zip(rows, answers, strict=True):
                faults = (Fault(kind, of_kind[kind][place], cycle) for kind, place, cycle in those)
                effects.append(Effect(tuple(faults), answer))
            advance(len(rows))
        return effects

    @property
    def block_count(self) -> int:
        return ceil(self.total / self._block_size)

    def block(self, number: int) -> tuple[list[tuple[Row, ...]], Any]:
        """Return the faults of the runs of a block, and its results, which are kept."""
        rows = self._rows(number)
        kept = keep_json(cache_root(), self.entry(rows), partial(self._simulate, rows))
        return rows, kept

    def blocks(self, about: Callable[..., object], arguments: tuple[Any, ...]) -> list[Block]:
        """Blocks for workers; ``about``: function that makes blocks with ``arguments``."""
        name = f"fault {self.target.configuration.name}, block"
        memory_mb = 500 + 0.006 * len(self.target.simulator.netlist.instances)
        return [
            Block(
                f"{name} {number}",
                self.entry(self._rows(number)),
                about,
                arguments,
                number,
                _BLOCK_SECONDS,
                memory_mb,
            )
            for number in range(self.block_count)
        ]

    def entry(self, rows: Sequence[Sequence[Row]]) -> str:
        """Name of the entry with the results of faults."""
        key = key_of(self.target.digest, self.operation.operands, DEADLINE, rows)
        return f"faults-{self.target.configuration.name[:100]}-{key}"

    def _rows(self, block: int) -> list[tuple[Row, ...]]:
        """Return the faults of the runs of a block."""
        space, first = self.space, block * self._block_size
        count = min(self._block_size, self.total - first)
        if self.exhaustive:
            return [(space.at(index),) for index in range(first, first + count)]
        drawn = [space.draw(np.random.default_rng([self.seed, block]), count)]
        if self.second:
            draw = np.random.default_rng([self.seed, 2, block])
            drawn.append(self._space(self.second).draw(draw, count))
        return [*zip(*drawn, strict=True)]

    @cached_property
    def _block_size(self) -> int:
        gates = len(self.target.simulator.netlist.instances)
        batches = int(_BLOCK_GATE_CYCLES / (gates * self.operation.cycles * DEADLINE))
        return min(max(1, batches) * LANES, _LONGEST_BLOCK)

    def _simulate(self, rows: Sequence[Sequence[Row]]) -> list[Any]:
        """Outcome, result and status of each run, as values for JSON."""
        faults = [self.target.places.injection(those, self.start) for those in rows]
        answers = self.target.run([self.operation] * len(faults), faults, self.start)
        return [[int(x.outcome), f"{x.result:x}", x.status] for x in answers]
