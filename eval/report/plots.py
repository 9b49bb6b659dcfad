"""Draws the plots of a study, as inline SVG for the page and as PNG files."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rsaxcel.eval.facts.areas import breakdown, labels_of
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.labels import Name, Point, draw_equal_products, name_points, scale
from rsaxcel.eval.report.names import caption, label_of
from rsaxcel.eval.report.spec import Column, Panel, Parts, Plot
from rsaxcel.eval.report.tables import applied, merged
from rsaxcel.store.shown import choices_text

# A colour with no other use: the page replaces it by the colour of its text.
INK = "#0b0b0c"
STYLE: Any = {
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "grid.color"), INK),
    **dict.fromkeys(("xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon"), False),
    **{"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9.5},
    **{"axes.titlesize": 9.5, "axes.titleweight": "bold", "legend.fontsize": 8.5},
    **{"axes.grid": True, "axes.axisbelow": True, "grid.alpha": 0.14},
}
WIDTH_IN = 5.2
_DPI = 160
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*")
HOLLOW: Any = {"markerfacecolor": "none", "markeredgewidth": 1.4}
#: Pattern of the id that Matplotlib writes into the SVG for an element: it has the name of the
#: series, and the text of the tooltip.
MARK = "mark|{}|{}"


@dataclass(frozen=True)
class Drawing:
    """Plot for the page."""

    key: str  #: name of the PNG file
    title: str
    svg: str  #: plot inline, in the colour of the page's text
    notes: tuple[str, ...]
    narrow: str = ""  #: SVG for a narrow screen, with fewer names; empty: `svg`


def draw(
    plot: Plot | Parts, facts: Facts, colour_of: Mapping[str, str], folder: Path
) -> Drawing | None:
    """Draw a plot and write its PNG file; None if there is nothing to show."""
    asked = _Asked(facts)
    with matplotlib.rc_context(STYLE):
        if isinstance(plot, Parts):
            figure = _bars(plot, asked, colour_of)
        else:
            figure = _panels(plot, asked, colour_of)
        title = caption(plot.title, asked.ours)
        return finish(figure, plot.key, title, plot.alt, folder, plot.notes) if figure else None


class _Asked:
    """Facts, with a list ``ours`` of the measured facts that a plot has requested."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.ours: list[Fact] = []

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._facts)

    def value(self, where: Mapping[str, Any], *, printed: bool) -> Any:
        fact = self._facts.find(where, printed=printed)
        if fact is not None and not printed:
            self.ours.append(fact)
        return fact and fact.value


@dataclass(frozen=True)
class _Series:
    """Measured and printed points of a series, by their index in ``Panel.points``."""

    name: str
    label: str
    colour: str
    ours: dict[int, Point]
    theirs: dict[int, Point]

    @property
    def points(self) -> list[Point]:
        return [*self.ours.values(), *self.theirs.values()]


def _series(panel: Panel, column: Column, facts: _Asked, colour: str) -> _Series:
    def points(printed: bool) -> dict[int, Point]:
        found = {}
        for index, point in enumerate(panel.points):
            where = merged(panel.where, column.where)
            where = merged(where, applied(point, where))
            if printed:
                where |= column.printed
            y = where.pop("y", panel.y)
            flat = {**where, **where.get("choices", {})}
            ends = [
                flat.get(name)
                if name not in QUANTITIES
                else facts.value({**where, "quantity": name}, printed=printed)
                for name in (panel.x, y)
            ]
            if None not in ends:
                found[index] = (float(ends[0]), float(ends[1]))  # type: ignore[arg-type]
        return found

    ours, theirs = panel.measured and points(False), panel.printed and points(True)
    return _Series(column.key, label_of(column), colour, ours or {}, theirs or {})


def _panels(plot: Plot, facts: _Asked, colour_of: Mapping[str, str]) -> Figure | None:
    def series(panel: Panel) -> list[_Series]:
        found = (_series(panel, x, facts, colour_of[x.key]) for x in panel.series)
        return [x for x in found if x.points]

    panels = [panel for row in plot.panels for panel in row]
    drawn = [series(panel) for panel in panels]
    if not any(x.ours for shown in drawn for x in shown):
        return None
    figure = Figure(figsize=(WIDTH_IN, plot.height_in), layout="constrained")
    grid = figure.subplots(len(plot.panels), len(plot.panels[0]), squeeze=False)
    names: dict[Axes, list[Name]] = {}
    handles: dict[str, Any] = {}
    for axes, panel, shown in zip(grid.flat, panels, drawn, strict=True):
        if not shown:
            axes.set_visible(False)
            continue
        _draw_panel(axes, panel, shown)
        if panel.names:
            names[axes] = _names(shown)
        handles |= _handles(axes, panel, shown)
    if handles:
        columns = 2 if len(handles) < 7 else 3
        figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=columns)
    name_points(figure, names)
    return figure


def _draw_panel(axes: Axes, panel: Panel, shown: Sequence[_Series]) -> None:
    many = len(panel.points) > 1
    for number, series in enumerate(shown):
        for points, style in ((series.ours, "-"), (series.theirs, ":")):
            if many and len(points) > 1:
                ends = zip(*points.values(), strict=True)
                gid = MARK.format(series.name, "")
                axes.plot(*ends, style, color=series.colour, linewidth=1.2, gid=gid)
        for index in () if many else series.ours.keys() & series.theirs.keys():
            ends = zip(series.ours[index], series.theirs[index], strict=True)
            gid = MARK.format(series.name, "")
            axes.plot(*ends, ":", color=series.colour, linewidth=1, gid=gid)
        own = _MARKERS[0 if many else number % len(_MARKERS)]
        look: Any
        for whose, markers, face in (
            ("printed", series.theirs, HOLLOW),
            ("measured", series.ours, {}),
        ):
            for index, point in markers.items():
                look = {"color": series.colour, "markersize": 6.5, **face}
                look["gid"] = MARK.format(series.name, _said(panel, index, point, whose))
                marker = _MARKERS[index] if panel.point_names else own
                axes.plot(*point, marker, **look)
    if panel.title:
        axes.set_title(panel.title, loc="left")
    axes.set_xlabel(panel.x_label or _heading(panel.x))
    axes.set_ylabel(panel.y_label or _heading(panel.y))
    scale(axes, panel, [point for series in shown for point in series.points])
    if panel.products:
        draw_equal_products(axes, INK)


def _said(panel: Panel, index: int, point: Point, whose: str) -> str:
    """Tooltip of a point: its name, its figures, and ``measured`` or ``printed``."""
    named = [panel.point_names[index]] if panel.point_names else []
    labels = (panel.x_label or _heading(panel.x), panel.y_label or _heading(panel.y))
    values = (f"{label}: {value:,.5g}" for label, value in zip(labels, point, strict=True))
    return "; ".join((*named, *values, whose))


def _heading(name: str) -> str:
    if name in QUANTITIES:
        return QUANTITIES[name].heading
    return {"nbits": "width in bits"}.get(name, name)


def _handles(axes: Axes, panel: Panel, shown: Sequence[_Series]) -> dict[str, Any]:
    """Entries of the legend by label: series, point names, and filled and hollow markers."""

    def handle(*style: Any, **more: Any) -> Any:
        return axes.plot([], [], *style, **more)[0]

    found: dict[str, Any] = {}
    if not panel.names:
        found |= {series.label: handle("o-", color=series.colour) for series in shown}
    for marker, name in zip(_MARKERS, panel.point_names, strict=False):
        found[name] = handle(marker, color=INK)
    if panel.measured and any(series.theirs for series in shown):
        found["measured"] = handle("o", color=INK)
        found["printed"] = handle("o", color=INK, **HOLLOW)
    return found


def _names(shown: Sequence[_Series]) -> list[Name]:
    names = []
    for series in shown:
        points = series.ours or series.theirs
        look = {"weight": "bold", "fontsize": 8.5, "color": series.colour}
        look["gid"] = MARK.format(series.name, "")
        names.append(Name(series.label, points[min(points)], look))
    return names


def _bars(plot: Parts, facts: _Asked, colour_of: Mapping[str, str]) -> Figure | None:
    """Draw bars of cell areas: multipliers, units for constants and other parts of each subject."""
    found = []
    for column in plot.columns:
        where = {"choices": {}, **merged(plot.where, column.where)}
        total = facts.value({**where, "quantity": "area_um2"}, printed=False)
        own = {**where, "choices": choices_text(where["choices"]), "quantity": "area_um2"}
        areas = {
            fact.part: float(fact.value)
            for fact in facts
            if fact.part and all(getattr(fact, name) == x for name, x in own.items())
        }
        if total and areas:
            labels = labels_of(where["subject"], where["nbits"], where["choices"])
            found.append((column, breakdown(areas, total, labels)))
    if not found:
        return None
    count = sum(len(parts) + 1 for _, parts in found)
    figure = Figure(figsize=(WIDTH_IN, 1.0 + 0.27 * count))
    axes = figure.add_subplot()
    widest = max(part.area_um2 for _, parts in found for part in parts)
    position, ticks = 0.0, {}
    for column, parts in found:
        colour = colour_of[column.key]
        style: Any = {"color": colour, "weight": "bold", "va": "center"}
        axes.text(0.008 * widest / 1e3, position, label_of(column), **style)
        where = merged(plot.where, column.where) | dict(column.printed)
        printed = facts.value({**where, "quantity": "multiplier_area_um2"}, printed=True)
        for part in parts:
            position += 1
            whole = part.kind == "multiplier"
            area = end = part.area_um2 / 1e3
            (bar,) = axes.barh(position, area, 0.72, color=colour, alpha=1.0 if whole else 0.45)
            bar.set_gid(MARK.format(column.key, f"{part.label}: {part.area_um2:,.0f} µm²"))
            if whole and printed:
                stroke = printed / 1e3
                axes.plot([stroke] * 2, [position - 0.45, position + 0.45], color=INK)
                # The stroke marks the printed area. Put the bar's label to the right of the stroke
                # if the stroke would cross the label.
                end = stroke if area < stroke < area + 0.1 * widest / 1e3 else area
            beside: Any = {"textcoords": "offset points", "va": "center", "fontsize": 8.5}
            axes.annotate(f"{area:.1f}", (end, position), (3, 0), **beside)
            ticks[position] = part.label
        position += 1
    axes.set_yticks(list(ticks), list(ticks.values()))
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.invert_yaxis()
    axes.set_xlim(0, 1.12 * widest / 1e3)
    axes.set_xlabel("area in 1000 µm²; stroke: printed average of one multiplier")
    return figure


def finish(
    figure: Figure, key: str, title: str, alt: str, folder: Path, notes: tuple[str, ...] = ()
) -> Drawing:
    """Write the PNG file of a figure, and return the drawing for the page."""
    style: Any = {"bbox_inches": "tight"}
    white: Any = {"dpi": _DPI, "facecolor": "white", "metadata": {"Software": None}}
    figure.savefig(folder / f"{key}.png", **style, **white)
    return Drawing(key, title, to_svg(figure, key, alt), notes)


def to_svg(figure: Figure, name: str, alt: str, kind: str = "plot") -> str:
    """Draw a figure as an element for HTML with the classes ``kind``; see ``finish``."""
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": name}):
        style: Any = {"bbox_inches": "tight", "metadata": {"Date": None}}
        figure.savefig(text, format="svg", transparent=True, **style)
    return _inline(text.getvalue(), name, alt, kind)


def _inline(svg: str, name: str, alt: str, kind: str) -> str:
    """Turn an SVG file into an element for HTML: the page's colour of text, unique ids."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    box = re.search(r'viewBox="[^"]*"', svg)
    assert box is not None  # Matplotlib always writes a viewBox
    head = f'<svg class="{kind}" {box[0]} role="img" aria-label="{alt}">'
    svg = head + svg[svg.index(">") + 1 :]
    svg = re.sub(r'<g id="mark\|([^"|]*)\|([^"]*)">', _marked, svg)
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    return svg.replace(INK, "currentColor")


def _marked(found: re.Match[str]) -> str:
    """Return a start tag with the series' name and tooltip, for an id of the form ``MARK``."""
    series, said = found.groups()
    group = f'<g class="{"mark" if said else "line"}" data-series="{series}">'
    return f"{group}<title>{series}: {said}</title>" if said else group
