"""Figures 6 and 7 of the document, and how area and time grow with the width."""

from collections.abc import Mapping
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from eval.report.drawing import (
    STYLE,
    Label,
    Plot,
    colours,
    draw_line,
    finish,
    label_points,
    panels,
    plain_numbers,
    ticks_at,
)
from eval.report.published import Published
from eval.report.studies.li_chu.measurements import CALLS, DOCUMENT, NAMES, Figures

COLOURS = colours([*NAMES, *CALLS])
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
    figure, stack = panels(2, 1, 6.4)
    kinds = (
        ("measured: NanGate45", "cell area in 1000 µm²", ours, "o"),
        ("printed: Cyclone V", "logic modules (ALMs)", theirs, "s"),
    )
    labelled = []
    for axes, (title, label, points, marker) in zip(stack, kinds, strict=True):
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
            plain_numbers(axes.yaxis)
        else:
            axes.set_ylim(0, 1.25 * max(costs))
        labels = [Label(name, *point, COLOURS[name]) for name, point in points.items()]
        labelled.append((axes, labels, points.values()))
    label_points(figure, labelled)
    return figure


def scaling(figures: Figures, published: Published, names: list[str]) -> Figure:
    """Draw area and time over the width, the printed times too."""
    figure, (area, time) = panels(2, 1, 6.8, sharex=True)
    widths = figures.widths
    for name in names:
        style = {"color": COLOURS[name], "linewidth": 1.2}
        areas = ((n, _thousands(figures.record(name, n, "area_um2"))) for n in widths)
        draw_line(area, areas, **style)
        draw_line(time, ((n, figures.time_ms(name, n)) for n in widths), label=name, **style)
        printed = ((n, published.value(name, str(n), "time")) for n in widths)
        draw_line(time, printed, linestyle=":", markerfacecolor="none", **style)
    area.set_ylabel("cell area in 1000 µm²")
    time.set_ylabel("time per operation in ms")
    time.set_xlabel("width in bits; hollow: printed times")
    for axes in (area, time):
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_numbers(axes.yaxis)
    ticks_at(time.xaxis, [n for n in widths if any(figures.period_ns(x, n) for x in names)])
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def _measured(figures: Figures, nbits: int) -> Points:
    points = {}
    for name in NAMES:
        time_ms = figures.time_ms(name, nbits)
        area = _thousands(figures.record(name, nbits, "area_um2"))
        if time_ms is not None and area is not None:
            points[name] = (time_ms, area)
    return points


def _printed(published: Published, nbits: int) -> Points:
    points = {
        name: tuple(published.value(name, str(nbits), x) for x in ("time", "alms"))
        for name in NAMES
    }
    return {name: point for name, point in points.items() if None not in point}


def _thousands(value: float | None) -> float | None:
    return None if value is None else value / 1e3
