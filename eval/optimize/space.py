"""The space of a search: all compositions at a width, and the figure to minimize."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import exp, inf, log
from typing import Any

import numpy as np

from rsaxcel import catalog
from rsaxcel.catalog import Configuration, Design
from rsaxcel.catalog.choices import OWN_AXES
from rsaxcel.eval.facts.fact import OPERATIONS
from rsaxcel.eval.facts.points import point_name
from rsaxcel.flow.requests import default_exponents
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.schedules import EXPONENT_NBITS, SCHEDULES
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
    "time_us": ("min_period_ns", "cycles"),
    "energy_nj": ("energy_nj_per_cycle", "cycles"),
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
        more = ("energy_nj_per_cycle",) if self.needs_energy else ()
        return (self.area, "min_period_ns", *more)

    @property
    def unit(self) -> str:
        return _UNITS[self.name]

    def figures(self, measured: Mapping[str, float], cycles: float) -> dict[str, float]:
        """Return area, time and energy (if needed) from measured figures and cycles."""
        period_ns = max(measured["min_period_ns"], self.clock_ns)
        found = {self.area: measured[self.area], "time_us": cycles * period_ns / 1e3}
        if self.needs_energy:
            found["energy_nj"] = measured["energy_nj_per_cycle"] * cycles
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
        means["min_period_ns"] = np.maximum(means["min_period_ns"], shortest)
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
