"""Power laws ``y = factor * x**power``, by which figures grow with the width of operands."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from statistics import fmean, linear_regression


def power_law(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Fit y = factor * x**power by least squares of logarithms; of one x, power 1."""
    x, y = ([log(value) for value in values] for values in zip(*points, strict=True))
    power = linear_regression(x, y).slope if len(set(x)) > 1 else 1.0
    return exp(fmean(y) - power * fmean(x)), power
