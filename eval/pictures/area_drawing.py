"""Draws the area by module as a treemap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rsaxcel.eval.pictures.style import COLOURS, INK, area_text, title
from rsaxcel.flow.names import SEPARATOR
from rsaxcel.flow.record import Record
from rsaxcel.store.shown import shorten

Edges = tuple[float, float, float, float]
"""Left and upper edge, width, height; y grows downwards."""

_LEAST = 0.002  # smallest share of the whole that has a tile of its own
_MARGIN, _HEAD = 0.004, 0.024  # of the drawing's width: gap between tiles, strip with a name


@dataclass(frozen=True)
class Tile:
    """Tile of a module with all that is in it."""

    path: str  # of the module; "": the whole circuit
    area_um2: float  # with all modules inside
    shape: Edges  # place of the tile
    depth: int  # number of tiles around it
    leaf: bool  # no tiles in it


def treemap(areas: Mapping[str, float], width: float = 1.0, height: float = 0.7) -> list[Tile]:
    """Arrange the modules of a circuit, a module before those inside it."""
    # What a module has beside its parts is a free field in its tile; sizes of tiles are exact
    # within one module only, because margins take space.
    inner: dict[str, list[str]] = {path: [] for path in areas}
    for path in areas:
        if path:
            inner[_parent(path, areas)].append(path)
    return list(_tiles("", (0.0, 0.0, width, height), areas, inner, 0))


def _parent(path: str, areas: Mapping[str, float]) -> str:
    while path:
        path = path.rpartition(SEPARATOR)[0]
        if path in areas:
            return path
    return ""


def _tiles(
    path: str,
    shape: Edges,
    areas: Mapping[str, float],
    inner: Mapping[str, Sequence[str]],
    depth: int,
) -> Iterator[Tile]:
    x, y, width, height = shape
    parts = sorted(
        (part for part in inner[path] if areas[part] >= _LEAST * areas[""]),
        key=lambda part: -areas[part],
    )
    place = (x + _MARGIN, y + _MARGIN + _HEAD, width - 2 * _MARGIN, height - 2 * _MARGIN - _HEAD)
    fits = place[2] > _HEAD and place[3] > _HEAD
    yield Tile(path, areas[path], shape, depth, not (parts and fits))
    if not (parts and fits):
        return
    own = max(0.0, areas[path] - sum(areas[part] for part in parts))
    values = [*(areas[part] for part in parts), own]
    for part, where in zip(parts, squarify(values, place), strict=False):
        yield from _tiles(part, where, areas, inner, depth + 1)


def squarify(values: Sequence[float], shape: Edges) -> list[Edges]:
    """Divide a rectangle in proportion to values, into rectangles that are nearly squares."""
    # Values go strip by strip along the shorter side, as long as the strip's worst ratio of sides
    # does not grow (M. Bruls, K. Huizing, J. van Wijk, "Squarified treemaps", 2000).
    x, y, width, height = shape
    total = sum(values)
    found: list[Edges] = []
    rest = [value * width * height / total for value in values] if total else []
    while rest:
        side = min(width, height)
        count = 1
        while count < len(rest) and _worst(rest[: count + 1], side) <= _worst(rest[:count], side):
            count += 1
        strip, rest = rest[:count], rest[count:]
        thick = sum(strip) / side if side else 0.0
        at = 0.0
        for value in strip:
            length = value / thick if thick else 0.0
            along_y = width >= height
            found.append((x, y + at, thick, length) if along_y else (x + at, y, length, thick))
            at += length
        if width >= height:
            x, width = x + thick, width - thick
        else:
            y, height = y + thick, height - thick
    return found


def _worst(strip: Sequence[float], side: float) -> float:
    """Worst ratio of sides in a strip of areas along a side."""
    total, most, least = sum(strip), max(strip), min(strip)
    if not least or not side:
        return float("inf") if not least and most else 1.0
    return max(side**2 * most / total**2, total**2 / (side**2 * least))


def draw_areas(record: Record, colour_of: Callable[[str], str] | None = None) -> Figure:
    """Draw the area by module (path) as a treemap; works for records without places, too."""
    areas = {"": record.area_um2, **record.area_by_module}
    figure = Figure(figsize=(7.6, 5.6))
    axes = figure.add_axes((0.01, 0.01, 0.98, 0.91))
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(0.7, 0)
    about = title(record, f"area by module, {area_text(record.area_um2)}")
    figure.text(0.012, 0.985, about, fontsize=9.5, va="top")
    tiles = treemap(areas)
    find = colour_of or _colours_by_depth(tiles)
    for tile in tiles:
        _tile(figure, axes, tile, find(tile.path), record)
    return figure


def _tile(figure: Figure, axes: Axes, tile: Tile, colour: str, record: Record) -> None:
    x, y, width, height = tile.shape
    face = _lighter(colour, max(0.0, 0.7 - 0.14 * tile.depth))
    look: Any = {"facecolor": face, "edgecolor": "white", "linewidth": 0.8}
    axes.add_patch(Rectangle((x, y), width, height, gid=f"area|{tile.path}", **look))
    name = tile.path.rpartition(".")[2] or record.design
    said = f"{name} {area_text(tile.area_um2)}"
    room = int(width * figure.get_figwidth() * 72 / (0.58 * 6.5)) - 1
    if height < 0.018 or room < 4:
        return
    text = said if len(said) <= room else shorten(name, room) if room >= 6 else name[:room]
    colour = "white" if _luminance(face) < 0.45 else INK
    style: Any = {"fontsize": 6.5, "va": "top", "color": colour}
    axes.text(x + 0.005, y + 0.004, text, clip_on=True, **style)


def _colours_by_depth(tiles: list[Tile]) -> Callable[[str], str]:
    """Give a colour to each part that branches off first, and to all that is in it."""
    inner: dict[str, list[str]] = {}
    for tile in tiles[1:]:
        around = max(
            (x.path for x in tiles if x.path != tile.path and _is_in(tile.path, x.path)), key=len
        )
        inner.setdefault(around, []).append(tile.path)
    top = ""
    while len(inner.get(top, ())) == 1:
        (top,) = inner[top]
    roots = {path: COLOURS[i % len(COLOURS)] for i, path in enumerate(inner.get(top, ()))}

    def find(path: str) -> str:
        return next((colour for x, colour in roots.items() if _is_in(path, x)), "#9aa3b2")

    return find


def _is_in(path: str, around: str) -> bool:
    return not around or path == around or path.startswith(f"{around}.")


def _lighter(colour: str, share: float) -> str:
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(x + (255 - x) * share):02x}" for x in parts)


def _luminance(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue
