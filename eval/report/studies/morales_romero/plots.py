"""DSPs against time of a product, as Table 4 has them, and how the row grows with the width."""

from collections.abc import Callable, Mapping
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
    from_zero,
    label_points,
    panels,
    ticks_at,
)
from eval.report.published import Published
from eval.report.studies.morales_romero.measurements import (
    CELLS,
    DOCUMENT,
    EXPONENTIATORS,
    MULTIPLIER,
    PRINTED_NBITS,
    WIDTHS,
    Figures,
)
from eval.report.studies.morales_romero.tables import LARGER_INTERVAL, OTHERS, View

COLOURS = colours([*EXPONENTIATORS, *OTHERS, *WIDTHS, *CELLS, LARGER_INTERVAL])
"""By column."""

_LUTS, _FLIP_FLOPS = ("#3b82f6", "#e8710a")
Points = Mapping[str, tuple[float, float]]


def draw(figures: Figures, published: Published, output_dir: Path) -> list[Plot]:
    """Draw every plot that there are figures for, and write the PNG files."""
    plots = []
    with matplotlib.rc_context(STYLE):
        if ours := _measured(figures, published):
            plots.append(
                finish(
                    dsps_over_time(ours, _printed(figures, published)),
                    output_dir,
                    f"{DOCUMENT}_products",
                    f"Products of {PRINTED_NBITS} bits (as Table 4)",
                    f"DSPs over the time of a modular product of {PRINTED_NBITS} bits, measured "
                    "and printed.",
                    (f"{DOCUMENT}_plots",),
                )
            )
        if any(figures.multiplier(name, "luts") is not None for name in figures.widths):
            plots.append(
                finish(
                    scaling(figures, published),
                    output_dir,
                    f"{DOCUMENT}_scaling",
                    "Cycles and resources over the width",
                    "Cycles between dependent products, and LUTs and flip-flops per word, over the "
                    "width in bits.",
                    (f"{DOCUMENT}_widths",),
                )
            )
    return plots


def dsps_over_time(ours: Points, theirs: Points) -> Figure:
    """Draw DSPs over the time of a product."""
    figure, axes = panels(1, 1, 3.9)
    for name, point in ours.items():
        axes.plot(*point, "o", markersize=7.5, color=COLOURS[name])
    for name, point in theirs.items():
        hollow = {"markerfacecolor": "none", "markeredgewidth": 1.4}
        axes.plot(*point, "s", markersize=9, markeredgecolor=COLOURS[name], **hollow)
    axes.set_xlabel("time of a product in µs")
    axes.set_ylabel("DSPs")
    points = [*ours.values(), *theirs.values()]
    axes.set_xlim(0, 1.25 * max(x for x, _ in points))
    axes.set_ylim(0, 1.25 * max(y for _, y in points))
    # Where ours stand, their printed counterpart needs no name of its own.
    shown = {**theirs, **ours}
    labels = [Label(name, *point, COLOURS[name]) for name, point in shown.items()]
    label_points(figure, [(axes, labels, points)])
    return figure


def scaling(figures: Figures, published: Published) -> Figure:
    """Draw cycles, and LUTs and flip-flops per word, over the width."""
    figure, (cycles, cells) = panels(2, 1, 5.6, sharex=True)
    widths = figures.widths
    printed = sorted({width.printed for width in widths.values()})

    def value(nbits: int, quantity: str) -> float | None:
        return published.value(MULTIPLIER, str(nbits), quantity)

    def per_word(amount: float | None, words: float | None) -> float | None:
        return amount / words if amount and words else None

    def ours(of: Callable[[str], float | None]) -> list[tuple[float, float | None]]:
        return [(width.nbits, of(name)) for name, width in widths.items()]

    hollow = {"linestyle": ":", "markerfacecolor": "none", "markersize": 9, "marker": "s"}
    colour = COLOURS[next(iter(EXPONENTIATORS))]
    draw_line(cycles, ours(figures.product_cycles), color=colour)
    draw_line(cycles, [(n, value(n, "product_cycles")) for n in printed], color=colour, **hollow)
    resources = (
        ("luts", "luts", "LUTs", _LUTS),
        ("flip_flops", "registers", "flip-flops", _FLIP_FLOPS),
    )
    for name, theirs, label, colour in resources:

        def amount(column: str, name: str = name) -> float | None:
            return per_word(figures.multiplier(column, name), figures.elements(column))

        points = [(n, per_word(value(n, theirs), value(n, "elements"))) for n in printed]
        draw_line(cells, ours(amount), color=colour, label=label)
        draw_line(cells, points, color=colour, **hollow)
    cycles.set_ylabel("cycles between\ndependent products")
    cells.set_ylabel("per word of 16 bits")
    cells.set_xlabel("width in bits")
    ticks_at(cells.xaxis, printed)
    cells.set_xlim(0, 1.1 * max(printed))
    for axes in (cycles, cells):
        from_zero(axes)
    cells.legend(loc="lower right", ncols=2)
    return figure


def _measured(figures: Figures, published: Published) -> Points:
    view = View(figures, published)
    points = {}
    for name in figures.exponentiators:
        time_us, dsps = view.product_us(name), figures.multiplier(name, "dsp")
        if time_us is not None and dsps is not None:
            points[name] = (time_us, dsps)
    return points


def _printed(figures: Figures, published: Published) -> Points:
    view = View(figures, published)
    names = [next(iter(EXPONENTIATORS)), *OTHERS]
    points = {}
    for name in names:
        time_us, dsps = view.printed_product_us(name), view.printed(name, "dsps")
        if time_us and dsps:
            points[name] = (time_us.value, dsps.value)
    return points
