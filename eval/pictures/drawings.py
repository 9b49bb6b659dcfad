"""Draws pictures of placed circuits with Matplotlib, for papers and for the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from rsaxcel.eval.pictures.placed import OTHERS, CellGroup, ClockTree, DrawnCore, Placed, parts_of
from rsaxcel.eval.pictures.style import COLOURS, FAINT, GREY, INK, STYLE, area_text, percent
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.embedded.capacity import Congestion
from rsaxcel.flow.record import Record
from rsaxcel.store.shown import shorten

#: Left and upper edge, width, height; y grows downwards.
Edges = tuple[float, float, float, float]

_LEAST = 0.002  #: smallest share of the whole that has a tile of its own
_MARGIN, _HEAD = 0.004, 0.024  #: gap between tiles and strip with a name, over the drawing's width


@dataclass(frozen=True)
class Tile:
    """Tile of a module with all modules inside."""

    path: str  #: path of the module; "": the whole circuit
    area_um2: float  #: area with all modules inside
    shape: Edges  #: place of the tile
    depth: int  #: number of tiles around it


def treemap(areas: Mapping[str, float]) -> list[Tile]:
    """Arrange the modules of a circuit, a module before those inside it."""
    # A module's cells outside its parts are a free field in its tile; sizes of tiles are exact
    # within one module only, because margins take space.
    return list(_tiles("", (0.0, 0.0, 1.0, 0.7), areas, parts_of(areas), 0))


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
    yield Tile(path, areas[path], shape, depth)
    if not (parts and fits):
        return
    own = max(0.0, areas[path] - sum(areas[part] for part in parts))
    values = [*(areas[part] for part in parts), own]
    for part, where in zip(parts, squarify(values, place), strict=False):
        yield from _tiles(part, where, areas, inner, depth + 1)


def squarify(values: Sequence[float], shape: Edges) -> list[Edges]:
    """Divide a rectangle in proportion to values, into rectangles that are nearly squares.

    Values go strip by strip along the shorter side, as long as the strip's worst ratio of sides
    does not grow (M. Bruls, K. Huizing, J. van Wijk, "Squarified treemaps", 2000).
    """
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


def draw_areas(record: Record) -> Figure:
    """Draw the area by module (path) as a treemap; works for records without places, too."""
    figure = Figure(figsize=(7.6, 5.6))
    about = _title(record, f"area by module, {area_text(record.area_um2)}")
    figure.text(0.012, 0.985, about, fontsize=9.5, va="top")
    _draw_tiles(figure, figure.add_axes((0.01, 0.01, 0.98, 0.91)), record)
    return figure


def _title(circuit: Record | DrawnCore, about: str) -> str:
    """Write the text above a picture: the circuit, and what the picture shows."""
    return f"{circuit.design}, {circuit.nbits} bits, {circuit.stage}\n{about}"


def draw_plain_areas(record: Record, colour_of: Callable[[str], str]) -> Figure:
    """Draw the treemap alone, in a module's colour: a table beside it is the legend."""
    figure = Figure(figsize=(4.6, 3.22))
    _draw_tiles(figure, figure.add_axes((0, 0, 1, 1)), record, colour_of)
    return figure


def _draw_tiles(
    figure: Figure, axes: Axes, record: Record, colour_of: Callable[[str], str] | None = None
) -> None:
    areas = {"": record.area_um2, **record.area_by_module}
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(0.7, 0)
    tiles = treemap(areas)
    find = colour_of or _colours_by_depth(tiles)
    for tile in tiles:
        _tile(figure, axes, tile, find(tile.path), record)


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
    """Return the colour of each path: that of the outermost part around it."""
    inner = parts_of([tile.path for tile in tiles])
    top = ""
    while len(inner[top]) == 1:
        (top,) = inner[top]
    roots = {path: COLOURS[i % len(COLOURS)] for i, path in enumerate(inner[top])}

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


_PATH = "#ffd60a"
_CORE_IN, _LEGEND_IN = 5.2, 2.9
MOST_VECTORS = 8000  #: most cells that an SVG has as shapes; of more, it has an image

_NAME = 40
_LABELLED = 0.06


def colours_of(groups: Sequence[CellGroup]) -> list[str]:
    names = [group.label for group in groups]
    return [GREY if x == OTHERS else COLOURS[i % len(COLOURS)] for i, x in enumerate(names)]


def draw_modules(placed: Placed) -> Figure:
    """Draw all cells, coloured by module, and the critical path."""
    figure, axes = _core(placed, "modules and critical path")
    areas = placed.sizes[:, 0] * placed.sizes[:, 1]
    handles: list[Any] = []
    for index, (group, colour) in enumerate(
        zip(placed.groups, colours_of(placed.groups), strict=True)
    ):
        own = placed.group == index
        axes.add_artist(cells_patch(placed, own, colour, f"module|{group.label}"))
        area = areas[own].sum()
        said = f"{shorten(group.label, _NAME)}\n{area_text(area)}, {percent(area / areas.sum())}"
        handles.append(Patch(color=colour, label=said))
    handles.append(draw_critical(placed, axes))
    _legend(figure, handles)
    return figure


def draw_plain_modules(placed: Placed) -> Figure:
    """Draw cells and critical path alone: a table beside them is the legend."""
    figure = Figure(figsize=(4.6, 4.6 * placed.height / placed.width))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, placed.width), ylim=(0, placed.height), xticks=[], yticks=[])
    for index, colour in enumerate(colours_of(placed.groups)):
        axes.add_artist(cells_patch(placed, placed.group == index, colour, f"module {index}"))
    draw_critical(placed, axes)
    return figure


def draw_critical(placed: Placed, axes: Axes, gid: str = "critical path") -> Line2D:
    """Draw the critical path as an element ``gid``, and return the entry for a legend."""
    path = placed.critical
    halo = [withStroke(linewidth=3.2, foreground=INK)]
    style: Any = {
        "color": _PATH,
        "linewidth": 1.5,
        "path_effects": halo,
        "solid_joinstyle": "round",
    }
    axes.plot(*path.points.T, zorder=5, gid=gid, **style)
    for point, marker in zip(path.points[[0, -1]], ("o", "s"), strict=True):
        look: Any = {"markersize": 5.5, "markeredgecolor": INK, "markerfacecolor": _PATH}
        axes.plot(*point, marker, zorder=6, **look)
    return Line2D([], [], label=f"critical path, {path.delay_ns:.3f} ns", **style)


def draw_capacity(core: DrawnCore) -> Figure:
    """Draw how much of the routing tracks is used, with marks where they do not suffice."""
    found = capacity_map(core)
    used = found.utilisation
    about = f"{percent(found.demand)} of the tracks used, overflow {found.overflow:,.0f}"
    figure, axes = _core(core, f"routing capacity; {about}")
    image = _map(core, axes, 100 * used, "YlGnBu", 100)
    _bar(figure, axes, image, "tracks used, the fullest edge of a cell (%)", used.max() > 1)
    rows, columns = used.shape
    width, height = core.width / columns, core.height / rows
    full = np.argwhere(used > 1)
    for row, column in full:
        corner = column * width, row * height
        look: Any = {"fill": False, "edgecolor": "#dc2626", "linewidth": 0.9, "gid": "overflow"}
        axes.add_patch(Rectangle(corner, width, height, **look))
    if len(full):
        label = f"overflow in {len(full):,} cells of the grid"
        _legend(figure, [Patch(fill=False, edgecolor="#dc2626", label=label)])
    return figure


def draw_power(placed: Placed, operation: str, *, glitches: bool = False) -> Figure:
    found = power_map(placed, operation, glitches=glitches)
    figures = placed.record.operations[operation]
    if glitches:
        what = f"glitches take {percent(found.whole_mw / figures.power_mw)} of the energy"
    else:
        what = f"{figures.power_mw:,.3g} mW, {figures.energy_nj:,.4g} nJ"
    figure, axes = _core(placed, f"{operation.replace('_', ' ')}; {what}")
    # A few bins, such as those of clock buffers, must not make all others dark.
    most = float(np.quantile(found.density, 0.995)) or float(found.density.max()) or 1.0
    image = _map(placed, axes, found.density, "inferno", most)
    label = f"power{' of glitches' if glitches else ''} (nW/µm²)"
    _bar(figure, axes, image, label, bool(found.density.max() > most))
    _name_groups(placed, axes)
    return figure


def draw_clock(placed: Placed) -> Figure:
    """Draw the clock tree: its levels, buffers and clock gates, and latencies of flip-flops."""
    tree = ClockTree(placed)
    about = f"latency up to {tree.insertion_delay_ns:.3f} ns, skew {tree.skew_ns:.3f} ns"
    figure, axes = _core(placed, f"clock tree; {about}")
    axes.add_artist(cells_patch(placed, np.ones(len(placed.x), bool), FAINT, "cells"))
    branches = list(tree.branches())
    deepest = max(branch.level for branch in branches)
    shades = mpl.colormaps["plasma"](np.linspace(0.05, 0.8, deepest + 1))
    handles: list[Any] = []
    for level in range(deepest + 1):
        own = [(x.source, x.sink) for x in branches if x.level == level]
        if not own:
            continue
        wide = 1.5 if level == 0 else 1.0 if level < deepest else 0.5
        style: Any = {
            "colors": [shades[level]],
            "linewidths": wide,
            "alpha": 0.85 if level < deepest else 0.55,
        }
        many = len(own) > MOST_VECTORS
        axes.add_collection(LineCollection(own, gid=f"level {level}", rasterized=many, **style))
        wires = f"{len(own):,} wire{'s' if len(own) > 1 else ''}"
        label = f"{'from the port' if level == 0 else f'level {level}'}: {wires}"
        handles.append(Line2D([], [], color=shades[level], linewidth=wide + 0.5, label=label))
    points, latency_ns = tree.flip_flops
    many = len(points) > MOST_VECTORS
    look: Any = {"s": 60 / max(1.0, len(points) ** 0.5), "linewidths": 0, "zorder": 3}
    look |= {"c": 1e3 * latency_ns, "cmap": "viridis", "gid": "flip-flops", "rasterized": many}
    dots = axes.scatter(points[:, 0], points[:, 1], **look)
    for names, marker, label in ((tree.gates, "^", "clock gates"), (tree.buffers, "s", "buffers")):
        if names:
            ends = np.array([placed.pin(f"{name}/") for name in names])
            mark: Any = {"markersize": 4.5, "markeredgewidth": 0.5, "markeredgecolor": "white"}
            style = {"color": INK, "linestyle": "", "marker": marker, **mark}
            axes.plot(*ends.T, gid=label, zorder=4, **style)
            named = label if len(names) > 1 else label.removesuffix("s")
            handles.append(Line2D([], [], label=f"{len(names):,} {named}", **style))
    _bar(figure, axes, dots, f"latency of the {len(points):,} flip-flops (ps)")
    _legend(figure, handles)
    return figure


def _core(placed: DrawnCore, about: str) -> tuple[Figure, Axes]:
    height = _CORE_IN * placed.height / placed.width
    figure = Figure(figsize=(_CORE_IN + _LEGEND_IN, height + 0.8), layout="compressed")
    axes = figure.add_subplot()
    axes.set_aspect("equal")
    axes.set_xlim(0, placed.width)
    axes.set_ylim(0, placed.height)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5))
    axes.set_xlabel("µm")
    axes.set_title(_title(placed, about), loc="left", wrap=True)
    return figure, axes


def cells_patch(
    placed: Placed, own: np.ndarray, colour: str, gid: str, most: int = MOST_VECTORS
) -> PathPatch | PolyCollection:
    """Make one shape of some cells (a mask); an image if the circuit has more than ``most``."""
    x, y = placed.x[own], placed.y[own]
    right, top = x + placed.sizes[own, 0], y + placed.sizes[own, 1]
    corners = [np.stack(c, -1) for c in ((x, y), (right, y), (right, top), (x, top), (x, y))]
    outlines = np.stack(corners, axis=1)
    if len(placed.x) > most:
        look: Any = {"linewidths": 0, "antialiaseds": False, "rasterized": True}
        return PolyCollection(list(outlines), facecolors=colour, **look)
    codes = [Path.MOVETO, *3 * [Path.LINETO], Path.CLOSEPOLY]
    outline = Path(outlines.reshape(-1, 2), np.tile(codes, len(x)))
    return PathPatch(outline, facecolor=colour, gid=gid, linewidth=0.15, edgecolor="white")


def _map(placed: DrawnCore, axes: Axes, values: np.ndarray, colours: str, most: float) -> Any:
    extent = (0, placed.width, 0, placed.height)
    look: Any = {"cmap": colours, "vmin": 0, "vmax": most, "interpolation": "nearest"}
    return axes.imshow(values, origin="lower", extent=extent, gid="map", **look)


def _bar(figure: Figure, axes: Axes, image: Any, label: str, more: bool = False) -> None:
    extend = "max" if more else "neither"
    figure.colorbar(image, ax=axes, label=label, extend=extend, shrink=0.8, pad=0.02)


def _name_groups(placed: Placed, axes: Axes) -> None:
    areas = placed.sizes[:, 0] * placed.sizes[:, 1]
    for index, group in enumerate(placed.groups):
        own = placed.group == index
        if group.label != OTHERS and areas[own].sum() >= _LABELLED * areas.sum():
            middle = np.median(placed.x[own]), np.median(placed.y[own])
            name = shorten(group.label.split(",")[0].rpartition(".")[2], 24)
            halo = [withStroke(linewidth=1.8, foreground="#000000aa")]
            style: Any = {"ha": "center", "va": "center", "color": "white", "fontsize": 7}
            axes.text(*middle, name, path_effects=halo, clip_on=True, **style)


def _legend(figure: Figure, handles: list[Any]) -> None:
    look: Any = {"loc": "outside right upper", "frameon": False, "fontsize": 7.5}
    figure.legend(handles=handles, labelspacing=0.75, **look)


MOST_BINS = 96  #: most bins of a map in a row or column

_EDGES = ("horizontal", "vertical", "horizontal_tracks", "vertical_tracks")
_NW_PER_MW = 1e6


def bins(placed: Placed, values: np.ndarray, most: int = MOST_BINS) -> np.ndarray:
    """Add up values of cells by place; return the sums by row, from the bottom, and column.

    A bin is some rows high, and about as wide. A cell that lies in several bins of a row is divided
    among them.
    """
    height = float(placed.sizes[:, 1].min())
    rows = max(1, round(placed.height / height))
    per_bin = max(2, -(-rows // most))
    count = -(-rows // per_bin)
    columns = max(1, round(placed.width / (per_bin * height)))
    width = placed.width / columns
    found = np.zeros((count, columns))
    row = np.clip((placed.y + height / 2) // (per_bin * height), 0, count - 1).astype(int)
    left = placed.x / width
    right = (placed.x + placed.sizes[:, 0]) / width
    share = values / (right - left)
    at = left.copy()
    while (going := at < right - 1e-9).any():
        column = np.floor(at + 1e-9)
        end = np.minimum(column + 1, right)
        inside = np.clip(column, 0, columns - 1).astype(int)
        np.add.at(found, (row[going], inside[going]), (share * (end - at))[going])
        at = np.where(going, end, at)
    return found


def bin_areas(placed: Placed, shape: tuple[int, int], most: int = MOST_BINS) -> np.ndarray:
    """Return the areas of the bins in um2; the uppermost ones may be cut off by the core's edge."""
    rows, columns = shape
    height = float(placed.sizes[:, 1].min())
    per_bin = max(2, -(-max(1, round(placed.height / height)) // most))
    edges = np.minimum(np.arange(rows + 1) * per_bin * height, placed.height)
    return np.diff(edges)[:, None] * np.full((1, columns), placed.width / columns)


@dataclass(frozen=True)
class PowerMap:
    """Density of the power in an operation."""

    density: np.ndarray  #: nW/um2 by row, from the bottom, and column
    whole_mw: float


def power_map(
    placed: Placed, operation: str, *, glitches: bool = False, most: int = MOST_BINS
) -> PowerMap:
    """Map the power in an operation, or the power of its glitches; ``most`` as for ``bins``."""
    if operation not in placed.energies:
        known = ", ".join(placed.energies)
        raise FlowError(f"operation {operation!r} is unknown; allowed: {known}")
    own, figures = placed.energies[operation], placed.record.operations[operation]
    energy_nj = own.glitch_nj if glitches else own.energy_nj
    if energy_nj is None:
        raise FlowError(f"{operation}: glitches were not counted")
    to_mw = figures.power_mw / figures.energy_nj
    power = bins(placed, energy_nj.astype(float) * to_mw, most)
    whole = figures.energy_nj - figures.energy_lower_nj if glitches else figures.energy_nj
    density = _NW_PER_MW * power / bin_areas(placed, power.shape, most)
    return PowerMap(density, whole * to_mw)


def capacity_map(core: DrawnCore) -> Congestion:
    """Read the map of the routing capacity; it does not tell the rounds of the router."""
    path = core.file("capacity.npz")
    try:
        with np.load(path) as file:
            across, up, across_tracks, up_tracks = (file[name].astype(float) for name in _EDGES)
    except (OSError, ValueError, KeyError) as error:
        raise FlowError(f"{path.name}: {error}") from error
    lacking = np.maximum(across - across_tracks, 0).sum() + np.maximum(up - up_tracks, 0).sum()
    return Congestion(across, up, across_tracks, up_tracks, float(lacking), rounds=0)


@dataclass(frozen=True)
class Picture:
    about: str
    places: bool = True  #: the picture needs the places of the cells
    operation: bool = False  #: the picture is of a type of operation
    timed: bool = False  #: the picture needs glitches: gates with delays


#: Kinds of pictures by name.
PICTURES: Mapping[str, Picture] = {
    "modules": Picture("cells coloured by module, with the critical path"),
    "capacity": Picture("use of the routing tracks, with overflow marked"),
    "clock": Picture("clock tree with its levels, and latencies of the flip-flops"),
    "energy": Picture("power by place", operation=True),
    "glitches": Picture("power of glitches by place", operation=True, timed=True),
    "areas": Picture("treemap of the area by module", places=False),
}


def draw(kind: str, record: Record, load: Callable[[], Placed], operation: str = "") -> Figure:
    """Draw a picture, a key of ``PICTURES``; ``load`` is called only if it needs places."""
    operation = operation or record.operation
    with mpl.rc_context(STYLE):
        if kind == "areas":
            return draw_areas(record)
        placed = load()
        if PICTURES[kind].operation:
            return draw_power(placed, operation, glitches=kind == "glitches")
        drawing = {"modules": draw_modules, "capacity": draw_capacity, "clock": draw_clock}
        return drawing[kind](placed)


def draw_lack(core: DrawnCore) -> Figure:
    """Draw the routing capacity of a core in which the wires do not fit."""
    with mpl.rc_context(STYLE):
        return draw_capacity(core)
