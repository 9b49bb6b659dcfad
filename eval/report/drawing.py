"""What all plots have in common: style, colours, axes, labels in place, inline SVG and PNG."""

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from matplotlib.transforms import Bbox

# Readable on white and on near-black.
_COLOURS = (
    *("#3b82f6", "#e8710a", "#16a34a", "#a855f7", "#db2777", "#0891b2", "#ca8a04", "#64748b"),
    *("#dc2626", "#84a80d", "#a0673c", "#0d9488"),
)
# A colour that nothing else has: the page replaces it by the colour of its text.
INK = "#0b0b0c"
STYLE: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": INK,
    "grid.alpha": 0.14,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
}
WIDTH_IN = 5.2
_DPI = 200
# Where a label may stand, best place first: offset in points, and which side of it is anchored.
_PLACES: list[tuple[float, float, str, str]] = [
    (dx, dy, ha, va)
    for distance in (7, 14, 24, 36)
    for dx, dy, ha, va in (
        (distance, distance * 0.6, "left", "bottom"),
        (-distance, distance * 0.6, "right", "bottom"),
        (distance, -distance * 0.6, "left", "top"),
        (-distance, -distance * 0.6, "right", "top"),
        (0, distance, "center", "bottom"),
        (0, -distance, "center", "top"),
        (distance, 0, "left", "center"),
        (-distance, 0, "right", "center"),
    )
]
_MARKER_PIXELS = 7.0
_LABEL_PADDING_PIXELS = 3.0


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


@dataclass(frozen=True)
class Label:
    """Text for a point."""

    text: str
    x: float
    y: float
    colour: str


def colours(names: Iterable[str]) -> dict[str, str]:
    """Colour of each name, in their order; an accelerator's is its system's, too."""
    names = list(names)
    bare = dict.fromkeys(name.removeprefix("proc_") for name in names)
    found = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(bare)}
    return {name: found[name.removeprefix("proc_")] for name in names}


def panels(rows: int, columns: int, height_in: float, **options: Any) -> tuple[Figure, Any]:
    """Make a figure of the page's width; ``options`` are those of ``Figure.subplots``."""
    figure = Figure(figsize=(WIDTH_IN, height_in), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, columns, **options)


def plain_numbers(axis: Axis) -> None:
    """Write 20 and 0.5 rather than powers of ten, at 1, 2 and 5, on a logarithmic axis."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def ticks_at(axis: Axis, values: Sequence[int]) -> None:
    """Mark these values, and no others, on an axis of any scale."""
    axis.set_ticks(values, [str(value) for value in values])
    axis.set_minor_locator(NullLocator())


def from_zero(axes: Axes) -> None:
    """Begin the vertical axis at 0, and leave room above what was drawn."""
    axes.set_ylim(0, 1.12 * max(axes.dataLim.y1, 1e-9))


def draw_line(axes: Axes, points: Iterable[tuple[float, float | None]], **style: Any) -> None:
    """Join points by a line, without those that have no figure."""
    known = [point for point in points if point[1] is not None]
    if known:
        usual: dict[str, Any] = {"marker": "o", "markersize": 5}
        axes.plot(*zip(*known, strict=True), **(usual | style))


def label_points(
    figure: Figure,
    labelled: Iterable[tuple[Axes, Sequence[Label], Iterable[tuple[float, float]]]],
) -> None:
    """Lay the figure out, then label the points of its axes as ``place_labels`` does."""
    # Labels go by the final size of the axes.
    figure.canvas.draw()
    figure.set_layout_engine("none")
    for axes, labels, points in labelled:
        place_labels(axes, labels, points)


def place_labels(
    axes: Axes, labels: Sequence[Label], points: Iterable[tuple[float, float]]
) -> None:
    """Write each label next to its point, where it covers neither a point nor another label.

    Parameters
    ----------
    axes : Axes
        With its final limits and size.
    labels : sequence of Label
        Those that matter most come first.
    points : iterable of tuple of float
        All points that must stay free.
    """
    canvas: Any = axes.figure.canvas  # Agg's, the only one with a renderer
    renderer = canvas.get_renderer()
    frame = axes.get_window_extent(renderer)
    centres = [axes.transData.transform(point) for point in points]
    taken = [Bbox.from_extents(*(c - _MARKER_PIXELS), *(c + _MARKER_PIXELS)) for c in centres]
    for label in labels:
        text = axes.annotate(
            label.text,
            (label.x, label.y),
            textcoords="offset points",
            xytext=(0, 0),
            color=label.colour,
            weight="bold",
            fontsize=8.5,
            annotation_clip=False,
        )

        def cost(place: tuple[float, float, str, str], text=text) -> tuple[float, int]:
            box = _move(text, place, renderer)
            covered = sum(_overlap(box, other) for other in taken)
            outside = box.width * box.height - _overlap(box, frame)
            return round(covered + outside, 3), _PLACES.index(place)

        taken.append(_move(text, min(_PLACES, key=cost), renderer).padded(_LABEL_PADDING_PIXELS))


def _move(text, place, renderer) -> Bbox:
    text.xyann = place[:2]
    text.set_ha(place[2])
    text.set_va(place[3])
    return text.get_window_extent(renderer)


def _overlap(one: Bbox, other: Bbox) -> float:
    box = Bbox.intersection(one, other)
    return box.width * box.height if box else 0.0


def finish(
    figure: Figure, output_dir: Path, name: str, title: str, alt: str, notes: tuple[str, ...]
) -> Plot:
    """Write the PNG file and give the plot for the page."""
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
    assert box is not None  # Matplotlib writes one
    head = f'<svg class="plot" {box[0]} role="img" aria-label="{alt}">'
    svg = head + svg[svg.index(">") + 1 :]
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    return svg.replace(INK, "currentColor")
