"""Figures 17.3 and 17.4 over S, and area over time of all designs of the ranking."""

from collections.abc import Callable
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from eval.report.drawing import (
    INK,
    STYLE,
    Plot,
    colours,
    draw_line,
    finish,
    from_zero,
    panels,
    plain_numbers,
    ticks_at,
)
from eval.report.published import Published
from eval.report.studies.cilardo.measurements import (
    COLUMNS,
    DESIGN,
    DOCUMENT,
    LANES,
    NBITS,
    RANKED,
    WIDTHS,
    Figures,
)

COLOURS = colours([*COLUMNS, *RANKED])
"""By column."""

_Z_COLOURS = dict(zip(LANES, colours(LANES.values()).values(), strict=True))
Point = tuple[float, float]
_MARKERS = dict(zip(WIDTHS, ("o", "s", "^"), strict=True))


def draw(figures: Figures, published: Published, output_dir: Path) -> list[Plot]:
    """Draw every plot that there are figures for, and write the PNG files."""
    plots = []
    with matplotlib.rc_context(STYLE):
        if any(figures.time_ms(column, 2) is not None for column in COLUMNS):
            plots.append(
                finish(
                    over_digits(figures, published),
                    output_dir,
                    f"{DOCUMENT}_digits",
                    "Time, area and their product over S (figures 17.3 and 17.4)",
                    f"Time, area and area by time of an encryption of {NBITS} bits over the bits "
                    "of a digit, measured and printed.",
                    (f"{DOCUMENT}_digits",),
                )
            )
        names = [x for x in RANKED if any(figures.ranked(x, n) for n in figures.widths)]
        if names:
            plots.append(
                finish(
                    area_over_time(figures, names),
                    output_dir,
                    f"{DOCUMENT}_ranking",
                    "Area over time, against other designs",
                    "Cell area over the time of a decryption, per width and design.",
                    (f"{DOCUMENT}_ranking_plot",),
                )
            )
    return plots


def over_digits(figures: Figures, published: Published) -> Figure:
    """Draw time, area and their product over S, measured and printed side by side."""

    def area(column: str, lanes: int) -> float | None:
        record = figures.record(column, lanes)
        return record and record["area_um2"] / 1e3

    def area_time(column: str, lanes: int) -> float | None:
        value = figures.area_time_um2_ms(column, lanes)
        return None if value is None else value / 1e6

    kinds: list[tuple[str, Callable[[str, int], float | None], str, str]] = [
        ("time in ms", figures.time_ms, "time in ms", "time"),
        ("cell area in 1000 µm²", area, "slices", "slices"),
        ("area by time in mm² ms", area_time, "slices by time in ms", "area_time"),
    ]
    figure, rows = panels(len(kinds), 2, 6.8, sharex=True)
    for (ours, theirs), (label, measured, printed_label, printed) in zip(rows, kinds, strict=True):
        for lanes, title in LANES.items():
            points = [(n, measured(column, lanes)) for column, n in COLUMNS.items()]
            style = {} if lanes == 2 else {"linestyle": "--", "markerfacecolor": "none"}
            draw_line(ours, points, color=_Z_COLOURS[lanes], label=title, **style)
        points = [(n, published.value(DESIGN, str(n), printed)) for n in COLUMNS.values()]
        draw_line(theirs, points, color=_Z_COLOURS[2], marker="s")
        ours.set_ylabel(label)
        theirs.set_ylabel(printed_label)
        for axes in (ours, theirs):
            from_zero(axes)
            axes.set_xscale("log")
            ticks_at(axes.xaxis, list(COLUMNS.values()))
    for axes, title in zip(rows[0], ("measured: NanGate45", "printed: Virtex-E"), strict=True):
        axes.set_title(title, loc="left")
    for axes in rows[-1]:
        axes.set_xlabel("S in bits")
    handles, labels = rows[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2)
    return figure


def area_over_time(figures: Figures, names: list[str]) -> Figure:
    """Draw area over the time of a decryption; the widths of a design are joined."""
    figure, axes = panels(1, 1, 5.0)
    points: list[Point] = []
    for name in names:
        colour = COLOURS[name]
        own: dict[int, Point] = {}
        for nbits in figures.widths:
            record, time_ms = figures.ranked(name, nbits), figures.ranked_time_ms(name, nbits)
            if record and time_ms is not None:
                own[nbits] = (time_ms, record["area_um2"] / 1e3)
        draw_line(axes, own.values(), color=colour, marker="", linewidth=1.2, label=name)
        for nbits, point in own.items():
            axes.plot(*point, _MARKERS[nbits], markersize=7, color=colour)
        points += own.values()
    axes.set_xlabel("time of a decryption in ms")
    axes.set_ylabel("cell area in 1000 µm²")
    axes.set_xscale("log")
    axes.set_yscale("log")
    xs, ys = zip(*points, strict=True)
    axes.set_xlim(min(xs) / 2, max(xs) * 2)
    axes.set_ylim(min(ys) / 2, max(ys) * 2)
    plain_numbers(axes.xaxis)
    plain_numbers(axes.yaxis)
    _equal_products(axes)
    for nbits in figures.widths:
        axes.plot([], [], _MARKERS[nbits], color=INK, markersize=6, label=f"{nbits} bits")
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def _equal_products(axes: Axes) -> None:
    """Draw lines of equal area by time, a decade apart."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    product = left * bottom
    while product < right * top:
        ends = [left, right], [product / left, product / right]
        axes.plot(*ends, linestyle=(0, (1, 3)), color=INK, alpha=0.5, linewidth=0.8)
        product *= 10
