"""The report's plots, as inline SVG for the page and as PNG files."""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from eval.report.areas import Part, breakdown
from eval.report.published import Published
from eval.report.results import OPERATION_TITLES, OPERATIONS, Result

# Readable on white and on near-black.
_COLOURS = ("#3b82f6", "#e8710a", "#16a34a", "#a855f7", "#db2777", "#0891b2")
_MARKERS = {"encrypt": "o", "decrypt": "s"}
# A colour that nothing else has: the page replaces it by the colour of its text.
_INK = "#0b0b0c"
_SIZE_IN = (5.2, 3.9)
_DPI = 200
_STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "text.color": _INK,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": _INK,
    "grid.alpha": 0.14,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
}


@dataclass(frozen=True)
class Plot:
    """A plot ready for the page.

    Parameters
    ----------
    name : str
        Name of its PNG file, without suffix.
    title, alt : str
        Heading, and what it shows in a sentence.
    svg : str
        Inline SVG that takes its ink from the text's colour.
    notes : tuple of str
        Keys of the notes that have to stand beside it.
    """

    name: str
    title: str
    alt: str
    svg: str
    notes: tuple[str, ...]


def draw(results: Mapping[str, Result], published: Published, output_dir: Path) -> list[Plot]:
    """Draw every plot over the designs that have results, and write the PNG files."""
    with matplotlib.rc_context(_STYLE):
        return [
            _finish(
                _area_performance(results, published),
                output_dir,
                "area_performance",
                "Area against performance",
                "Area over operations per second; down and right is better.",
                ("area_plot",),
            ),
            _finish(
                _energy_performance(results),
                output_dir,
                "energy_performance",
                "Energy against performance",
                "Energy per operation over operations per second; down and right is better.",
                ("glitches", "energy_plot"),
            ),
            _finish(
                _area_by_module(results, published),
                output_dir,
                "area_by_module",
                "Area by module",
                "Cell area of every multiplier, of the constants unit and of the rest.",
                (),
            ),
        ]


def colours(results: Mapping[str, Result]) -> dict[str, str]:
    """Colour of each design, in plots and tables alike."""
    return {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(results)}


def _area_performance(results: Mapping[str, Result], published: Published) -> Figure:
    figure, axes = _axes()
    clock_ns = published.value("clock")
    for name, colour in colours(results).items():
        result = results[name]
        area, printed = result.area_um2 / 1e3, published.value(name, "area")
        rates = [result.operations[x].operations_per_s / 1e6 for x in OPERATIONS]
        cycles = [published.value(name, x, "cycles") for x in OPERATIONS]
        comparable = None not in (printed, clock_ns, *cycles)
        _line(axes, name, colour, rates, [area] * 2, below=comparable and area < printed / 1e3)
        if comparable:
            label = f"{published.designs[name]['name']}, printed"
            rates = [1e3 / (count * clock_ns) for count in cycles]
            heights = [printed / 1e3] * 2
            below = area >= printed / 1e3
            _line(axes, label, colour, rates, heights, below=below, hollow=True)
    _labels(axes, "area in 1000 µm²")
    _legend(axes, printed=True)
    return figure


def _energy_performance(results: Mapping[str, Result]) -> Figure:
    figure, axes = _axes()
    for name, colour in colours(results).items():
        operations = [results[name].operations[x] for x in OPERATIONS]
        rates = [operation.operations_per_s / 1e6 for operation in operations]
        _line(axes, name, colour, rates, [operation.energy_nj for operation in operations])
    _labels(axes, "energy per operation in nJ (lower bound)")
    _legend(axes, printed=False)
    return figure


def _area_by_module(results: Mapping[str, Result], published: Published) -> Figure:
    rows: list[tuple[str, Part]] = [
        (name, part)
        for name, result in results.items()
        for part in breakdown(result.record["area_by_module"], result.area_um2)
    ]
    figure = Figure(figsize=(_SIZE_IN[0], 1.0 + 0.27 * (len(rows) + len(results))))
    axes = figure.add_subplot()
    colour_of = colours(results)
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
                axes.plot([printed / 1e3] * 2, [position - 0.45, position + 0.45], color=_INK)
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


def _axes() -> tuple[Figure, Axes]:
    figure = Figure(figsize=_SIZE_IN)
    return figure, figure.add_subplot()


def _line(
    axes: Axes,
    label: str,
    colour: str,
    xs: list[float],
    ys: list[float],
    *,
    below: bool = False,
    hollow: bool = False,
) -> None:
    """Draw a point per operation, joined, with a label at the highest or leftmost."""
    axes.plot(xs, ys, color=colour, linewidth=1.2, linestyle=":" if hollow else "-")
    for x, y, operation in zip(xs, ys, OPERATIONS, strict=True):
        axes.plot(
            x,
            y,
            _MARKERS[operation],
            markersize=7.5,
            markerfacecolor="none" if hollow else colour,
            markeredgecolor=colour,
            clip_on=False,
        )
    axes.annotate(
        label,
        min(zip(xs, ys, strict=True), key=lambda point: (-point[1], point[0])),
        (-4, -8 if below else 8),
        textcoords="offset points",
        va="top" if below else "bottom",
        color=colour,
        weight="normal" if hollow else "bold",
        fontsize=8.5 if hollow else 9.5,
    )


def _labels(axes: Axes, y_label: str) -> None:
    axes.set_xlabel("performance in million operations per second")
    axes.set_ylabel(y_label)
    axes.set_xlim(0, 1.14 * max(axes.dataLim.x1, 1e-9))
    axes.set_ylim(0, 1.2 * max(axes.dataLim.y1, 1e-9))


def _legend(axes: Axes, *, printed: bool) -> None:
    entries = [(_MARKERS[x], _INK, OPERATION_TITLES[x].lower()) for x in OPERATIONS]
    if printed:
        entries.append(("o", "none", "hollow: printed"))
    for marker, face, label in entries:
        axes.plot(
            [], [], marker, markerfacecolor=face, markeredgecolor=_INK, markersize=6, label=label
        )
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(entries))


def _finish(
    figure: Figure, output_dir: Path, name: str, title: str, alt: str, notes: tuple[str, ...]
) -> Plot:
    figure.savefig(
        output_dir / f"{name}.png",
        dpi=_DPI,
        bbox_inches="tight",
        facecolor="white",
        metadata={"Software": None},
    )
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": name}):
        figure.savefig(
            text, format="svg", bbox_inches="tight", transparent=True, metadata={"Date": None}
        )
    return Plot(name, title, alt, _inline(text.getvalue(), name, alt), notes)


def _inline(svg: str, name: str, alt: str) -> str:
    """Fit for HTML: nothing but the element, its ids its own, ink in the colour of the text."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    box = re.search(r'viewBox="[^"]*"', svg)
    head = f'<svg class="plot" {box[0]} role="img" aria-label="{alt}">'
    svg = head + svg[svg.index(">") + 1 :]
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    return svg.replace(_INK, "currentColor")
