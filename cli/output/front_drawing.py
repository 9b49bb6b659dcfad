"""Draws a Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rsaxcel import catalog
from rsaxcel.cli.output.points import quantity_of
from rsaxcel.eval.pictures.style import CHART, save
from rsaxcel.eval.report.labels import IN_FULL, Name, locator, name_points, set_logarithmic
from rsaxcel.store.shown import shorten

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_SIZE_IN = (7.2, 5.0)
_FAINT = 0.3
_NAME = 32
_INK = "#444444"


def draw(points: pd.DataFrame, front: pd.DataFrame, columns: Sequence[str], path: Path) -> None:
    """Draw points by two figures, with a third one as colour, and write the drawing.

    Each point must have a value in all of ``columns``.
    """
    figure = Figure(figsize=_SIZE_IN, layout="constrained")
    axes = figure.subplots()
    x, y, *third = columns
    if third:
        _draw_shaded(figure, axes, points, front, columns)
    else:
        _draw_by_multiplier(axes, points, front, x, y)
        ordered = front.sort_values(x)
        axes.plot(ordered[x], ordered[y], "-", color=_INK, linewidth=0.9, zorder=1)
    for axis, name in zip("xy", (x, y), strict=True):
        axes.set(**{f"{axis}label": _label(name)})
        set_logarithmic(axes, axis, points[name].min(), points[name].max())
    axes.grid(visible=True, alpha=0.25)
    look = {"fontsize": 7, "color": _INK}
    named = zip(front["point"], front[x], front[y], strict=True)
    names = [Name(shorten(str(name), _NAME), (left, up), look) for name, left, up in named]
    name_points(figure, {axes: names})
    save(figure, path, **CHART)


def _draw_by_multiplier(
    axes: Axes, points: pd.DataFrame, front: pd.DataFrame, x: str, y: str
) -> None:
    known = list(catalog.multipliers())
    for name, own in points.groupby("multiplier", dropna=False):
        number = known.index(name) if name in known else len(known)
        colour = mpl.colormaps["tab20"](number % 20)
        for index, row in own.iterrows():
            _mark(axes, row, x, y, colour, faint=index not in front.index)
        axes.plot([], [], "o", color=colour, label=name if name == name else "no multiplier")
    handles, labels = axes.get_legend_handles_labels()
    if (points.kind != "measured").any():
        hollow = Line2D([], [], marker="o", linestyle="", color=_INK, markerfacecolor="none")
        handles, labels = [*handles, hollow], [*labels, "projected or estimated"]
    axes.legend(handles, labels, fontsize=7, framealpha=0.6)


def _draw_shaded(
    figure: Figure, axes: Axes, points: pd.DataFrame, front: pd.DataFrame, columns: Sequence[str]
) -> None:
    x, y, z = columns
    shades = mpl.colormaps["viridis"]
    norm = LogNorm(points[z].min(), points[z].max() * (1 + 1e-9))
    for index, row in points.iterrows():
        _mark(axes, row, x, y, shades(norm(row[z])), faint=index not in front.index)
    ticks = locator(points[z].min(), points[z].max())
    shown: Any = {"label": _label(z), "format": IN_FULL, "ticks": ticks}
    bar = figure.colorbar(mpl.cm.ScalarMappable(norm, shades), ax=axes, **shown)
    bar.minorticks_off()


def _mark(axes: Axes, row: pd.Series, x: str, y: str, colour: Any, *, faint: bool) -> None:
    measured = row.kind in ("measured", "simulated in part")
    face: Any = {} if measured else {"markerfacecolor": "none"}
    alpha = _FAINT if faint else 1.0
    axes.plot(row[x], row[y], "o", color=colour, alpha=alpha, markersize=6.5, **face)


def _label(column: str) -> str:
    quantity = quantity_of(column)
    operation = column.removesuffix(quantity.key).strip("_") if quantity else ""
    heading = quantity.heading if quantity else column
    heading = heading[:1].upper() + heading[1:]
    return f"{heading}, {operation}" if operation else heading
