"""Counts of outcomes by module, kind and register, and bounds for outcomes that were not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from rsaxcel.lab.faults.campaign import Effect
from rsaxcel.lab.faults.target import FaultOutcome

LEAST_FAULTS = 20  #: least number of faults in a register whose share of wrong results is ranked

CONFIDENCE = 0.95

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True)
class Counts:
    """Number of faults by outcome, and number of faults whose wrong result gave a factor."""

    by_outcome: tuple[int, ...]
    factors: int = 0

    @property
    def total(self) -> int:
        """Number of faults."""
        return sum(self.by_outcome)

    def share(self, outcome: FaultOutcome) -> float:
        return self.by_outcome[outcome] / self.total

    def as_json(self) -> dict[str, int]:
        """Return the counts by name."""
        found = {x.label.replace(" ", "_"): self.by_outcome[x] for x in FaultOutcome}
        return {"faults": self.total, **found}


def count(effects: Iterable[Effect], factors: frozenset[int] = frozenset()) -> Counts:
    """Count outcomes; ``factors`` has the wrong results that give a factor of the modulus."""
    outcomes: Counter[FaultOutcome] = Counter()
    found = 0
    for effect in effects:
        outcomes[effect.answer.outcome] += 1
        found += is_factor(effect, factors)
    return Counts(tuple(outcomes[x] for x in FaultOutcome), found)


def is_factor(effect: Effect, factors: frozenset[int]) -> bool:
    """Whether an effect is a wrong result that gives a factor."""
    return effect.answer.outcome is FaultOutcome.WRONG and effect.answer.result in factors


def by(
    key: Callable[[Effect], _Key], effects: Iterable[Effect], factors: frozenset[int] = frozenset()
) -> dict[_Key, Counts]:
    """Count outcomes apart for each key."""
    groups: dict[_Key, list[Effect]] = {}
    for effect in effects:
        groups.setdefault(key(effect), []).append(effect)
    return {group: count(found, factors) for group, found in groups.items()}


def registers(effects: Iterable[Effect]) -> list[tuple[str, Counts]]:
    """Return registers by their share of wrong results, from ``LEAST_FAULTS`` faults on.

    Of two faults in a run, the first one counts.
    """
    in_registers = [effect for effect in effects if effect.first.place.register]
    counts = by(lambda effect: effect.first.place.register, in_registers)
    ranked = [
        (name, found)
        for name, found in counts.items()
        if found.total >= LEAST_FAULTS and found.by_outcome[FaultOutcome.WRONG]
    ]
    return sorted(ranked, key=lambda x: (-x[1].share(FaultOutcome.WRONG), -x[1].total, x[0]))


def bound(total: int) -> float:
    """Upper bound of the share of an outcome that none of ``total`` independent draws had.

    The exact one-sided bound of Clopper and Pearson at a confidence of 95 %; about 3 / total.
    """
    return 1 - (1 - CONFIDENCE) ** (1 / total)
