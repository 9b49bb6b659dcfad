"""Runs faults in blocks; results of blocks are kept, so that an interrupted run can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rsaxcel.circuit import Circuit
from rsaxcel.flow.gates.circuit import FaultKind
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.lab.faults.operation import KeyOperation
from rsaxcel.lab.faults.space import KINDS, FaultPlace, FaultSpace, Row, name_of
from rsaxcel.lab.faults.target import DEADLINE, FaultAnswer, FaultOutcome, FaultTarget
from rsaxcel.store.folders import cache_root, keep_json, key_of

MOST_EXHAUSTIVE = 100_000
"""Largest space whose faults are all run unless a number of faults is asked for."""

#: largest space whose faults can all be run: their outcomes are in memory together
MOST = 2_000_000

DRAWN = 20_000  #: number of faults drawn from a larger space unless another number is asked for

_IN_FLIP_FLOPS = ("flip", "stuck")
#: Gates times cycles that are simulated in a block: about 5 s.
_BLOCK_GATE_CYCLES = 5e9
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
class Effect:
    """A fault, its place, and the end of the operation."""

    kind: FaultKind
    place: FaultPlace
    cycle: int
    answer: FaultAnswer

    @property
    def kind_name(self) -> str:
        return name_of(self.kind)


@dataclass(frozen=True)
class Campaign:
    """Faults of some kinds in one operation of a design."""

    target: FaultTarget
    operation: KeyOperation
    kinds: tuple[str, ...]  #: names of the kinds, see space.KINDS
    count: int | None  #: faults to draw; None: every fault of the space once
    seed: int
    start: int  #: cycle in which the request is accepted

    @classmethod
    def of(
        cls,
        target: FaultTarget,
        operation: KeyOperation,
        kinds: tuple[str, ...],
        count: int | None,
        seed: int,
        exhaustive: bool = False,
    ) -> Campaign:
        """Run the operation without a fault, and plan its faults.

        All faults of the space are run if ``exhaustive``; if there are no more than ``count``; or,
        without ``count``, if there are at most ``MOST_EXHAUSTIVE``.
        """
        if count is not None and count < 1:
            raise ValueError(f"count={count}: at least 1")
        campaign = cls(target, operation, kinds, None, seed, target.start(operation))
        size, limit = campaign.space.size, MOST_EXHAUSTIVE if count is None else count
        if exhaustive and size > MOST:
            raise ValueError(f"exhaustive: {size:,} faults; up to {MOST:,} are allowed")
        if exhaustive or size <= limit:
            return campaign
        return cls(target, operation, kinds, count or DRAWN, seed, campaign.start)

    @property
    def space(self) -> FaultSpace:
        """All faults of the kinds."""
        counts = {kind: len(found) for kind, found in self.target.places.of_kind.items()}
        return FaultSpace(self.kinds, counts, self.operation.cycles)

    @property
    def exhaustive(self) -> bool:
        return self.count is None

    @property
    def total(self) -> int:
        """Number of faults."""
        return self.space.size if self.count is None else self.count

    def run(self, advance: Callable[[int], object] = lambda faults: None) -> list[Effect]:
        """Run all faults without kept results; ``advance`` gets the number since its last call."""
        of_kind = self.target.places.of_kind
        effects: list[Effect] = []
        for rows, name in self._blocks():
            kept = keep_json(cache_root(), name, partial(self._simulate, rows))
            answers = [FaultAnswer(FaultOutcome(a), int(r, 16), status) for a, r, status in kept]
            for (kind, place, cycle), answer in zip(rows, answers, strict=True):
                effects.append(Effect(kind, of_kind[kind][place], cycle, answer))
            advance(len(rows))
        return effects

    def _blocks(self) -> Iterator[tuple[list[Row], str]]:
        """Yield the faults of each block, and the name of its results in the store."""
        space, total, size = self.space, self.total, self._block_size
        for block, first in enumerate(range(0, total, size)):
            count = min(size, total - first)
            if self.exhaustive:
                rows = [space.at(index) for index in range(first, first + count)]
            else:
                rows = space.draw(np.random.default_rng([self.seed, block]), count)
            key = key_of(self.target.digest, self.operation.operands, DEADLINE, rows)
            yield rows, f"faults-{self.target.configuration.name[:100]}-{key}"

    @property
    def _block_size(self) -> int:
        gates = len(self.target.simulator.netlist.instances)
        batches = int(_BLOCK_GATE_CYCLES / (gates * self.operation.cycles * DEADLINE))
        return min(max(1, batches) * LANES, _LONGEST_BLOCK)

    def _simulate(self, rows: Sequence[Row]) -> list[Any]:
        """Outcome, result and status of each fault, as values for JSON."""
        faults = [self.target.places.injection(row, self.start) for row in rows]
        answers = self.target.run([self.operation] * len(faults), faults, self.start)
        return [[int(x.outcome), f"{x.result:x}", x.status] for x in answers]
