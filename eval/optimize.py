"""Search for the best composition: all compositions are estimated, a few are synthesized.

The cycle model and fitted models rank and prune compositions, and synthesis measures them. Earlier
measurements are found by their facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import exp, inf, isfinite, log, log2, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from rsaxcel import catalog
from rsaxcel.catalog import Configuration, Design
from rsaxcel.catalog.choices import AXES, OWN_AXES
from rsaxcel.eval.facts.fact import DERIVED, OPERATIONS, Fact
from rsaxcel.eval.facts.points import BUILD, find_configuration, point_name
from rsaxcel.eval.facts.table import Facts, read_facts
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.measure.errors import Failure
from rsaxcel.eval.measure.flows import at_activity, at_layout, flow, outline
from rsaxcel.eval.measure.job import Measurement, Progress
from rsaxcel.flow.layout import NOT_PLACED, Layout
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, operations, usual_exponents
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.schedules import EXPONENT_NBITS, SCHEDULES
from rsaxcel.store.errors import RunError, UserError
from rsaxcel.store.places import make_folder
from rsaxcel.store.shown import choices_text

MOST_LANES = 2
#: Name that stands for all parameters of multiplier, units and schedule in ``Space.vary``.
PARAMETERS = "parameters"

_MOST_VALUES = 16
#: Parameters that change what the circuit computes, not only how it does so. ``PARAMETERS`` does
#: not include them.
_GIVEN = ("modulus", "cofactor", EXPONENT_NBITS.name)


@dataclass(frozen=True, eq=False)
class Composition:
    """A configuration with its coordinates in a space."""

    configuration: Configuration
    #: values of multiplier, varied axes and parameters, which identify the composition
    coordinates: tuple[tuple[str, Any], ...]

    @property
    def subject(self) -> str:
        """Name of the design that the composition changes."""
        return self.configuration.design_name

    @property
    def changed(self) -> dict[str, Any]:
        """Choices and parameters that differ from those of the design."""
        return self.configuration.changed

    @cached_property
    def point(self) -> str:
        """Name in tables: design, width and changes, such as ``mont_r2l:32,schedule=window``."""
        nbits = self.configuration.nbits
        return point_name(self.subject, nbits, choices_text(self.changed))


@dataclass(frozen=True)
class Space:
    """Fixed and varied choices of a search, at a width.

    If a parameter has many values, only the powers of two and the default are tried.
    """

    nbits: int
    fixed: Mapping[str, str]  #: fixed choices, as users type them
    multipliers: Sequence[str] = ()  #: allowed multipliers; empty: all that support any modulus
    #: axes and parameters to vary, besides multiplier, schedule and lanes; PARAMETERS: all
    vary: Sequence[str] = ()
    #: operations that count; too narrow exponents are left out, as a refused request takes few
    #: cycles
    operations: Sequence[str] = OPERATIONS

    @cached_property
    def compositions(self) -> tuple[Composition, ...]:
        """All valid compositions, each once, ordered by multiplier."""
        found: dict[Any, Composition] = {}
        for composition in self._all():
            found.setdefault(composition.configuration.choices, composition)
        return tuple(found.values())

    @property
    def reason(self) -> str:
        """Error of the first design that refuses the fixed choices, if the space is empty."""
        for name in self.multipliers or _any_modulus():
            try:
                catalog.first_design(name).configure(self.nbits, **self.fixed)
            except ValueError as error:
                return str(error)
        asked = " or ".join(self.operations)
        return f"no schedule with these choices takes the exponent of {asked}"

    def at(self, nbits: int) -> Space:
        return self if nbits == self.nbits else replace(self, nbits=nbits)

    def find(self, configuration: Configuration) -> Composition | None:
        """Return the composition with the same circuit as a configuration, or None."""
        return self._by_choices.get(configuration.choices)

    @cached_property
    def _by_choices(self) -> dict[Any, Composition]:
        return {c.configuration.choices: c for c in self.compositions}

    def _all(self) -> Iterator[Composition]:
        for name in self.multipliers or _any_modulus():
            design = catalog.first_design(name)
            if self.nbits in design.widths:
                yield from self._of(design)

    def _of(self, design: Design) -> Iterator[Composition]:
        known = axes()
        usual = {"schedule": tuple(SCHEDULES), "lanes": tuple(range(1, MOST_LANES + 1))}
        # Without a choice on it, a composition that lacks an axis is in the space, too.
        varied = usual | {name: (None, *known[name]) for name in self.vary if name in known}
        tried = {name: values for name, values in varied.items() if name not in self.fixed}
        for choices in product(*tried.values()):
            asked = {x: y for x, y in zip(tried, choices, strict=True) if y is not None}
            if (first := self._configure(design, asked)) is None:
                continue
            for values in self._values(first):
                configuration = self._configure(design, asked | values)
                if configuration is not None:
                    yield Composition(configuration, _coordinates(configuration, varied, values))

    def _configure(self, design: Design, asked: Mapping[str, Any]) -> Configuration | None:
        try:
            configuration = design.configure(self.nbits, **{**self.fixed, **asked})
        except ValueError:  # the choices exclude each other
            return None
        most = max(default_exponents(self.nbits)[x].bit_length() for x in self.operations)
        return configuration if most <= configuration.exponent_nbits else None

    def _values(self, configuration: Configuration) -> Iterator[dict[str, Any]]:
        """Yield all combinations of values of the varied parameters."""
        every = PARAMETERS in self.vary
        varied = [
            p
            for p in configuration.parameters
            if (p.name in self.vary or (every and p.name not in _GIVEN))
            and p.name not in self.fixed
        ]
        for values in product(*(sampled(p, self.nbits) for p in varied)):
            yield dict(zip((p.name for p in varied), values, strict=True))


def axes() -> dict[str, Mapping[str, str]]:
    """Every axis with its choices, those of ``OWN_AXES`` with the usual choice first."""
    return {**catalog.axes(), **OWN_AXES}


def sampled(parameter: Parameter, nbits: int) -> list[Any]:
    """Values of a parameter to try: all, or the default and powers of two in a long range."""
    allowed = parameter.allowed(nbits)
    if not isinstance(allowed, range):
        return list(allowed)
    if len(allowed) <= _MOST_VALUES and allowed[-1] <= _MOST_VALUES:
        return list(allowed)
    powers = {1 << i for i in range(allowed[-1].bit_length())} & set(allowed)
    return sorted(powers | {parameter.default(nbits)})


def _any_modulus() -> list[str]:
    entries = catalog.multipliers().items()
    return [name for name, entry in entries if not entry.default.constant_modulus]


def _coordinates(
    configuration: Configuration, varied: Iterable[str], values: Mapping[str, Any]
) -> tuple[tuple[str, Any], ...]:
    """Coordinates of a configuration: multiplier, its choices on varied axes, and ``values``."""
    usual = {name: next(iter(tokens)) for name, tokens in OWN_AXES.items()}
    tokens = usual | configuration.choices.tokens
    named = {"multiplier": tokens["multiplier"]} | {x: tokens[x] for x in varied if x in tokens}
    return tuple({**named, **values}.items())


#: Areas that an objective can count: the sum of the cells, or the core of placed circuits.
CELLS, CORE = "area_um2", "core_area_um2"

_PERIOD, _PER_CYCLE = "min_period_ns", "energy_nj_per_cycle"

_AREA = "area"
#: products of figures; area stands for CELLS or CORE
OBJECTIVES = {
    "area_time": (_AREA, "time_us"),
    "time": ("time_us",),
    "area": (_AREA,),
    "energy": ("energy_nj",),
}

#: Factors of each figure: the figure is their product, times a factor of ``_SCALES`` if it has one.
_FACTORS = {
    CELLS: (CELLS,),
    CORE: (CORE,),
    "time_us": (_PERIOD, "cycles"),
    "energy_nj": (_PER_CYCLE, "cycles"),
}
_SCALES = {"time_us": 1e-3}
_UNITS = {"area_time": "um2 us", "time": "us", "area": "um2", "energy": "nJ"}


@dataclass(frozen=True)
class Objective:
    """The figure to minimize, with limits."""

    name: str  #: key of OBJECTIVES
    clock_ns: float  #: lower bound for the period; 0: each composition has its own
    most: Mapping[str, float]  #: upper limits of the area, time_us and energy_nj
    area: str = CELLS  #: CELLS or CORE

    @property
    def factors(self) -> tuple[str, ...]:
        """Figures whose product is the objective."""
        return tuple(self.area if x == _AREA else x for x in OBJECTIVES[self.name])

    @property
    def columns(self) -> tuple[str, ...]:
        """Figures by which the Pareto front is formed."""
        more = ("energy_nj",) if self.needs_energy else ()
        return ("time_us", self.area, *more)

    @property
    def needs_energy(self) -> bool:
        """Whether energy must be measured, which takes more time than synthesis."""
        return self.name == "energy" or "energy_nj" in self.most

    @property
    def fitted(self) -> tuple[str, ...]:
        """Figures that fitted models have to predict; cycles come from the cycle model."""
        more = (_PER_CYCLE,) if self.needs_energy else ()
        return (self.area, _PERIOD, *more)

    @property
    def unit(self) -> str:
        return _UNITS[self.name]

    def figures(self, measured: Mapping[str, float], cycles: float) -> dict[str, float]:
        """Return area, time and energy (if needed) from measured figures and cycles."""
        period_ns = max(measured[_PERIOD], self.clock_ns)
        found = {self.area: measured[self.area], "time_us": cycles * period_ns / 1e3}
        if self.needs_energy:
            found["energy_nj"] = measured[_PER_CYCLE] * cycles
        return found

    def value(self, measured: Mapping[str, float], cycles: float) -> float:
        """Return the objective's value from measured figures; infinite if a limit is exceeded."""
        figures = self.figures(measured, cycles)
        if any(figures[name] > most for name, most in self.most.items()):
            return inf
        return exp(sum(log(figures[name]) for name in self.factors))

    def predicted(
        self, fits: Mapping[str, tuple[Any, Any]], cycles: Any, deviations: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Predict the logarithm of each composition's value, and a lower bound of it.

        Both are infinite beyond a limit. ``fits``: mean and deviation of each logarithm;
        ``deviations``: number of standard deviations from the prediction to the bound.
        """
        shortest = log(self.clock_ns) if self.clock_ns else -inf
        means = {name: mean for name, (mean, _) in fits.items()} | {"cycles": np.log(cycles)}
        means[_PERIOD] = np.maximum(means[_PERIOD], shortest)
        spread = {name: deviation for name, (_, deviation) in fits.items()}

        def bounded(name: str) -> tuple[np.ndarray, np.ndarray]:
            """Mean and variance of the logarithm of a product of independent factors."""
            factors = _FACTORS[name]
            mean = sum(means[x] for x in factors) + log(_SCALES.get(name, 1.0))
            return mean, sum(spread[x] ** 2 for x in factors if x in spread)

        parts = [bounded(name) for name in self.factors]
        expected = sum(mean for mean, _ in parts)
        bound = expected - deviations * np.sqrt(sum(variance for _, variance in parts))
        for name, most in self.most.items():
            mean, variance = bounded(name)
            bound = np.where(mean - deviations * np.sqrt(variance) > log(most), inf, bound)
            expected = np.where(mean > log(most), inf, expected)
        return np.asarray(expected), np.asarray(bound)


#: Prior standard deviations of the model's weights. A weight is what a term, such as a choice,
#: contributes to the natural logarithm of a figure.
_LEVEL = 10.0
_WIDTH = 1.0
_PRIOR_MULTIPLIER = 1.0
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
        (multiplier,): (1.0, _PRIOR_MULTIPLIER),
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
MeasureBatch = Callable[[Sequence[Composition]], Mapping[Composition, Figures]]

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
        measure: MeasureBatch,
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


FOLDER = BUILD / "optimize"  #: folder of the facts, with a folder for each width

#: Quantity of a measurement's CPU time, by whether the whole flow is run.
_COST_QUANTITY = {False: "synthesis_cpu_seconds", True: "flow_cpu_seconds"}


def mean_cycles(composition: Composition, operation: str, count: int) -> float:
    """Mean cycles of ``count`` operations of the standard workload, by the cycle model."""
    configuration = composition.configuration
    exponent = default_exponents(configuration.nbits)[operation]
    return fmean(x.cycles for x in operations(configuration, exponent, count))


@dataclass
class Measuring:
    """Measures compositions side by side, and writes the facts after each batch."""

    library: str
    clock_ns: float | None
    operation: str  #: operation whose cycles and energy the search uses
    energy: bool  #: True: whole flow; False: synthesis and timing only
    activity: str  #: activity: timed or zero
    folder: Path  #: folder of facts.parquet and facts.csv, in which earlier facts stay
    progress: Progress
    #: layout; of placed circuits, the area is the core's, and the whole flow runs
    layout: Layout = NOT_PLACED
    failures: list[Failure] = field(default_factory=list)

    def __call__(self, batch: Sequence[Composition]) -> Mapping[Composition, Figures]:
        """Measure a batch; a composition that fails has no figures, a missing tool ends all."""
        found, failures = collect([self._measurement(x) for x in batch], self.progress)
        for failure in failures:
            if failure.setup and not found:
                raise UserError(failure.message)
        self.failures += failures
        by_point = defaultdict(list)
        for fact in found:
            by_point[fact.subject, fact.nbits, fact.choices].append(fact)
        figures = {}
        for composition in batch:
            own = by_point[_key(composition)]
            if own:
                found += self._cycles(composition)
                figures[composition] = self._figures(composition, own)
        self._write(found)
        return figures

    def known(self, points: pd.DataFrame, space: Space) -> dict[Composition, Figures]:
        """Figures of compositions measured before under the same conditions, at any width.

        Points of placed circuits do not tell how these were placed, so that none is known; the flow
        finds their records.
        """
        if self.layout.placed:
            return {}
        kinds = ["measured"] if self.energy else ["measured", "simulated in part"]
        alike = (points.form == "design") & points.kind.isin(kinds)
        alike &= (points.library == self.library) & (points.clock_ns == self.clock_ns)
        alike &= points.stage == self.layout.stage
        if self.energy:
            alike &= points.activity == self.activity
        found: dict[Composition, Figures] = {}
        spaces: dict[int, Space] = {}
        for row in points[alike].to_dict("records"):
            configuration = find_configuration(row["subject"], row["nbits"], row["choices"])
            if configuration is None:
                continue
            at_width = spaces.setdefault(row["nbits"], space.at(row["nbits"]))
            composition = at_width.find(configuration)
            figures = {name: row[name] for name in (CELLS, _PERIOD)}
            if self.energy:
                figures[_PER_CYCLE] = row["energy_nj"] / row["cycles"]
            if composition is not None and all(x == x for x in figures.values()):
                cost = row[_COST_QUANTITY[self._whole]]
                found[composition] = figures | ({COST: cost} if cost == cost else {})
        return found

    def _measurement(self, composition: Composition) -> Measurement:
        name, nbits = composition.subject, composition.configuration.nbits
        asked: dict[str, Any] = {"library": self.library, "clock_ns": self.clock_ns}
        if not self._whole:
            return outline(name, nbits, **asked, **composition.changed)
        own = at_activity(flow(name, nbits, **asked, **composition.changed), self.activity)
        return at_layout(own, self.layout)

    @property
    def _whole(self) -> bool:
        """Whether the whole flow is run, not only synthesis and timing."""
        return self.energy or self.layout.placed

    def _figures(self, composition: Composition, facts: Iterable[Fact]) -> Figures:
        values = {(x.quantity, x.operation): x.value for x in facts if not x.part}
        area = CORE if self.layout.placed else CELLS
        figures = {name: float(values[name, ""]) for name in (area, _PERIOD)}
        # Repairs stop once the constraint is met: a period below it was not aimed at.
        if self.layout.placed:
            figures[_PERIOD] = max(figures[_PERIOD], float(values["clock_ns", ""]))
        if self.energy:
            energy, cycles = (values[x, self.operation] for x in ("energy_nj", "cycles"))
            figures[_PER_CYCLE] = float(energy) / float(cycles)
        if (cost := values.get((_COST_QUANTITY[self._whole], ""))) is not None:
            figures[COST] = float(cost)
        return figures

    def _cycles(self, composition: Composition) -> Iterator[Fact]:
        """Facts on the cycles, from the cycle model, which agrees with the circuit."""
        subject, nbits, choices = _key(composition)
        for name in usual_exponents(nbits, composition.configuration.exponent_nbits):
            about: Any = {"nbits": nbits, "choices": choices, "operation": name}
            cycles = mean_cycles(composition, name, OPERATION_COUNT)
            yield Fact(subject, "cycles", cycles, "measured", **about)

    def _write(self, found: Iterable[Fact]) -> None:
        make_folder(self.folder)
        path = self.folder / "facts.parquet"
        earlier = read_facts(path) if path.exists() else []
        Facts([*found, *(x for x in earlier if x.kind != DERIVED)]).write(self.folder)


def _key(composition: Composition) -> tuple[str, int, str]:
    configuration = composition.configuration
    return composition.subject, configuration.nbits, choices_text(composition.changed)
