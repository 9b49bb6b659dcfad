"""Draws area and energy of a circuit over its clock period."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from rsaxcel.eval.curve.measuring import AREA_TIME, AREA_TIME_ENERGY, KNEE, SMALLEST, area_column
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.pictures.style import CHART, save
from rsaxcel.flow.layout import OUT_OF_REACH

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_SIZE_IN = (7.2, 6.4)
_INK = "#444444"
_COLOURS = {"core_area_um2": "#1f6f8b", "area_um2": "#8a6bb0", "energy_nj": "#c8553d"}
_SHAPES = {
    SMALLEST: ("o", 10.0),
    AREA_TIME: ("s", 13.0),
    AREA_TIME_ENERGY: ("^", 17.0),
    KNEE: ("D", 10.0),
}
_DIGITS = {"energy_nj": StrMethodFormatter("{x:,.6g}")}
_PLAIN = StrMethodFormatter("{x:,.0f}")


def draw(points: pd.DataFrame, path: Path, title: str = "") -> None:
    """Draw the points of a curve and write the drawing."""
    figure = Figure(figsize=_SIZE_IN, layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    areas = [x for x in ("core_area_um2", "area_um2") if points[x].notna().all()]
    for column in areas:
        _draw(above, points, column)
    _draw(below, points, "energy_nj")
    _mark(above, points, area_column(points))
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


def _draw(axes: Axes, points: pd.DataFrame, column: str) -> None:
    """Draw a figure over the period: a line through points that count, others hollow."""
    colour, out = _COLOURS[column], points.constraint == OUT_OF_REACH
    useful = points[~out].sort_values("period_ns")
    style: Any = {"color": colour, "markersize": 5.0}
    axes.plot(useful.period_ns, useful[column], "o-", label=QUANTITIES[column].label, **style)
    axes.plot(points.period_ns[out], points[column][out], "o", markerfacecolor="none", **style)
    axes.yaxis.set_major_formatter(_DIGITS.get(column, _PLAIN))


def _mark(axes: Axes, points: pd.DataFrame, column: str) -> None:
    """Draw the shape of each mark around its point; shapes around one point do not cover it."""
    for mark, (shape, size) in _SHAPES.items():
        of_mark = points[[mark in marks.split(", ") for marks in points.marks]]
        style: Any = {"color": _INK, "markerfacecolor": "none", "markersize": size}
        if len(of_mark):
            label = f"least {mark}" if mark in (AREA_TIME, AREA_TIME_ENERGY) else mark
            axes.plot(of_mark.period_ns, of_mark[column], shape, label=label, **style)
