"""Scatter plots of the systems, measured and printed: figures 17 and 18 of the document."""

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from eval.report.drawing import INK, Label, label_points, panels, plain_numbers
from eval.report.published import Published
from eval.report.results import OPERATION_TITLES, OPERATIONS, OperationFigures, Result

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*")
_X_LABEL = "performance in million operations per second"
Point = tuple[float, float]


def area_performance(
    results: Mapping[str, Result], published: Published, colour_of: Mapping[str, str]
) -> Figure:
    """Draw the area of the system over operations per second."""
    return _panels(
        results,
        published,
        colour_of,
        "area in 1000 µm²",
        measured=lambda result, operation: result.area_um2 / 1e3,
        printed=lambda result, operation: _thousands(published.value(result.hardware, "area")),
        y_scale="linear",
    )


def energy_performance(
    results: Mapping[str, Result], published: Published, colour_of: Mapping[str, str]
) -> Figure:
    """Draw normalized energy over operations per second."""
    return _panels(
        results,
        published,
        colour_of,
        "normalized energy in nJ (measured: lower bound)",
        measured=lambda result, operation: operation.energy_nj,
        printed=lambda result, operation: published.value(
            result.name, operation.name, "energy_normalized"
        ),
        y_scale="log",
    )


def _panels(
    results: Mapping[str, Result],
    published: Published,
    colour_of: Mapping[str, str],
    y_label: str,
    *,
    measured: Callable[[Result, OperationFigures], float],
    printed: Callable[[Result, OperationFigures], float | None],
    y_scale: str,
) -> Figure:
    figure, stack = panels(len(OPERATIONS), 1, 7.6)
    pending: list[tuple[Axes, Sequence[Label], Sequence[Point]]] = []
    for axes, name in zip(stack, OPERATIONS, strict=True):
        ours, theirs = {}, {}
        for subject, result in results.items():
            operation = result.operations[name]
            ours[subject] = (operation.operations_per_s / 1e6, measured(result, operation))
            rate = _printed_rate(published, subject, name)
            value = printed(result, operation)
            if rate is not None and value is not None:
                theirs[subject] = (rate, value)
        labels = _scatter(axes, ours, theirs, colour_of)
        axes.set_title(OPERATION_TITLES[name], loc="left")
        axes.set_ylabel(y_label)
        _scale(axes, [*ours.values(), *theirs.values()], y_scale)
        pending.append((axes, labels, [*ours.values(), *theirs.values()]))
    stack[-1].set_xlabel(_X_LABEL)
    _legend(stack[0])
    label_points(figure, pending)
    return figure


def _printed_rate(published: Published, subject: str, operation: str) -> float | None:
    cycles = published.value(subject, operation, "cycles_normalized")
    clock_ns = published.value("clock")
    return None if None in (cycles, clock_ns) else 1e3 / (cycles * clock_ns)


def _thousands(value: float | None) -> float | None:
    return None if value is None else value / 1e3


def _scatter(
    axes: Axes,
    ours: Mapping[str, Point],
    theirs: Mapping[str, Point],
    colour_of: Mapping[str, str],
) -> list[Label]:
    """Draw the points; a thin line joins what is measured and what is printed of one system."""
    labels = []
    for marker, (name, point) in zip(cycle(_MARKERS), ours.items(), strict=False):
        colour = colour_of[name]
        if name in theirs:
            axes.plot(*zip(point, theirs[name], strict=True), ":", color=colour, linewidth=1)
            axes.plot(
                *theirs[name],
                marker,
                markersize=7,
                markerfacecolor="none",
                markeredgecolor=colour,
                markeredgewidth=1.4,
            )
        axes.plot(*point, marker, markersize=7.5, color=colour)
        labels.append(Label(name, *point, colour))
    return labels


def _scale(axes: Axes, points: Sequence[Point], y_scale: str) -> None:
    """Leave room for the labels; ticks of logarithmic axes are plain numbers."""
    xs, ys = zip(*points, strict=True)
    axes.set_xscale("log")
    axes.set_yscale(y_scale)
    axes.set_xlim(min(xs) / 1.7, max(xs) * 1.7)
    logarithmic: list[Axis] = [axes.xaxis]
    if y_scale == "log":
        axes.set_ylim(min(ys) / 1.7, max(ys) * 1.7)
        logarithmic.append(axes.yaxis)
    else:
        axes.set_ylim(0, 1.15 * max(ys))
    for axis in logarithmic:
        plain_numbers(axis)


def _legend(axes: Axes) -> None:
    for face, label in ((INK, "measured"), ("none", "printed")):
        axes.plot([], [], "o", markerfacecolor=face, markeredgecolor=INK, markersize=6, label=label)
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
