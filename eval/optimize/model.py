"""A regression model that predicts figures of compositions, with standard deviations."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log2
from typing import Any

import numpy as np

from rsaxcel.eval.optimize.space import Composition

# Prior standard deviations of the model's weights. A weight is what a term, such as a choice,
# contributes to the natural logarithm of a figure.
_LEVEL = 10.0
_WIDTH = 1.0
_MULTIPLIER = 1.0
_CHOICE = 0.4
_SLOPE = 0.5
_CURVE = 0.1
_WITH_MULTIPLIER = 0.12
_WIDTH_WITH_MULTIPLIER = 0.4
_PAIR = 0.05
_SYNTHESIS = 0.02  # noise: synthesis may give different netlists of the same circuit

_MULTIPLIER_AXIS = "multiplier"
_LANES = "lanes"

Terms = dict[tuple[Any, ...], tuple[float, float]]
"""Terms of a composition, each with its value and the prior standard deviation of its weight."""


class Model:
    """Bayesian linear regression of the logarithm of a figure over the terms of a composition."""

    # Terms: multiplier, each choice, logarithms of the width and of each numeric parameter and its
    # square; with smaller prior deviations, pairs of choice and multiplier, and of two choices.
    # Normal priors of the weights allow predictions after few measurements.

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
