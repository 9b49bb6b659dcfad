"""Power laws ``y = factor * x**power``, by which figures grow with the width of operands."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from statistics import fmean, linear_regression


def power_law(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Fit a power law to points by least squares of the logarithms.

    Parameters
    ----------
    points
        Pairs of x and y, both above 0. If all have the same x, y is taken as proportional to x.

    Returns
    -------
    float, float
        Factor and power.
    """
    x, y = ([log(value) for value in values] for values in zip(*points, strict=True))
    power = linear_regression(x, y).slope if len(set(x)) > 1 else 1.0
    return exp(fmean(y) - power * fmean(x)), power
