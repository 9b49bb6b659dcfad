"""The search: Optuna proposes, the cycle model and a fitted model prune, synthesis confirms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite, log, sqrt

import numpy as np
from scipy.stats import norm

from catalog.choices import AXES
from eval.optimize.model import Model
from eval.optimize.objective import Objective
from eval.optimize.proposals import Proposer
from eval.optimize.space import Composition, Space, axes_values
from flow.requests import OPERATIONS

Figures = Mapping[str, float]
"""What is measured of a composition: see ``eval.optimize.objective.MODELLED``."""

Measure = Callable[[Sequence[Composition]], Mapping[Composition, Figures]]
"""Measures compositions side by side; one that fails has no figures."""

COST = "cpu_seconds"
"""Among the figures of a composition: what measuring it took, where that is known."""

_DEVIATIONS = 2.0
_PROBED_FROM_NBITS = 64
_PROBES = (8, 4)
_LEAST_NBITS = 8
_SAVED_AFTER = 8
_LEAST_DEVIATION = 1e-6
_WORST = 1e3
# What Optuna proposes is taken if it is worth so much of the best.
_WORTH_SHARE = 0.5
# The cost of all is a forecast: so much of the budget is planned with.
_PLANNED = 0.9
_SCREENED = 1  # operations; of few multipliers do cycles depend on the base


@dataclass(frozen=True)
class Limits:
    """When a search ends.

    Parameters
    ----------
    tolerance : float
        By how much what is left could at best be better, as a share.
    budget : float
        Processor time that may be spent, as a share of that of measuring all compositions, which
        the model of costs tells better and better.
    at_once : int
        Compositions that are measured side by side.
    seed : int
        Seed of the sampler.
    """

    tolerance: float = 0.03
    budget: float = 0.25
    at_once: int = 2
    seed: int = 0


@dataclass
class Found:
    """What a search has found.

    Parameters
    ----------
    measured : dict
        Figures of the compositions of the space that are measured, in their order.
    probes : dict
        Figures of narrower ones.
    failed : list of Composition
        Those that could not be measured.
    out_of_budget : bool
        Whether the search ended because it had spent its budget.
    """

    measured: dict[Composition, Figures] = field(default_factory=dict)
    probes: dict[Composition, Figures] = field(default_factory=dict)
    failed: list[Composition] = field(default_factory=list)
    out_of_budget: bool = False


class Search:
    """Looks for the composition with the least value of an objective.

    A model of the figures that synthesis gives is fitted to all that is measured, and another one
    to what that took. In each round the composition of the largest expected improvement by its
    cost, and others that Optuna's TPE sampler proposes and that are worth nearly as much, are
    measured, unless their bound says that they can't be better than the best one so far. The search
    ends where that holds for all that are left.

    Parameters
    ----------
    space : Space
        All compositions.
    objective : Objective
        What is to be least.
    cycles : callable
        Takes a composition and over how many operations; gives its mean cycles by the cycle model.
    measure : callable
        See ``Measure``.
    limits : Limits
        When to end.
    known : mapping of Composition to Figures
        What is measured already, at any width.
    tell : callable
        Takes a line on each round.
    """

    def __init__(
        self,
        space: Space,
        objective: Objective,
        cycles: Callable[[Composition, int], float],
        measure: Measure,
        limits: Limits,
        known: Mapping[Composition, Figures] | None = None,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.found = Found()
        self._space, self._objective, self._limits = space, objective, limits
        self._measure, self._tell = measure, tell
        self._all = space.compositions
        self._mean_cycles = cycles
        tell(f"cycles of {len(self._all)} compositions, by the cycle model")
        self._cycles = {composition: cycles(composition, _SCREENED) for composition in self._all}
        self._models = {name: Model() for name in objective.fitted}
        self._costs = Model()
        self._surprise: list[float] = []
        self._of_kind = {
            kind: [x for x in self._all if x.coordinates[0][1] == kind] for kind in self._kinds
        }
        self._proposer = Proposer(self._of_kind, limits.seed)
        self._known = dict(known or {})
        for composition, figures in self._known.items():
            self._take(composition, figures)

    @property
    def best(self) -> Composition | None:
        """The best one of those that are measured; None if none meets the limits."""
        fitting = [x for x in self.found.measured if isfinite(self.value(x))]
        return min(fitting, key=self.value, default=None)

    def value(self, composition: Composition) -> float:
        """Value of a measured composition."""
        return self._objective.value(self.found.measured[composition], self._cycles[composition])

    def cost(self, compositions: Iterable[Composition]) -> float:
        """Processor time in s of measuring compositions, by the model where it is not known.

        Where none is known at all, each counts as one.
        """
        listed = list(compositions)
        if not listed:
            return 0.0
        forecast = np.exp(self._costs.predict(listed)[0])
        figures = {**self.found.measured, **self.found.probes}
        return sum(figures.get(x, {}).get(COST, y) for x, y in zip(listed, forecast, strict=True))

    @property
    def knows_costs(self) -> bool:
        """Whether the processor time of anything is known; all else follows from that."""
        return bool(self._costs)

    @property
    def known(self) -> int:
        """How many figures were known before, at any width."""
        return len(self._known)

    @property
    def synthesized(self) -> list[Composition]:
        """What the search had measured, probes first; what was known before is not among it."""
        both = [*self.found.probes, *self.found.measured]
        return [x for x in both if x not in self._known]

    @property
    def spent(self) -> float:
        """Processor time in s of what the search had measured."""
        return self.cost(self.synthesized)

    @property
    def exhaustive(self) -> float:
        """Processor time in s of measuring all compositions."""
        return self.cost(self._all)

    @property
    def proposals(self) -> int:
        """Compositions that Optuna proposed."""
        return self._proposer.proposals

    @property
    def pruned(self) -> int:
        """Those of them that were pruned, or did not fit."""
        return self._proposer.proposals - self._proposer.taken

    @property
    def size(self) -> int:
        """How many compositions there are."""
        return len(self._all)

    def figures(self, composition: Composition) -> dict[str, float]:
        """Area, time and energy of a measured composition."""
        measured = self.found.measured[composition]
        return self._objective.figures(measured, self._cycles[composition])

    @property
    def left(self) -> list[Composition]:
        """Compositions that nothing is known of, and that did not fail."""
        done = {*self.found.measured, *self.found.failed}
        return [x for x in self._all if x not in done]

    def complete(self) -> None:
        """Measure all that is left."""
        left = self.left
        for start in range(0, len(left), _SAVED_AFTER):
            batch = left[start : start + _SAVED_AFTER]
            for composition, figures in self._measured(batch).items():
                self._take(composition, figures)

    def run(self) -> Found:
        """Search until the limits are reached."""
        self._probe()
        while batch := self._next():
            best = self.best
            shown = f"best so far {best.point}, " if best else ""
            count = len(self.found.measured)
            self._tell(f"{shown}{count} of {len(self._all)} measured; next {_named(batch)}")
            for composition, figures in self._measured(batch).items():
                self._take(composition, figures)
        return self.found

    @property
    def _kinds(self) -> list[str]:
        """Multipliers of the space."""
        return list(axes_values(self._all)["multiplier"])

    def _measured(self, batch: Sequence[Composition]) -> Mapping[Composition, Figures]:
        figures = self._measure(batch)
        self.found.failed += [x for x in batch if x not in figures]
        return figures

    def _take(self, composition: Composition, figures: Figures) -> None:
        """Take what is measured into the models and the study."""
        own = composition.configuration.nbits == self._space.nbits
        if own and composition in self._cycles:
            self._note_surprise(composition, figures)
            self.found.measured[composition] = figures
            self._cycles[composition] = self._mean_cycles(composition, OPERATIONS)
            value = self.value(composition)
            if isfinite(value):
                self._proposer.learn(composition, log(value))
        else:
            self.found.probes[composition] = figures
        for name, model in self._models.items():
            model.add(composition, figures[name])
        if COST in figures:
            self._costs.add(composition, figures[COST])

    def _note_surprise(self, composition: Composition, figures: Figures) -> None:
        """Note by how many deviations the models were wrong."""
        for name, model in self._models.items():
            if any(x.coordinates[0] == composition.coordinates[0] for x in self.found.measured):
                (mean,), (deviation,) = model.predict([composition])
                self._surprise.append((log(figures[name]) - mean) / deviation)

    @property
    def _spread(self) -> float:
        """Deviations of a bound; more where the models were wrong by more than they thought."""
        squares = [x * x for x in self._surprise]
        return _DEVIATIONS * max(1.0, sqrt(sum(squares) / len(squares)) if squares else 1.0)

    def _probe(self) -> None:
        """Measure one composition of each multiplier at narrow widths, where wide ones are dear."""
        nbits = self._space.nbits
        if nbits < _PROBED_FROM_NBITS:
            return
        wanted: list[Composition] = []
        known = {(x.coordinates[0][1], x.configuration.nbits) for x in self.found.probes}
        for width in (max(_LEAST_NBITS, nbits // part) for part in _PROBES):
            there = {frozenset(x.coordinates): x for x in self._space.at(width).compositions}
            for multiplier in self._kinds:
                first = there.get(frozenset(self._first(multiplier).coordinates))
                if first and (multiplier, width) not in known:
                    wanted.append(first)
        if wanted:
            self._tell(f"probes of {len(wanted)} narrower compositions")
            for composition, figures in self._measured(wanted).items():
                self._take(composition, figures)

    def _first(self, multiplier: str) -> Composition:
        """Composition of a multiplier to begin with: its defaults, on the fewest lanes."""

        def order(x: Composition) -> tuple[float, ...]:
            parameters = sum(name not in AXES for name in x.changed)
            return parameters, x.configuration.choices.lanes, self._cycles[x]

        return min(self._of_kind[multiplier], key=order)

    def _next(self) -> list[Composition]:
        """Compositions to measure next; none where the search is at its end."""
        left = self.left
        if not left:
            return []
        expected, bound = self._predict(left)
        best = self.best
        limit = log(self.value(best)) + log(1 - self._limits.tolerance) if best else inf
        hopeful = {x for x, low in zip(left, bound, strict=True) if low < limit}
        if not hopeful:
            return []
        worth = self._worth(left, expected, bound)
        ranked = [left[i] for i in np.argsort(-worth, kind="stable") if left[i] in hopeful]
        least = _WORTH_SHARE * max(y for x, y in zip(left, worth, strict=True) if x in hopeful)
        worthy = {x for x, y in zip(left, worth, strict=True) if x in hopeful and y >= least}
        chosen = ranked[:1]
        forecast = dict(zip(left, expected, strict=True))
        while len(chosen) < min(self._limits.at_once, len(hopeful)):
            other = self._proposer.propose(worthy - set(chosen), forecast)
            chosen.append(other or next(x for x in ranked if x not in chosen))
        return self._affordable(chosen)

    def _worth(
        self, compositions: Sequence[Composition], expected: np.ndarray, bound: np.ndarray
    ) -> np.ndarray:
        """Improvement to be expected of each composition, by its cost."""
        best = self.best
        # What is expected to break a limit may keep it at its bound; what breaks it there does not.
        bound = np.minimum(bound, _WORST)
        expected = np.where(np.isfinite(expected), expected, bound)
        limit = log(self.value(best)) if best else expected.min()
        deviation = np.maximum((expected - bound) / _DEVIATIONS, _LEAST_DEVIATION)
        z = (limit - expected) / deviation
        improvement = deviation * (z * norm.cdf(z) + norm.pdf(z))
        return improvement / np.exp(self._costs.predict(compositions)[0])

    def _affordable(self, batch: list[Composition]) -> list[Composition]:
        """Begin of a batch that the budget allows; the first measurement is always allowed."""
        if not self.found.measured:
            return batch
        budget = _PLANNED * self._limits.budget * self.exhaustive
        while batch and self.spent + self.cost(batch) > budget:
            batch = batch[:-1]
        self.found.out_of_budget = not batch
        return batch

    def _predict(self, compositions: Sequence[Composition]) -> tuple[np.ndarray, np.ndarray]:
        fits = {name: model.predict(compositions) for name, model in self._models.items()}
        cycles = np.array([self._cycles[x] for x in compositions])
        return self._objective.predicted(fits, cycles, self._spread)


def _named(batch: Iterable[Composition]) -> str:
    return ", ".join(composition.point for composition in batch)
