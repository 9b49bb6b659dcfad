"""Figures 6 and 7 of the document, and how area and time grow with the width."""

from collections.abc import Mapping
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from eval.report.drawing import STYLE, WIDTH_IN, Label, Plot, colours, finish, place_labels
from eval.report.published import Published
from eval.report.studies.li_chu.measurements import CALLS, DOCUMENT, NAMES, Figures

COLOURS = colours([*NAMES, *CALLS], first=())
"""By column."""

_DOCUMENT_FIGURES = {128: 6, 1024: 7}
_LOGARITHMIC_RATIO = 4
Points = Mapping[str, tuple[float, float]]


def draw(figures: Figures, published: Published, output_dir: Path) -> list[Plot]:
    """Draw every plot that there are figures for, and write the PNG files."""
    plots = []
    with matplotlib.rc_context(STYLE):
        for nbits, number in _DOCUMENT_FIGURES.items():
            ours = _measured(figures, nbits)
            if nbits not in figures.widths or not ours:
                continue
            plots.append(
                finish(
                    cost_performance(ours, _printed(published, nbits)),
                    output_dir,
                    f"{DOCUMENT}_{nbits}_bits",
                    f"Cost and performance at {nbits} bits (as figure {number})",
                    f"Area over the time of an exponentiation of {nbits} bits, measured and "
                    "printed.",
                    (f"{DOCUMENT}_plots",),
                )
            )
        names = [x for x in NAMES if any(figures.time_ms(x, n) for n in figures.widths)]
        if names:
            plots.append(
                finish(
                    scaling(figures, published, names),
                    output_dir,
                    f"{DOCUMENT}_scaling",
                    "Area and time over the width",
                    "Cell area and time of an exponentiation over the width in bits.",
                    (),
                )
            )
    return plots


def cost_performance(ours: Points, theirs: Points) -> Figure:
    """Draw cost over time, measured and printed one below the other."""
    figure = Figure(figsize=(WIDTH_IN, 6.4), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(2, 1)
    kinds = (
        ("measured: NanGate45", "cell area in 1000 µm²", ours, "o"),
        ("printed: Cyclone V", "logic modules (ALMs)", theirs, "s"),
    )
    for axes, (title, label, points, marker) in zip(panels, kinds, strict=True):
        for name, point in points.items():
            axes.plot(*point, marker, markersize=7.5, color=COLOURS[name])
        axes.set_title(title, loc="left")
        axes.set_ylabel(label)
        axes.set_xlabel("time per operation in ms")
        axes.set_xlim(0, 1.25 * max(x for x, _ in points.values()))
        costs = [cost for _, cost in points.values()]
        if max(costs) > _LOGARITHMIC_RATIO * min(costs):
            axes.set_yscale("log")
            axes.set_ylim(min(costs) / 2, 2 * max(costs))
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.yaxis.set_minor_locator(NullLocator())
        else:
            axes.set_ylim(0, 1.25 * max(costs))
    # Labels go by the final size of the axes.
    figure.canvas.draw()
    figure.set_layout_engine("none")
    for axes, (*_, points, _marker) in zip(panels, kinds, strict=True):
        labels = [Label(name, *point, COLOURS[name]) for name, point in points.items()]
        place_labels(axes, labels, points.values())
    return figure


def scaling(figures: Figures, published: Published, names: list[str]) -> Figure:
    """Draw area and time over the width, the printed times too."""
    figure = Figure(figsize=(WIDTH_IN, 6.8), layout="constrained")
    FigureCanvasAgg(figure)
    area, time = figure.subplots(2, 1, sharex=True)
    for name in names:
        style = {"color": COLOURS[name], "markersize": 5, "linewidth": 1.2}
        _line(area, figures, lambda n, x=name: _thousands(figures.record(x, n, "area_um2")), style)
        _line(time, figures, lambda n, x=name: figures.time_ms(x, n), style, label=name)
        _line(
            time,
            figures,
            lambda n, x=name: published.value(x, str(n), "time"),
            {**style, "linestyle": ":", "markerfacecolor": "none"},
        )
    area.set_ylabel("cell area in 1000 µm²")
    time.set_ylabel("time per operation in ms")
    time.set_xlabel("width in bits; hollow: printed times")
    for axes in (area, time):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    used = [n for n in figures.widths if any(figures.period_ns(x, n) for x in names)]
    time.set_xticks(used, [str(n) for n in used])
    time.xaxis.set_minor_locator(NullLocator())
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def _line(axes: Axes, figures: Figures, value, style: dict, label: str | None = None) -> None:
    points = [(n, value(n)) for n in figures.widths]
    points = [point for point in points if point[1] is not None]
    if points:
        axes.plot(*zip(*points, strict=True), **{"marker": "o", **style}, label=label)


def _measured(figures: Figures, nbits: int) -> Points:
    points = {
        name: (figures.time_ms(name, nbits), _thousands(figures.record(name, nbits, "area_um2")))
        for name in NAMES
    }
    return {name: point for name, point in points.items() if None not in point}


def _printed(published: Published, nbits: int) -> Points:
    points = {
        name: tuple(published.value(name, str(nbits), x) for x in ("time", "alms"))
        for name in NAMES
    }
    return {name: point for name, point in points.items() if None not in point}


def _thousands(value: float | None) -> float | None:
    return None if value is None else value / 1e3
