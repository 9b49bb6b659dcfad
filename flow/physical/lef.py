"""Geometry of a library: layers, site and cells, from the kit's LEF files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, CellKind, KindPin
from rsaxcel.store.whole_files import read_text

_COMMENT = re.compile(r"#[^\n]*")
_BLOCK = re.compile(
    r"^[ \t]*(LAYER|SITE|MACRO)[ \t]+(\S+)\s*$(.*?)^[ \t]*END[ \t]+\2[ \t]*$", re.M | re.S
)
_PIN = re.compile(r"^[ \t]*PIN[ \t]+(\S+)\s*$(.*?)^[ \t]*END[ \t]+\1[ \t]*$", re.M | re.S)
_TABLE = re.compile(r"\bSPACINGTABLE\b[^;]*;")
_END = re.compile(r"^[ \t]*END[ \t]+LIBRARY\b", re.M)
_ENCLOSURE = re.compile(r"^\s*ENCLOSURE\s+(?:(?:BELOW|ABOVE)\s+)?(\S+)\s+(\S+)", re.M)
_UNITS = re.compile(r"^\s*DATABASE\s+MICRONS\s+(\d+)\s*;", re.M)
_LARGEST = 1e6  #: um or ohms: above every number in a LEF file
_SHAPE = re.compile(r"\b(LAYER|RECT|POLYGON)\s+([^;]*);")

Rectangle = tuple[int, int, int, int]  #: left, lower, right and upper edge, in database units

#: Layers and shapes of a cell's supply pins, by the pin's name and whether it is the ground.
_Supplies = dict[tuple[str, bool], list[tuple[str, Rectangle]]]


@dataclass(frozen=True)
class CutLayer:
    """Vias from a layer to the next one above; lengths in database units."""

    layer: str
    size: int  #: edge of a square cut
    spacing: int  #: least distance of two cuts
    enclosure: int = 0  #: least width of the metal around a cut, on either layer

    @property
    def metal(self) -> int:
        """Least width of the metal around one cut."""
        return self.size + 2 * self.enclosure


@dataclass(frozen=True)
class Layer:
    """A metal layer; lengths in database units."""

    name: str
    is_horizontal: bool  #: preferred direction of wires
    pitch: int  #: distance of two tracks, across the preferred direction
    offset: int  #: distance of the first track from the origin
    width: int
    spacing: int  #: least distance of two narrow wires
    ohm_per_square: float
    area_ff_per_um2: float  #: capacitance to the ground, not between wires
    edge_ff_per_um: float  #: capacitance of each of the two edges
    via_ohm: float  #: resistance of a via to the next layer above; 0 if not stated
    #: Widths, ascending, and the least distance of a wire from a long shape that is wider.
    wide_spacings: tuple[tuple[int, int], ...] = ()
    cut: CutLayer | None = None  #: vias to the next layer above; None: highest layer

    def spacing_to(self, width: int) -> int:
        """Least distance of a wire from a long shape of a width, in database units."""
        wider = (spacing for least, spacing in self.wide_spacings if width > least)
        return max(self.spacing, *wider, 0)


@dataclass(frozen=True)
class Rails:
    """Supplies of the rails along the lower and upper edges of cells in orientation N."""

    lower: str  #: name of pin and net
    upper: str  #: name of pin and net
    lower_is_ground: bool
    layer: str
    width: int


@dataclass(frozen=True)
class Geometry:
    """Geometry of a library; ``site`` is the name, width and height of the rows' site."""

    site: tuple[str, int, int]
    layers: tuple[Layer, ...]  #: metal layers, from the lowest to the highest
    kinds: tuple[CellKind, ...]  #: a pin's place is that of its largest rectangle
    rails: Rails
    units_per_um: int = 0  #: database units of the LEF files; 0: not stated

    def kind(self, name: str) -> CellKind:
        for kind in self.kinds:
            if kind.name == name:
                return kind
        raise FlowError(f"the library's LEF files have no cell {name}")

    def fitting(self, patterns: Sequence[str]) -> list[CellKind]:
        """Cells whose names fit patterns; ``FlowError`` if none fits one of them."""
        found: dict[str, CellKind] = {}
        for pattern in patterns:
            names = [x for x in self.kinds if fnmatchcase(x.name, pattern)]
            if not names:
                self.kind(pattern)
            found |= {x.name: x for x in names}
        return list(found.values())


def geometry(kit: Kit) -> Geometry:
    """Geometry of a library, from its LEF files; ``FlowError`` if it has none, or wrong ones."""
    if not kit.layout.lef:
        raise FlowError(f"library {kit.name} has no LEF geometry: placement is not possible")
    return _on_tracks(kit.layout.lef, kit.layout.tracks)


@lru_cache(2)
def _on_tracks(
    paths: tuple[Path, ...], tracks: tuple[tuple[str, float, float, float, float], ...]
) -> Geometry:
    """Read geometry; tracks of the kit replace those of the LEF files."""
    found, given = _read(paths), {name: values for name, *values in tracks}
    changed = []
    for layer in found.layers:
        if layer.name in given:
            values = [round(x * DBU_PER_UM) for x in given[layer.name]]
            offset, pitch = values[2:] if layer.is_horizontal else values[:2]
            layer = replace(layer, offset=offset, pitch=pitch)
        changed.append(layer)
    return replace(found, layers=tuple(changed))


@lru_cache(2)
def _read(paths: tuple[Path, ...]) -> Geometry:
    try:
        texts = [read_text(path, "replace") for path in paths]
    except OSError as error:
        raise FlowError(f"cannot read {error.filename}: {error.strerror}") from error
    names = ", ".join(map(str, paths))
    blocks: dict[str, dict[str, str]] = {"LAYER": {}, "SITE": {}, "MACRO": {}}
    for path, text in zip(paths, (_COMMENT.sub("", x) for x in texts), strict=True):
        if not _END.search(text):
            raise FlowError(f"{path}: cut off: it does not end with END LIBRARY")
        for block in _BLOCK.finditer(text):
            blocks[block[1]].setdefault(block[2], block[3])
    try:
        macros = {name: _macro(name, text) for name, text in blocks["MACRO"].items()}
        metal = _layers(blocks["LAYER"], "\n".join(texts))
        site = _site(blocks)
        rails = _rails(macros.values())
    except (ValueError, KeyError) as error:
        raise FlowError(f"{names}: not the LEF files of a library ({error})") from error
    units = _UNITS.search("\n".join(texts))
    pins_in_order = _alike(kind for kind, _ in macros.values())
    return Geometry(site, metal, pins_in_order, rails, int(units[1]) if units else 0)


def _alike(kinds: Iterable[CellKind]) -> tuple[CellKind, ...]:
    """Give cells with the same pins one order of pins, whatever their order in the file."""
    orders: dict[frozenset[str], dict[str, int]] = {}
    found = []
    for kind in kinds:
        names = [pin.name for pin in kind.pins]
        order = orders.setdefault(frozenset(names), {x: at for at, x in enumerate(names)})
        found.append(replace(kind, pins=tuple(sorted(kind.pins, key=lambda x: order[x.name]))))
    return tuple(found)


def _number(text: str) -> float:
    number = float(text)
    if not abs(number) < _LARGEST:  # true for NaN, too
        raise ValueError(f"{text}, and up to {_LARGEST:g} is allowed")
    return number


def _dbu(text: str) -> int:
    return round(_number(text) * DBU_PER_UM)


def _words(key: str, text: str, default: str = "") -> list[str]:
    """Words of the statement that begins with a key."""
    found = re.search(rf"^\s*{key}\s+([^;]+);", text, re.M)
    if found is None and not default:
        raise ValueError(f"{key} is missing")
    words = (found[1] if found else default).split()
    if found and not words:
        raise ValueError(f"{key} has no value")
    return words


def _layers(blocks: dict[str, str], whole: str) -> tuple[Layer, ...]:
    found: list[Layer] = []
    for name, text in blocks.items():
        kind = _words("TYPE", text)[0]
        if kind == "CUT" and found:
            via_ohm = _number(_words("RESISTANCE", text, "0")[-1])
            found[-1] = replace(found[-1], cut=_cut(name, text, whole), via_ohm=via_ohm)
        if kind == "ROUTING":
            found.append(_layer(name, text))
    if not found:
        raise ValueError("there is no routing layer")
    return (*found[:-1], replace(found[-1], cut=None, via_ohm=0.0))


def _layer(name: str, text: str) -> Layer:
    horizontal = _words("DIRECTION", text)[0] == "HORIZONTAL"
    # One number, or one for x and one for y, of which the tracks' direction takes the other.
    pitch, offset = _words("PITCH", text), _words("OFFSET", text, "0")
    at = -1 if horizontal else 0
    table = _TABLE.search(text)
    text = _TABLE.sub("", text)
    rows = [row.split() for row in re.split(r"\bWIDTH\b", table[0][:-1])[1:]] if table else []
    return Layer(
        name,
        horizontal,
        _dbu(pitch[at]),
        _dbu(offset[at]),
        _dbu(_words("WIDTH", text)[0]),
        _dbu(rows[0][1] if rows else _words("SPACING", text)[0]),
        _number(_words(r"RESISTANCE\s+RPERSQ", text, "0")[0]),
        1000 * _number(_words(r"CAPACITANCE\s+CPERSQDIST", text, "0")[0]),
        1000 * _number(_words("EDGECAPACITANCE", text, "0")[0]),
        0.0,
        tuple((_dbu(width), _dbu(spacings[-1])) for width, *spacings in rows),
    )


def _cut(name: str, text: str, whole: str) -> CutLayer:
    """Read a layer of cuts; if it states no width, the first via that has a cut on it does."""
    spacing = _dbu(_words("SPACING", text)[0])
    around = [_dbu(x) for pair in _ENCLOSURE.findall(text) for x in pair]
    enclosure = max(around, default=0)
    if width := _words("WIDTH", text, " "):
        return CutLayer(name, _dbu(width[0]), spacing, enclosure)
    cut = re.search(rf"^\s*LAYER\s+{name}\s*;\s*RECT\s+(\S+)\s+\S+\s+(\S+)", whole, re.M)
    if cut is None:
        raise ValueError(f"there is no via on {name}")
    return CutLayer(name, _dbu(cut[2]) - _dbu(cut[1]), spacing, enclosure)


def _size(text: str) -> tuple[int, int]:
    width, _, height = words = _words("SIZE", text)
    if min(size := (_dbu(width), _dbu(height))) <= 0:
        raise ValueError(f"SIZE {' '.join(words)}, which is not above 0")
    return size


def _site(blocks: dict[str, dict[str, str]]) -> tuple[str, int, int]:
    """Site of the rows: that of most cells, because a technology may have sites of pads, too."""
    names = [words[0] for x in blocks["MACRO"].values() if (words := _words("SITE", x, " "))]
    if not names:
        raise ValueError("the cells have no SITE")
    name = max(set(names), key=names.count)
    return name, *_size(blocks["SITE"][name])


def _macro(name: str, text: str) -> tuple[CellKind, _Supplies]:
    """Read a cell, and the shapes of its supply pins."""
    dx, dy = map(_dbu, _words("ORIGIN", text, "0 0"))
    pins = []
    supplies: _Supplies = {}
    for pin in _PIN.finditer(text):
        shapes = [(layer, _moved(x, dx, dy)) for layer, x in _shapes(pin[2])]
        if not shapes:
            raise ValueError(f"pin {pin[1]} of {name} has no shape")
        use = _words("USE", pin[2], "SIGNAL")[0].upper()
        if use in ("POWER", "GROUND"):
            supplies[pin[1], use == "GROUND"] = shapes
            continue
        left, low, right, high = max((x for _, x in shapes), key=_area)
        is_output = _words("DIRECTION", pin[2])[0] == "OUTPUT"
        pins.append(KindPin(pin[1], is_output, (left + right) // 2, (low + high) // 2))
    return CellKind(name, *_size(text), tuple(pins)), supplies


def _moved(shape: Rectangle, dx: int, dy: int) -> Rectangle:
    return shape[0] + dx, shape[1] + dy, shape[2] + dx, shape[3] + dy


def _area(shape: Rectangle) -> int:
    return (shape[2] - shape[0]) * (shape[3] - shape[1])


def _shapes(text: str) -> Iterator[tuple[str, Rectangle]]:
    """Yield rectangles of a pin with their layers; a polygon gives those of its slices."""
    layer = ""
    for what, words in _SHAPE.findall(text):
        if what == "LAYER":
            layer = words.split()[0]
            continue
        numbers = [_dbu(x) for x in words.split()]
        corners = list(zip(numbers[::2], numbers[1::2], strict=True))
        if what == "RECT":
            (left, low), (right, high) = corners
            yield layer, (left, low, right, high)
        else:
            yield from ((layer, x) for x in _slices(corners))


def _slices(corners: Sequence[tuple[int, int]]) -> Iterator[Rectangle]:
    """Cut a polygon of horizontal and vertical edges into rectangles, along and across."""
    for across in (False, True):
        points = [(y, x) for x, y in corners] if across else list(corners)
        edges = [
            (x, *sorted((y, end)))
            for (x, y), (same, end) in zip(points, [*points[1:], points[0]], strict=True)
            if x == same
        ]
        levels = sorted({y for _, y in points})
        for low, high in pairwise(levels):
            walls = sorted(x for x, start, end in edges if start <= low and end >= high)
            for left, right in zip(walls[::2], walls[1::2], strict=True):
                yield (low, left, high, right) if across else (left, low, right, high)


def _rails(macros: Iterable[tuple[CellKind, _Supplies]]) -> Rails:
    """Find the rails by the supply pins of a cell, which reach over its lower and upper edge."""
    for kind, supplies in macros:
        lower = upper = None
        for pin, shapes in supplies.items():
            for layer, (left, low, right, high) in shapes:
                if left > 0 or right < kind.width:
                    continue  # a branch of the rail
                if low < 0 < high:
                    lower = (pin, layer, high - low)
                elif low < kind.height < high:
                    upper = pin
        if lower and upper:
            (name, is_ground), layer, width = lower
            return Rails(name, upper[0], is_ground, layer, width)
    raise ValueError("no cell has supply pins at its lower and upper edge")


def metal_layers(paths: tuple[Path, ...]) -> tuple[Layer, ...]:
    """Metal layers of LEF files, from the lowest to the highest."""
    return _read(paths).layers


def classes(paths: tuple[Path, ...]) -> dict[str, tuple[str, int]]:
    """Class and width of each cell in LEF files, such as ``CORE SPACER``, by name."""
    found = {}
    for path in paths:
        for block in _BLOCK.finditer(_COMMENT.sub("", read_text(path, "replace"))):
            if block[1] == "MACRO":
                try:
                    kind = " ".join(_words("CLASS", block[3], "CORE"))
                    found[block[2]] = kind, _size(block[3])[0]
                except ValueError as error:
                    raise FlowError(f"{path}: cell {block[2]}: {error}") from error
    return found
