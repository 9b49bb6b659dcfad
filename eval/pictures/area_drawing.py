"""Draws the area by module as a treemap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rsaxcel.eval.pictures.style import COLOURS, INK, area_text, title
from rsaxcel.eval.pictures.treemap import Tile, treemap
from rsaxcel.flow.record import Record
from rsaxcel.store.shown import shorten


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
