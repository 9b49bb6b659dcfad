"""Treemap of the area by module: nested rectangles, each as large as its module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rsaxcel.flow.names import SEPARATOR

Rectangle = tuple[float, float, float, float]
"""Left and upper edge, width, height; y grows downwards."""

_LEAST = 0.002  # smallest share of the whole that has a tile of its own
_MARGIN, _HEAD = 0.004, 0.024  # of the drawing's width: gap between tiles, strip with a name


@dataclass(frozen=True)
class Tile:
    """Tile of a module with all that is in it."""

    path: str  # of the module; "": the whole circuit
    area_um2: float  # with all modules inside
    shape: Rectangle  # place of the tile
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
    shape: Rectangle,
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


def squarify(values: Sequence[float], shape: Rectangle) -> list[Rectangle]:
    """Divide a rectangle in proportion to values, into rectangles that are nearly squares."""
    # Values go strip by strip along the shorter side, as long as the strip's worst ratio of sides
    # does not grow (M. Bruls, K. Huizing, J. van Wijk, "Squarified treemaps", 2000).
    x, y, width, height = shape
    total = sum(values)
    found: list[Rectangle] = []
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
