"""Sets limits and ticks of the plots' axes; tick labels are plain numbers."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, Locator, LogLocator, MaxNLocator, NullLocator

from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.report.spec import Panel

Point = tuple[float, float]

IN_FULL = FuncFormatter(lambda value, _: f"{value:,.10f}".rstrip("0").rstrip("."))
"""Writes a number in full, such as 50,000 or 0.00002, and not as a power of ten."""


def scale(axes: Axes, panel: Panel, points: Sequence[Point]) -> None:
    """Set the axes' scales, ticks and limits, with room for labels."""
    both = (axes.xaxis, axes.yaxis)
    for name, axis, values in zip("xy", both, zip(*points, strict=True), strict=True):
        dimension = name == "x" and panel.x not in QUANTITIES
        if name in panel.log:
            set_logarithmic(axes, name, min(values), max(values), 1.3 if dimension else 1.8)
        else:
            axes.set(**{f"{name}lim": (0, 1.18 * max(*values, 1e-12))})
            axis.set_major_formatter(IN_FULL)
        if dimension:
            ticks_at(axis, sorted(set(values)))


def set_logarithmic(axes: Axes, name: str, least: float, most: float, room: float = 1.8) -> None:
    """Make the axis ``x`` or ``y`` logarithmic, with ticks, and a factor of room at both ends."""
    axes.set(**{f"{name}scale": "log"})
    axes.set(**{f"{name}lim": (least / room, most * room)})
    axis = axes.xaxis if name == "x" else axes.yaxis
    axis.set_major_locator(locator(*axis.get_view_interval()))
    axis.set_major_formatter(IN_FULL)
    axis.set_minor_locator(NullLocator())


def draw_equal_products(axes: Axes, colour: str) -> None:
    """Draw lines of constant x * y, with a factor of 10 between neighbouring lines."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    product = left * bottom
    while product < right * top:
        ends = [left, right], [product / left, product / right]
        axes.plot(*ends, linestyle=(0, (1, 3)), color=colour, alpha=0.5, linewidth=0.8)
        product *= 10
    axes.set(xlim=(left, right), ylim=(bottom, top))


def locator(low: float, high: float) -> Locator:
    """Ticks on a logarithmic axis, at least two: at 1, 2, 5, or at 1 for three decades or more."""
    for steps in ((1, 2, 5) if high / low < 1e3 else (1,), range(1, 10)):
        found = LogLocator(subs=steps)
        if sum(low <= x <= high for x in found.tick_values(low, high)) > 1:
            return found
    return MaxNLocator(4)


def ticks_at(axis: Axis, values: Sequence[float]) -> None:
    """Set ticks at these values only; of values that nearly coincide, only the last has a tick."""
    kept = [x for x, y in zip(values, [*values[1:], None], strict=True) if not y or y > 1.02 * x]
    axis.set_ticks(kept, [f"{value:g}" for value in kept])
    axis.set_minor_locator(NullLocator())
