"""Objective of a search: the figure to minimize, and limits for other figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, inf, log
from typing import Any

import numpy as np

CELLS, CORE = "area_um2", "core_area_um2"
"""Areas that an objective can count: the sum of the cells, or the core of placed circuits."""

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
