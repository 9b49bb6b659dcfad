"""Draws charts of points: a Pareto front, and area and energy over the clock period."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import StrMethodFormatter

from rsaxcel import catalog
from rsaxcel.cli.output.points import quantity_of
from rsaxcel.eval.curve import AREA_TIME, AREA_TIME_ENERGY, KNEE, SMALLEST, area_column
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.pictures.style import CHART, save
from rsaxcel.eval.report.labels import IN_FULL, Name, locator, name_points, set_logarithmic
from rsaxcel.flow.layout import OUT_OF_REACH
from rsaxcel.store.shown import shorten

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_INK = "#444444"
_FAINT = 0.3
_NAME = 32


def draw_front(
    points: pd.DataFrame, front: pd.DataFrame, columns: Sequence[str], path: Path
) -> None:
    """Draw points by two figures, with a third one as colour, and write the drawing.

    Each point must have a value in all of ``columns``.
    """
    figure = Figure(figsize=(7.2, 5.0), layout="constrained")
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


_COLOURS = {"core_area_um2": "#1f6f8b", "area_um2": "#8a6bb0", "energy_nj": "#c8553d"}
_SHAPES = {
    SMALLEST: ("o", 10.0),
    AREA_TIME: ("s", 13.0),
    AREA_TIME_ENERGY: ("^", 17.0),
    KNEE: ("D", 10.0),
}
_DIGITS = {"energy_nj": StrMethodFormatter("{x:,.6g}")}
_PLAIN = StrMethodFormatter("{x:,.0f}")


def draw_curve(points: pd.DataFrame, path: Path, title: str = "") -> None:
    """Draw the points of a curve and write the drawing."""
    figure = Figure(figsize=(7.2, 6.4), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    areas = [x for x in ("core_area_um2", "area_um2") if points[x].notna().all()]
    for column in areas:
        _draw_figure(above, points, column)
    _draw_figure(below, points, "energy_nj")
    _mark_points(above, points, area_column(points))
    if (points.constraint == OUT_OF_REACH).any():
        above.plot([], [], "o", color=_INK, markerfacecolor="none", label="constraint out of reach")
    above.legend(fontsize=8, framealpha=0.6, loc="upper right", markerscale=0.7)
    label = QUANTITIES["area_um2"].heading.replace("Cell area", "Area")
    above.set_ylabel(label if len(areas) > 1 else QUANTITIES[areas[0]].heading)
    energy = QUANTITIES["energy_nj"].heading
    below.set_ylabel(f"{energy[:1].upper()}{energy[1:]}, {points.operation.iloc[0]}")
    below.set_xlabel(QUANTITIES["period_ns"].heading)
    for axes in (above, below):
        axes.grid(visible=True, alpha=0.25)
        axes.margins(x=0.04, y=0.12)
    figure.suptitle(title, fontsize=9, color=_INK)
    save(figure, path, **CHART)


def _draw_figure(axes: Axes, points: pd.DataFrame, column: str) -> None:
    """Draw a figure over the period: a line through points that count, others hollow."""
    colour, out = _COLOURS[column], points.constraint == OUT_OF_REACH
    useful = points[~out].sort_values("period_ns")
    style: Any = {"color": colour, "markersize": 5.0}
    axes.plot(useful.period_ns, useful[column], "o-", label=QUANTITIES[column].label, **style)
    axes.plot(points.period_ns[out], points[column][out], "o", markerfacecolor="none", **style)
    axes.yaxis.set_major_formatter(_DIGITS.get(column, _PLAIN))


def _mark_points(axes: Axes, points: pd.DataFrame, column: str) -> None:
    """Draw the shape of each mark around its point; shapes around one point do not cover it."""
    for mark, (shape, size) in _SHAPES.items():
        of_mark = points[[mark in marks.split(", ") for marks in points.marks]]
        style: Any = {"color": _INK, "markerfacecolor": "none", "markersize": size}
        if len(of_mark):
            label = f"least {mark}" if mark in (AREA_TIME, AREA_TIME_ENERGY) else mark
            axes.plot(of_mark.period_ns, of_mark[column], shape, label=label, **style)
