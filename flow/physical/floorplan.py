"""Floorplan: the core with its rows, the cells without signals, and the space that they take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, FN, FS, ArrayNetlist, CellKind, N, S
from rsaxcel.flow.physical.lef import Geometry, geometry


@dataclass(frozen=True)
class CoreArea:
    """Rows of sites; the lower left corner is at (0, 0), and the die ends where the core ends."""

    rows: int
    sites: int
    site: str
    site_width: int  #: in database units
    row_height: int  #: in database units

    @property
    def width(self) -> int:
        return self.sites * self.site_width

    @property
    def height(self) -> int:
        return self.rows * self.row_height

    @property
    def area_um2(self) -> float:
        return self.width * self.height / DBU_PER_UM**2


@dataclass(frozen=True)
class PhysicalCells:
    """Cells without signals: well taps, end caps and fillers; no instances of the netlist."""

    kinds: tuple[CellKind, ...]
    kind: np.ndarray  #: index of each cell's kind; int32
    x: np.ndarray  #: lower left corner; int32
    y: np.ndarray
    orient: np.ndarray  #: uint8

    @property
    def count(self) -> int:
        return len(self.kind)

    @cached_property
    def width(self) -> np.ndarray:
        return np.array([kind.width for kind in self.kinds], np.int32)[self.kind]

    @cached_property
    def height(self) -> np.ndarray:
        return np.array([kind.height for kind in self.kinds], np.int32)[self.kind]

    @property
    def area_um2(self) -> float:
        return float(np.sum(self.width.astype(float) * self.height)) / DBU_PER_UM**2


def row_orient(rows: np.ndarray) -> np.ndarray:
    """Orientation of rows by their numbers: N and FS in turns, so that rails are shared."""
    return np.where(rows % 2 == 0, N, FS).astype(np.uint8)


def mirrored(orient: np.ndarray) -> np.ndarray:
    """Orientations after a flip about the y axis."""
    return np.array([FN, S, FS, N], np.uint8)[orient]


def make_core(netlist: ArrayNetlist, kit: Kit, utilisation: float) -> CoreArea:
    """Make a core that is about square and has a given utilisation.

    Utilisation is the area of instances, taps and end caps over the core's. One column of sites
    less would exceed it.
    """
    about = geometry(kit)
    site, site_width, row_height = about.site
    for kind in {netlist.kinds[index] for index in np.unique(netlist.kind[~netlist.is_port])}:
        if kind.height != row_height or kind.width % site_width:
            raise FlowError(f"cell {kind.name} does not fit into a row of {site}")
    used = int(np.sum(netlist.width[~netlist.is_port], dtype=np.int64)) // site_width
    widest = max((kind.width for kind in netlist.kinds), default=0) // site_width
    if kit.layout.tap_cell:
        # A single tap leaves three quarters of its row in one piece.
        widest = math.ceil(widest / 0.75) + about.kind(kit.layout.tap_cell).width // site_width + 2
    side = math.sqrt(max(used, 1) / utilisation * site_width * row_height)
    rows = max(1, round(side / row_height))
    sites = max(1, widest, math.ceil(used / utilisation / rows))
    # Taps come with width: the width settles after a few rounds, as taps are small and far apart.
    most = 10 * sites
    while sites <= most:
        taken = rows * sum(kind.width // site_width for kind, _ in _row_cells(about, kit, sites))
        enough = max(1, widest, math.ceil((used + taken) / utilisation / rows))
        if enough <= sites:
            return CoreArea(rows, sites, site, site_width, row_height)
        sites = enough
    raise FlowError(f"taps and end caps leave no space in the core at utilisation {utilisation}")


def utilisation_of(netlist: ArrayNetlist, core: CoreArea, fixed: PhysicalCells) -> float:
    """Area of instances and of cells without signals, divided by the area of the core."""
    area = np.sum(netlist.width.astype(float) * netlist.height) / DBU_PER_UM**2
    return float(area + fixed.area_um2) / core.area_um2


def _row_cells(about: Geometry, kit: Kit, sites: int) -> list[tuple[CellKind, float]]:
    """Cells of a row with N, and the places of their left edges as shares of the free width."""
    site_width = about.site[1]
    found: list[tuple[CellKind, float]] = []
    if kit.layout.end_cap_cell:
        cap = about.kind(kit.layout.end_cap_cell)
        found += [(cap, 0.0), (cap, 1.0)]
    if kit.layout.tap_cell and kit.layout.tap_interval_um > 0:
        interval = kit.layout.tap_interval_um * DBU_PER_UM
        tap = about.kind(kit.layout.tap_cell)
        # A site and its half less, because places are rounded to sites.
        distance = max(interval - 1.5 * site_width, site_width)
        count = max(1, math.ceil(sites * site_width / distance))
        found += [(tap, (place + 0.25) / count) for place in range(count)]
    return found


def fixed_cells(core: CoreArea, kit: Kit) -> PhysicalCells:
    """Well taps and end caps of a core.

    Taps of a row are at most ``tap_interval_um`` apart; the first stands at a quarter of it in rows
    with N and three quarters with FS, so that neighbouring rows are staggered. An end cap is at
    each end.
    """
    about = geometry(kit)
    cells = _row_cells(about, kit, core.sites)
    kinds = tuple(dict.fromkeys(kind for kind, _ in cells))
    caps = sum(kind.name == kit.layout.end_cap_cell for kind, _ in cells)
    margin = cells[0][0].width if caps else 0
    kind, x, y = [], [], []
    for index, (cell, share) in enumerate(cells):
        for parity in range(min(2, core.rows)):
            if index < caps:
                left = share * (core.width - cell.width)
            else:
                free = core.width - 2 * margin
                shift = 0.5 / (len(cells) - caps) if parity else 0.0
                left = margin + (share + shift) * free - cell.width / 2
                left = min(max(left, margin), margin + free - cell.width)
            at = round(left / core.site_width) * core.site_width
            if at < 0 or at + cell.width > core.width:
                raise FlowError(f"a row of {core.sites} sites has no space for {cell.name}")
            own = np.arange(parity, core.rows, 2, dtype=np.int32) * core.row_height
            kind.append(np.full(len(own), kinds.index(cell), np.int32))
            x.append(np.full(len(own), at, np.int32))
            y.append(own)
    return _cells(core, kinds, kind, x, y)


def fill_gaps(
    netlist: ArrayNetlist, core: CoreArea, kit: Kit, fixed: PhysicalCells
) -> PhysicalCells:
    """Fillers for all gaps of the rows of a legal placement; ``FlowError`` if they do not fit."""
    about = geometry(kit)
    fillers = about.fitting(kit.layout.filler_cells)
    kinds = tuple(sorted(fillers, key=lambda kind: -kind.width))
    own = ~netlist.is_port
    left = np.concatenate((netlist.x[own], fixed.x))
    row = np.concatenate((netlist.y[own], fixed.y)) // core.row_height
    right = left + np.concatenate((netlist.width[own], fixed.width))
    # A cell without width at both ends of each row makes the gaps at the ends like all others.
    ends = np.arange(core.rows)
    left = np.concatenate((left, np.zeros_like(ends), np.full_like(ends, core.width)))
    right = np.concatenate((right, np.zeros_like(ends), np.full_like(ends, core.width)))
    row = np.concatenate((row, ends, ends))
    order = np.lexsort((right, left, row))
    left, right, row = left[order], right[order], row[order]
    gap = np.where(row[1:] == row[:-1], left[1:] - right[:-1], 0)
    if np.any(gap < 0):
        raise FlowError("the rows cannot be filled: cells overlap")
    at, up = right[:-1].astype(np.int64), row[:-1] * core.row_height
    kind, x, y = [], [], []
    for index, filler in enumerate(kinds):
        count = gap // filler.width
        which = np.repeat(np.arange(len(gap)), count)
        nth = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        kind.append(np.full(len(which), index, np.int32))
        x.append((at[which] + nth * filler.width).astype(np.int32))
        y.append(up[which].astype(np.int32))
        at += count * filler.width
        gap = gap - count * filler.width
    if gap.any():
        where = int(np.flatnonzero(gap)[0])
        raise FlowError(
            f"no filler cell fits the gap of {gap[where] / DBU_PER_UM:g} um at x "
            f"{at[where] / DBU_PER_UM:g} um, y {up[where] / DBU_PER_UM:g} um"
        )
    return _cells(core, kinds, kind, x, y)


def _cells(
    core: CoreArea,
    kinds: tuple[CellKind, ...],
    kind: Sequence[np.ndarray],
    x: Sequence[np.ndarray],
    y: Sequence[np.ndarray],
) -> PhysicalCells:
    """Join cells, in the order of rows and places in them."""
    none = np.zeros(0, np.int32)
    all_kind, all_x, all_y = (np.concatenate((none, *part)) for part in (kind, x, y))
    order = np.lexsort((all_x, all_y))
    orient = row_orient(all_y // core.row_height)
    return PhysicalCells(kinds, all_kind[order], all_x[order], all_y[order], orient[order])


def free_prefix(names: Iterable[str], word: str) -> str:
    """Beginning of names, such as ``TAP_``, with which none of the given names begins."""
    taken = {name for name in names if name.startswith(word)}
    while any(name.startswith(word) for name in taken):
        word += "_"
    return word
