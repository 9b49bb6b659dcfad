"""Plots of the accelerators on their own."""

from collections.abc import Callable, Mapping

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from eval.report.areas import Part, breakdown
from eval.report.drawing import INK, WIDTH_IN, Label, place_labels
from eval.report.published import Published
from eval.report.results import OPERATION_TITLES, OPERATIONS, OperationFigures, Result

_MARKERS = {"encrypt": "o", "decrypt": "s"}


def area_performance(results: Mapping[str, Result], colour_of: Mapping[str, str]) -> Figure:
    """Area over operations per second."""
    return _performance(
        results, colour_of, "area in 1000 µm²", lambda result, operation: result.area_um2 / 1e3
    )


def energy_performance(results: Mapping[str, Result], colour_of: Mapping[str, str]) -> Figure:
    """Energy over operations per second."""
    return _performance(
        results,
        colour_of,
        "energy per operation in nJ (lower bound)",
        lambda result, operation: operation.energy_nj,
    )


def _performance(
    results: Mapping[str, Result],
    colour_of: Mapping[str, str],
    y_label: str,
    height: Callable[[Result, OperationFigures], float],
) -> Figure:
    """Draw a point per operation, those of a design joined; its label stands at the left one."""
    figure = Figure(figsize=(WIDTH_IN, 3.9))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    points: list[tuple[float, float]] = []
    labels: list[Label] = []
    for name, result in results.items():
        colour = colour_of[name]
        operations = [result.operations[x] for x in OPERATIONS]
        xs = [operation.operations_per_s / 1e6 for operation in operations]
        ys = [height(result, operation) for operation in operations]
        axes.plot(xs, ys, color=colour, linewidth=1.2)
        for x, y, operation in zip(xs, ys, OPERATIONS, strict=True):
            axes.plot(x, y, _MARKERS[operation], markersize=7.5, color=colour)
        points += zip(xs, ys, strict=True)
        left = min(zip(xs, ys, strict=True))
        labels.append(Label(name, *left, colour))
    axes.set_xlabel("performance in million operations per second")
    axes.set_ylabel(y_label)
    axes.set_xlim(0, 1.14 * max(axes.dataLim.x1, 1e-9))
    axes.set_ylim(0, 1.2 * max(axes.dataLim.y1, 1e-9))
    _legend(axes)
    figure.canvas.draw()
    place_labels(axes, labels, points)
    return figure


def area_by_module(
    results: Mapping[str, Result], published: Published, colour_of: Mapping[str, str]
) -> Figure:
    """Cell area of every multiplier, of the constants unit and of the rest."""
    rows: list[tuple[str, Part]] = [
        (name, part)
        for name, result in results.items()
        for part in breakdown(result.record["area_by_module"], result.area_um2)
    ]
    figure = Figure(figsize=(WIDTH_IN, 1.0 + 0.27 * (len(rows) + len(results))))
    axes = figure.add_subplot()
    position, ticks, labels = 0.0, [], []
    widest = max((part.area_um2 for _, part in rows), default=1.0)
    for name in results:
        axes.text(
            0.008 * widest / 1e3, position, name, color=colour_of[name], weight="bold", va="center"
        )
        printed = published.value(name, "multiplier_area")
        for _, part in (row for row in rows if row[0] == name):
            position += 1
            alpha = 1.0 if part.kind == "multiplier" else 0.45
            axes.barh(position, part.area_um2 / 1e3, 0.72, color=colour_of[name], alpha=alpha)
            axes.text(
                (part.area_um2 + 0.012 * widest) / 1e3,
                position,
                f"{part.area_um2 / 1e3:.1f}",
                va="center",
                fontsize=8.5,
            )
            if part.kind == "multiplier" and printed:
                axes.plot([printed / 1e3] * 2, [position - 0.45, position + 0.45], color=INK)
            ticks.append(position)
            labels.append(part.label)
        position += 1
    axes.set_yticks(ticks, labels)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.invert_yaxis()
    axes.set_xlim(0, 1.12 * widest / 1e3)
    axes.set_xlabel("area in 1000 µm²; stroke: printed average of one multiplier")
    return figure


def _legend(axes: Axes) -> None:
    for operation in OPERATIONS:
        title = OPERATION_TITLES[operation].lower()
        axes.plot([], [], _MARKERS[operation], color=INK, markersize=6, label=title)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(OPERATIONS))
