"""Draws a Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from adjustText import adjust_text
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, Locator, LogLocator, MaxNLocator, NullFormatter

import catalog
from rsaxcel.commands.output.points import quantity_of
from store.shortened import shorten

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_SIZE_IN = (7.2, 5.0)
_DPI = 150
_FAINT = 0.3
_NAME = 32
_INK = "#444444"
_TICKS = (1, 2, 5)
_PLAIN = FuncFormatter(lambda value, _: f"{value:,.12g}")


def draw(points: pd.DataFrame, front: pd.DataFrame, columns: Sequence[str], path: Path) -> None:
    """Draw points by two figures, with a third one as colour, and write the drawing.

    Parameters
    ----------
    points, front : pandas.DataFrame
        All points, and the points on the front; see ``eval.facts.points``. Each point must have a
        value in all of ``columns``.
    columns : sequence of str
        Columns of the two or three figures.
    path : Path
        File to write; its suffix chooses the format.
    """
    figure = Figure(figsize=_SIZE_IN, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    x, y, *third = columns
    axes.set_xscale("log")
    axes.set_yscale("log")
    if third:
        _draw_shaded(figure, axes, points, front, columns)
    else:
        _draw_by_multiplier(axes, points, front, x, y)
        ordered = front.sort_values(x)
        axes.plot(ordered[x], ordered[y], "-", color=_INK, linewidth=0.9, zorder=1)
    axes.autoscale_view()
    for axis, name in ((axes.xaxis, x), (axes.yaxis, y)):
        axis.set_label_text(_label(name))
        axis.set_major_locator(_locator(*axis.get_view_interval()))
        axis.set_major_formatter(_PLAIN)
        axis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, alpha=0.25)
    _name_points(axes, front, x, y)
    save(figure, path)


def _locator(least: float, most: float) -> Locator:
    """Return the places of labels on a logarithmic axis; at least two are in its range."""
    for locator in (LogLocator(subs=_TICKS), LogLocator(subs=range(1, 10))):
        if sum(least <= x <= most for x in locator.tick_values(least, most)) > 1:
            return locator
    return MaxNLocator(4)


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the suffix of ``path`` chooses the format. Equal figures give equal SVG."""
    with mpl.rc_context({"svg.hashsalt": "rsaxcel"}):
        dated: Any = {"Date": None} if path.suffix == ".svg" else {}
        figure.savefig(path, dpi=_DPI, facecolor="white", metadata=dated)


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
    figure: Figure,
    axes: Axes,
    points: pd.DataFrame,
    front: pd.DataFrame,
    columns: Sequence[str],
) -> None:
    x, y, z = columns
    shades = mpl.colormaps["viridis"]
    norm = LogNorm(points[z].min(), points[z].max() * (1 + 1e-9))
    for index, row in points.iterrows():
        _mark(axes, row, x, y, shades(norm(row[z])), faint=index not in front.index)
    ticks = _locator(points[z].min(), points[z].max())
    shown: Any = {"label": _label(z), "format": _PLAIN, "ticks": ticks}
    bar = figure.colorbar(mpl.cm.ScalarMappable(norm, shades), ax=axes, **shown)
    bar.ax.yaxis.set_minor_formatter(NullFormatter())


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


def _name_points(axes: Axes, front: pd.DataFrame, x: str, y: str) -> None:
    texts = [
        axes.text(row[x], row[y], shorten(str(row.point), _NAME), fontsize=7, color=_INK)
        for _, row in front.iterrows()
    ]
    adjust_text(
        texts,
        ax=axes,
        expand=(1.1, 1.4),
        arrowprops={"arrowstyle": "-", "color": _INK, "alpha": 0.35, "linewidth": 0.6},
    )
