"""The search for the best composition.

The cycle model and fitted models rank and prune compositions, and synthesis measures them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, log, log2, sqrt
from typing import Any

import numpy as np
from scipy.stats import norm

from rsaxcel.catalog.choices import AXES
from rsaxcel.eval.optimize.space import Composition, Objective, Space
from rsaxcel.flow.requests import OPERATION_COUNT
from rsaxcel.store.errors import RunError

#: Prior standard deviations of the model's weights. A weight is what a term, such as a choice,
#: contributes to the natural logarithm of a figure.
_LEVEL = 10.0
_WIDTH = 1.0
_MULTIPLIER = 1.0
_CHOICE = 0.4
_SLOPE = 0.5
_CURVE = 0.1
_WITH_MULTIPLIER = 0.12
_WIDTH_WITH_MULTIPLIER = 0.4
_PAIR = 0.05
_SYNTHESIS = 0.02  #: noise: synthesis may give different netlists of the same circuit

_MULTIPLIER_AXIS = "multiplier"
_LANES = "lanes"

#: Terms of a composition, each with its value and the prior standard deviation of its weight.
Terms = dict[tuple[Any, ...], tuple[float, float]]


class Model:
    """Bayesian linear regression of the logarithm of a figure over the terms of a composition.

    Terms: multiplier, each choice, logarithms of the width and of each numeric parameter, with
    their squares; and, with smaller prior deviations, pairs of choice and multiplier, and of two
    choices. Normal priors of the weights allow predictions after few measurements.
    """

    def __init__(self) -> None:
        self._measured: list[Terms] = []
        self._logs: list[float] = []

    def __bool__(self) -> bool:
        return bool(self._logs)

    def add(self, composition: Composition, figure: float) -> None:
        self._measured.append(terms(composition))
        self._logs.append(log(figure))

    def predict(self, compositions: Sequence[Composition]) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of the logarithm of the figure of each composition."""
        asked = [terms(composition) for composition in compositions]
        names = list(dict.fromkeys(name for row in (*self._measured, *asked) for name in row))
        known, wanted = (_matrix(rows, names) for rows in (self._measured, asked))
        own = (wanted**2).sum(axis=1)
        if not self._logs:
            return np.zeros(len(asked)), np.sqrt(own)
        logs = np.array(self._logs)
        level = logs.mean()
        covariance = known @ known.T + _SYNTHESIS**2 * np.eye(len(logs))
        across = wanted @ known.T
        solved = np.linalg.solve(covariance, across.T)
        mean = level + solved.T @ (logs - level)
        variance = own - (across * solved.T).sum(axis=1)
        return mean, np.sqrt(np.maximum(variance, 0) + _SYNTHESIS**2)


def terms(composition: Composition) -> Terms:
    """Return value and prior deviation of each term of a composition, by the term's name."""
    choices = dict(composition.coordinates)
    multiplier = choices.pop(_MULTIPLIER_AXIS)
    width = log(composition.configuration.nbits)
    found: Terms = {
        ("level",): (1.0, _LEVEL),
        ("width",): (width, _WIDTH),
        ("width", multiplier): (width, _WIDTH_WITH_MULTIPLIER),
        (multiplier,): (1.0, _MULTIPLIER),
    }
    for name, value in choices.items():
        if isinstance(value, int) and name != _LANES:
            found[name, multiplier, "slope"] = (log2(value), _SLOPE)
            found[name, multiplier, "curve"] = (log2(value) ** 2, _CURVE)
        else:
            found[name, value] = (1.0, _CHOICE)
        found[name, value, multiplier] = (1.0, _WITH_MULTIPLIER)
    pairs = [(x, y) for x in choices.items() for y in choices.items() if x[0] < y[0]]
    return found | dict.fromkeys(pairs, (1.0, _PAIR))


def _matrix(rows: Sequence[Terms], names: Sequence[tuple[Any, ...]]) -> np.ndarray:
    """Matrix with a row for each composition and a column for each term in ``names``."""
    # An element is the term's value times the prior deviation of its weight, so that every weight
    # of the scaled terms has a prior deviation of 1.
    columns = {name: number for number, name in enumerate(names)}
    matrix = np.zeros((len(rows), len(names)))
    for number, row in enumerate(rows):
        for name, (value, deviation) in row.items():
            matrix[number, columns[name]] = value * deviation
    return matrix


#: Measured figures of a composition: those of ``Objective.fitted``, and ``COST``.
Figures = Mapping[str, float]

#: Function that measures compositions side by side; a composition that fails has no figures.
Measure = Callable[[Sequence[Composition]], Mapping[Composition, Figures]]

#: Key of a measurement's CPU time in s among the figures; missing if the time is unknown.
COST = "cpu_seconds"

_DEVIATIONS = 2.0
_PROBED_FROM_NBITS = 64
_PROBES = (8, 4)
_LEAST_NBITS = 8
_SAVED_AFTER = 8
_LEAST_DEVIATION = 1e-6
_WORST = 1e3
# Share of the budget to spend. The rest is a margin, because the budget is computed from a forecast
# of the cost of measuring all compositions.
_PLANNED = 0.9
_SCREENED = 1  # operations per estimate; with most multipliers, cycles do not depend on the base


@dataclass(frozen=True)
class SearchLimits:
    #: the search ends if no remaining composition can be better by this share
    tolerance: float = 0.03
    budget: float = 0.25  #: share of the estimated CPU time to measure all compositions
    at_once: int = 2  #: number of measurements side by side


class Search:
    """Searches for the composition with the smallest value of an objective.

    The worth of a composition is its expected improvement divided by its cost, by fitted models.
    Each round measures those with the largest worth. Compositions whose lower bound does not beat
    the best value are pruned. The search ends when none is left, or the budget is spent.
    """

    def __init__(
        self,
        space: Space,
        objective: Objective,
        cycles: Callable[[Composition, int], float],
        measure: Measure,
        limits: SearchLimits,
        known: Mapping[Composition, Figures] | None = None,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        #: figures of the searched width's compositions, in the order of measurement
        self.measured: dict[Composition, Figures] = {}
        #: figures of compositions at other widths, to fit the models
        self.probes: dict[Composition, Figures] = {}
        self.failed: list[Composition] = []
        self.out_of_budget = False  #: whether the search ended because the budget was spent
        self.known = dict(known or {})  #: earlier measurements, at any width
        self._space, self._objective, self._limits = space, objective, limits
        self._measure, self._tell = measure, tell
        self.all = space.compositions
        self._mean_cycles = cycles
        tell(f"cycles of {len(self.all)} compositions, by the cycle model")
        self._cycles = {composition: cycles(composition, _SCREENED) for composition in self.all}
        self._models = {name: Model() for name in objective.fitted}
        self._costs = Model()
        self._surprise: list[float] = []
        self._of_kind: dict[str, list[Composition]] = defaultdict(list)
        for composition in self.all:
            self._of_kind[composition.coordinates[0][1]].append(composition)
        self._take(self.known)

    @property
    def best(self) -> Composition | None:
        """Best measured composition; None if no measured one meets the objective's limits."""
        fitting = [x for x in self.measured if isfinite(self.value(x))]
        return min(fitting, key=self.value, default=None)

    def check_best(self) -> None:
        """Raise ``RunError`` if no measured composition meets the objective's limits."""
        if self.best is None:
            limits = ", ".join(f"{k} {v:g}" for k, v in self._objective.most.items())
            raise RunError(f"none of {len(self.measured)} measured compositions meets {limits}")

    def value(self, composition: Composition) -> float:
        return self._objective.value(self.measured[composition], self._cycles[composition])

    def cost(self, compositions: Iterable[Composition]) -> float:
        """CPU time in s to measure compositions: measured, else estimated, else 1 s each."""
        listed = list(compositions)
        if not listed:
            return 0.0
        forecast = np.exp(self._costs.predict(listed)[0])
        figures = {**self.measured, **self.probes}
        return sum(figures.get(x, {}).get(COST, y) for x, y in zip(listed, forecast, strict=True))

    @property
    def knows_costs(self) -> bool:
        """Whether ``cost`` has the CPU time of at least one measurement to estimate others from."""
        return bool(self._costs)

    @property
    def synthesized(self) -> list[Composition]:
        """Compositions that the search itself measured, probes first."""
        both = [*self.probes, *self.measured]
        return [x for x in both if x not in self.known]

    @property
    def spent(self) -> float:
        """CPU time in s of the search's own measurements."""
        return self.cost(self.synthesized)

    @property
    def exhaustive(self) -> float:
        """CPU time in s to measure all compositions, estimated for those that are not measured."""
        return self.cost(self.all)

    def figures(self, composition: Composition) -> dict[str, float]:
        measured = self.measured[composition]
        return self._objective.figures(measured, self._cycles[composition])

    @property
    def left(self) -> list[Composition]:
        """Compositions that are neither measured nor failed."""
        done = {*self.measured, *self.failed}
        return [x for x in self.all if x not in done]

    def complete(self) -> None:
        left = self.left
        for start in range(0, len(left), _SAVED_AFTER):
            self._measure_all(left[start : start + _SAVED_AFTER])

    def run(self) -> None:
        """Search until all remaining compositions are pruned, or the budget is spent."""
        self._probe()
        while batch := self._next():
            best = self.best
            shown = f"best so far {best.point}, " if best else ""
            count = f"{len(self.measured)} of {len(self.all)} measured"
            self._tell(f"{shown}{count}; next {', '.join(x.point for x in batch)}")
            self._measure_all(batch)

    def _measure_all(self, batch: Sequence[Composition]) -> None:
        found = self._measure(batch)
        self.failed += [x for x in batch if x not in found]
        self._take(found)

    def _take(self, found: Mapping[Composition, Figures]) -> None:
        """Add the figures of compositions to the results and the models."""
        for composition, figures in found.items():
            own = composition.configuration.nbits == self._space.nbits
            if own and composition in self._cycles:
                self._note_surprise(composition, figures)
                self.measured[composition] = figures
                self._cycles[composition] = self._mean_cycles(composition, OPERATION_COUNT)
            else:
                self.probes[composition] = figures
            for name, model in self._models.items():
                model.add(composition, figures[name])
            if COST in figures:
                self._costs.add(composition, figures[COST])

    def _note_surprise(self, composition: Composition, figures: Figures) -> None:
        """Record by how many predicted standard deviations the models' predictions are wrong."""
        for name, model in self._models.items():
            if any(x.coordinates[0] == composition.coordinates[0] for x in self.measured):
                (mean,), (deviation,) = model.predict([composition])
                self._surprise.append((log(figures[name]) - mean) / deviation)

    @property
    def _spread(self) -> float:
        """Number of standard deviations to a lower bound; it grows with errors of predictions."""
        squares = [x * x for x in self._surprise]
        return _DEVIATIONS * max(1.0, sqrt(sum(squares) / len(squares)) if squares else 1.0)

    def _probe(self) -> None:
        """Measure one composition of each multiplier at narrow widths, if the width is large."""
        nbits = self._space.nbits
        if nbits < _PROBED_FROM_NBITS:
            return
        wanted: list[Composition] = []
        known = {(x.coordinates[0][1], x.configuration.nbits) for x in self.probes}
        for width in (max(_LEAST_NBITS, nbits // part) for part in _PROBES):
            there = {frozenset(x.coordinates): x for x in self._space.at(width).compositions}
            for multiplier in self._of_kind:
                first = there.get(frozenset(self._first(multiplier).coordinates))
                if first and (multiplier, width) not in known:
                    wanted.append(first)
        if wanted:
            self._tell(f"probes of {len(wanted)} narrower compositions")
            self._measure_all(wanted)

    def _first(self, multiplier: str) -> Composition:
        """First composition of a multiplier to measure: default parameters, fewest lanes."""

        def order(x: Composition) -> tuple[float, ...]:
            parameters = sum(name not in AXES for name in x.changed)
            return parameters, x.configuration.choices.lanes, self._cycles[x]

        return min(self._of_kind[multiplier], key=order)

    def _next(self) -> list[Composition]:
        """Compositions to measure next; empty at the end of the search."""
        left = self.left
        if not left:
            return []
        expected, bound = self._predict(left)
        best = self.best
        limit = log(self.value(best)) + log(1 - self._limits.tolerance) if best else inf
        order = np.argsort(-self._worth(left, expected, bound), kind="stable")
        hopeful = [left[i] for i in order if bound[i] < limit]
        return self._affordable(hopeful[: self._limits.at_once]) if hopeful else []

    def _worth(
        self, compositions: Sequence[Composition], expected: np.ndarray, bound: np.ndarray
    ) -> np.ndarray:
        """Return the expected improvement of each composition, divided by its cost."""
        best = self.best
        # The expected value is infinite if a composition is expected to exceed a limit. At its
        # bound the composition may meet the limit: then take the bound as the expected value.
        bound = np.minimum(bound, _WORST)
        expected = np.where(np.isfinite(expected), expected, bound)
        limit = log(self.value(best)) if best else expected.min()
        deviation = np.maximum((expected - bound) / _DEVIATIONS, _LEAST_DEVIATION)
        z = (limit - expected) / deviation
        improvement = deviation * (z * norm.cdf(z) + norm.pdf(z))
        return improvement / np.exp(self._costs.predict(compositions)[0])

    def _affordable(self, batch: list[Composition]) -> list[Composition]:
        """Return the part of a batch that fits the budget; the first batch is always allowed."""
        if not self.measured:
            return batch
        budget = _PLANNED * self._limits.budget * self.exhaustive
        while batch and self.spent + self.cost(batch) > budget:
            batch = batch[:-1]
        self.out_of_budget = not batch
        return batch

    def _predict(self, compositions: Sequence[Composition]) -> tuple[np.ndarray, np.ndarray]:
        fits = {name: model.predict(compositions) for name, model in self._models.items()}
        cycles = np.array([self._cycles[x] for x in compositions])
        return self._objective.predicted(fits, cycles, self._spread)
