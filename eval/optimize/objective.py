"""Objective of a search: the figure to minimize, and limits for other figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, inf, log
from typing import Any

import numpy as np

MODELLED = ("area_um2", "min_period_ns", "energy_nj_per_cycle")
"""Figures that fitted models predict; cycles come from the cycle model."""

OBJECTIVES = {
    "area_time": ("area_um2", "time_us"),
    "time": ("time_us",),
    "area": ("area_um2",),
    "energy": ("energy_nj",),
}
"""Objectives; each one is the product of the listed figures."""

# Factors of each figure: the figure is their product, times a factor of ``_SCALES`` if it has one.
_FACTORS = {
    "area_um2": ("area_um2",),
    "time_us": ("min_period_ns", "cycles"),
    "energy_nj": ("energy_nj_per_cycle", "cycles"),
}
_SCALES = {"time_us": 1e-3}
_UNITS = {"area_time": "um2 us", "time": "us", "area": "um2", "energy": "nJ"}


@dataclass(frozen=True)
class Objective:
    """The figure to minimize, with limits.

    Parameters
    ----------
    name : str
        A key of ``OBJECTIVES``.
    clock_ns : float
        Clock constraint in ns; it is a lower bound for the period.
    most : mapping of str to float
        Upper limits of ``area_um2``, ``time_us`` and ``energy_nj``.
    """

    name: str
    clock_ns: float
    most: Mapping[str, float]

    @property
    def columns(self) -> tuple[str, ...]:
        """Figures by which the Pareto front is formed."""
        more = ("energy_nj",) if self.needs_energy else ()
        return ("time_us", "area_um2", *more)

    @property
    def needs_energy(self) -> bool:
        """Whether energy must be measured, which takes more time than synthesis."""
        return self.name == "energy" or "energy_nj" in self.most

    @property
    def fitted(self) -> tuple[str, ...]:
        """Figures that fitted models have to predict, to estimate objective and limited figures."""
        return MODELLED if self.needs_energy else MODELLED[:2]

    @property
    def unit(self) -> str:
        """Unit of the objective's value."""
        return _UNITS[self.name]

    def figures(self, measured: Mapping[str, float], cycles: float) -> dict[str, float]:
        """Return area, time and energy (if needed) from measured figures and cycles."""
        period_ns = max(measured["min_period_ns"], self.clock_ns)
        found = {"area_um2": measured["area_um2"], "time_us": cycles * period_ns / 1e3}
        if self.needs_energy:
            found["energy_nj"] = measured["energy_nj_per_cycle"] * cycles
        return found

    def value(self, measured: Mapping[str, float], cycles: float) -> float:
        """Return the objective's value from measured figures; infinite if a limit is exceeded."""
        figures = self.figures(measured, cycles)
        if any(figures[name] > most for name, most in self.most.items()):
            return inf
        return exp(sum(log(figures[name]) for name in OBJECTIVES[self.name]))

    def predicted(
        self, fits: Mapping[str, tuple[Any, Any]], cycles: Any, deviations: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Predict the logarithm of each composition's value, and a lower bound of this logarithm.

        A prediction is infinite if the predicted figure of the composition exceeds a limit. A bound
        is infinite if the figure's own lower bound exceeds the limit.

        Parameters
        ----------
        fits : mapping
            Mean and standard deviation of the logarithm of each figure in ``fitted``.
        cycles : array
            Cycles of each composition.
        deviations : float
            Number of standard deviations from the prediction to the bound.
        """
        shortest = log(self.clock_ns)
        means = {name: mean for name, (mean, _) in fits.items()} | {"cycles": np.log(cycles)}
        means["min_period_ns"] = np.maximum(means["min_period_ns"], shortest)
        spread = {name: deviation for name, (_, deviation) in fits.items()}

        def bounded(name: str) -> tuple[np.ndarray, np.ndarray]:
            """Mean and variance of the logarithm of a product of independent factors."""
            factors = _FACTORS[name]
            mean = sum(means[x] for x in factors) + log(_SCALES.get(name, 1.0))
            return mean, sum(spread[x] ** 2 for x in factors if x in spread)

        parts = [bounded(name) for name in OBJECTIVES[self.name]]
        expected = sum(mean for mean, _ in parts)
        bound = expected - deviations * np.sqrt(sum(variance for _, variance in parts))
        for name, most in self.most.items():
            mean, variance = bounded(name)
            bound = np.where(mean - deviations * np.sqrt(variance) > log(most), inf, bound)
            expected = np.where(mean > log(most), inf, expected)
        return np.asarray(expected), np.asarray(bound)
