"""Pareto fronts: points that no other point beats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rsaxcel.eval.facts.fact import WRONG

if TYPE_CHECKING:
    import pandas as pd


def on_front(points: pd.DataFrame, columns: Sequence[str]) -> pd.Series[bool]:
    """Mark the rows that no other row beats; in each column, less is better.

    A row beats another one if it is nowhere worse and somewhere better. A row that lacks a figure,
    or is of a core whose results are wrong, is not on the front and beats no row.
    """
    figures = points[list(columns)].to_numpy(dtype=float)
    known = ~np.isnan(figures).any(axis=1)
    if "kind" in points:
        known &= (points["kind"] != WRONG).to_numpy()
    front = known.copy()
    for i in np.flatnonzero(known):
        no_worse = (figures[known] <= figures[i]).all(axis=1)
        better = (figures[known] < figures[i]).any(axis=1)
        front[i] = not (no_worse & better).any()
    return points.index.to_series().map(dict(zip(points.index, front, strict=True))).astype(bool)
