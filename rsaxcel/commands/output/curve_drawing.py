"""Draws area and energy of a circuit over its clock period."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjustText import adjust_text
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from eval.curve.points import area_column
from eval.facts.quantities import QUANTITIES
from flow.constraint import OUT_OF_REACH
from rsaxcel.commands.output.front_drawing import save

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_SIZE_IN = (7.2, 6.4)
_INK = "#444444"
_COLOURS = {"core_area_um2": "#1f6f8b", "area_um2": "#8a6bb0", "energy_nj": "#c8553d"}
_DIGITS = {"energy_nj": StrMethodFormatter("{x:,.6g}")}
_PLAIN = StrMethodFormatter("{x:,.0f}")


def draw(points: pd.DataFrame, path: Path, title: str = "") -> None:
    """Draw the points of a curve and write the drawing.

    Parameters
    ----------
    points : pandas.DataFrame
        See ``eval.curve.points.tabulate_curve``.
    path : Path
        File to write; its suffix chooses the format.
    title : str
        Text above the drawing.
    """
    figure = Figure(figsize=_SIZE_IN, layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    areas = [x for x in ("core_area_um2", "area_um2") if points[x].notna().all()]
    for column in areas:
        _draw(above, points, column)
    _draw(below, points, "energy_nj")
    if (points.constraint == OUT_OF_REACH).any():
        above.plot([], [], "o", color=_INK, markerfacecolor="none", label="constraint out of reach")
    above.legend(fontsize=8, framealpha=0.6, loc="upper right")
    label = QUANTITIES["area_um2"].heading.replace("Cell area", "Area")
    above.set_ylabel(label if len(areas) > 1 else QUANTITIES[areas[0]].heading)
    energy = QUANTITIES["energy_nj"].heading
    below.set_ylabel(f"{energy[:1].upper()}{energy[1:]}, {points.operation.iloc[0]}")
    below.set_xlabel(QUANTITIES["period_ns"].heading)
    for axes in (above, below):
        axes.grid(visible=True, alpha=0.25)
        axes.margins(x=0.04, y=0.18)
    _name(above, points, area_column(points))
    figure.suptitle(title, fontsize=9, color=_INK)
    save(figure, path)


def _draw(axes: Axes, points: pd.DataFrame, column: str) -> None:
    """Draw a figure over the period: a line through points that count, others hollow."""
    colour, out = _COLOURS[column], points.constraint == OUT_OF_REACH
    useful = points[~out].sort_values("period_ns")
    style: Any = {"color": colour, "markersize": 5.0}
    axes.plot(useful.period_ns, useful[column], "o-", label=QUANTITIES[column].label, **style)
    axes.plot(points.period_ns[out], points[column][out], "o", markerfacecolor="none", **style)
    axes.yaxis.set_major_formatter(_DIGITS.get(column, _PLAIN))


def _name(axes: Axes, points: pd.DataFrame, column: str) -> None:
    """Write the marks beside the marked points, and draw a ring around each."""
    marked = points[points.marks != ""]
    x, y = list(marked.period_ns), list(marked[column])
    axes.plot(x, y, "o", color=_INK, markerfacecolor="none", markersize=11.0)
    told = [marks.replace(", ", "\n") for marks in marked.marks]
    texts = [axes.text(*place, fontsize=8, color=_INK) for place in zip(x, y, told, strict=True)]
    adjust_text(
        texts,
        x=list(points.period_ns),
        y=list(points[column]),
        ax=axes,
        expand=(1.2, 1.6),
        arrowprops={"arrowstyle": "-", "color": _INK, "alpha": 0.35, "linewidth": 0.6},
    )
