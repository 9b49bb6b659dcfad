"""Routing capacity: a global route over a grid tells whether all wires fit into the core."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.ctypeslib import ndpointer

from rsaxcel.flow.compiled import load
from rsaxcel.flow.physical.embedded.wires import Trees
from rsaxcel.flow.physical.lef import Layer, Rectangle
from rsaxcel.sim.native.source import read_sources
from rsaxcel.store.foreign import ForeignLibrary

_QUARTERS = 4  #: parts of a track in which the router counts
ROUNDS = 60  #: most rounds of negotiation for tracks
SPARE = 0.05  #: share of the tracks, beyond `kept`, for detours of detailed routes
_LARGEST = 1 << 14  #: most cells in a row or column: the router has 16 bits for a coordinate


def grid_cell(layers: Sequence[Layer]) -> int:
    """Side of a cell of the grid: 15 tracks of the second layer above the cells."""
    return 15 * layers[min(1, len(layers) - 1)].pitch


@dataclass(frozen=True)
class Grid:
    """Grid of the global router over a core whose lower left corner is (0, 0)."""

    width_dbu: int
    height_dbu: int
    layers: Sequence[Layer]
    cell_dbu: int  #: side of a cell; cells at the right and at the top reach to the core's end
    kept: float = 0.3  #: share of the tracks that stays free for power and for the ways to the pins
    #: Share of the remaining tracks left free, because other routers do not fill every track.
    #: Overflow here and by OpenROAD's global router, of 32 bits: montmul_r2l_shared with 65 % kept:
    #: 0.75 and 0; 68 %: 65 and 17; 72 %: 311 and 348; mont_r2l with 55 %: 0 and 0; 65 %: 569 and
    #: 123 (with a spare of 0: 104; of 0.1: 2,135).
    spare: float = SPARE
    #: layers and shapes of power straps: they take tracks in addition to the share `kept`
    straps: Sequence[tuple[str, Rectangle]] = ()

    def __post_init__(self) -> None:
        for name in ("width_dbu", "height_dbu", "cell_dbu"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name}={getattr(self, name)}: expected more than 0")
        for name in ("kept", "spare"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: expected 0 to less than 1")
        if max(self.shape) > _LARGEST:
            raise ValueError(f"cell_dbu={self.cell_dbu}: more than {_LARGEST} cells in a row")
        if unknown := {layer for layer, _ in self.straps} - {layer.name for layer in self.layers}:
            raise ValueError(f"straps: no layer {min(unknown)}")

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of cells."""
        rows, columns = self.height_dbu // self.cell_dbu, self.width_dbu // self.cell_dbu
        return max(1, rows), max(1, columns)

    def capacities(self) -> tuple[np.ndarray, np.ndarray]:
        """Tracks from each cell to the one on the right and the one above, by row and column."""
        rows, columns = self.shape
        horizontal, vertical = np.zeros((rows, columns)), np.zeros((rows, columns))
        for layer in self.layers:
            taken = [shape for name, shape in self.straps if name == layer.name]
            if layer.is_horizontal:
                horizontal += self._tracks(layer, taken)
            else:
                turned = [(low, left, high, right) for left, low, right, high in taken]
                flipped = replace(
                    self, width_dbu=self.height_dbu, height_dbu=self.width_dbu, straps=()
                )
                vertical += flipped._tracks(layer, turned).T
        horizontal[:, -1] = 0
        vertical[-1, :] = 0
        return horizontal, vertical

    def _tracks(self, layer: Layer, straps: Sequence[Rectangle]) -> np.ndarray:
        """Tracks of a horizontal layer across the right side of each cell."""
        rows, columns = self.shape
        bottoms = np.arange(rows) * self.cell_dbu
        tops = np.append(bottoms[1:], self.height_dbu)
        rights = (np.arange(columns) + 1) * self.cell_dbu
        share = (1 - self.kept) * (1 - self.spare)
        free = np.repeat((tops - bottoms)[:, None] * share, columns, axis=1)
        for left, low, right, high in straps:
            covered = np.minimum(tops, high) - np.maximum(bottoms, low)
            # A wire keeps its distance from a strap: a track's pitch beside the strap is lost.
            lost = np.where(covered > 0, covered + layer.pitch, 0)
            free -= np.outer(lost, (left <= rights) & (rights <= right))
        return np.maximum(free, 0) / layer.pitch


@dataclass(frozen=True)
class Congestion:
    """Result of the global route."""

    #: demand in tracks from each cell to the one on the right, by row and column
    horizontal: np.ndarray
    vertical: np.ndarray  #: demand in tracks from each cell to the one above
    horizontal_tracks: np.ndarray  #: capacities from each cell to the one on the right
    vertical_tracks: np.ndarray
    overflow: float  #: missing tracks, over all edges
    rounds: int  #: rounds of negotiation for tracks

    @property
    def demand(self) -> float:
        """Demand of all edges over their capacity, from 0."""
        tracks = self.horizontal_tracks.sum() + self.vertical_tracks.sum()
        return float((self.horizontal.sum() + self.vertical.sum()) / tracks) if tracks else 0.0

    @property
    def utilisation(self) -> np.ndarray:
        """Map for a picture: for each cell, the highest utilisation of its four edges."""
        right = _ratio(self.horizontal, self.horizontal_tracks)
        above = _ratio(self.vertical, self.vertical_tracks)
        result = np.maximum(right, above)
        result[:, 1:] = np.maximum(result[:, 1:], right[:, :-1])
        result[1:, :] = np.maximum(result[1:, :], above[:-1, :])
        return result


def route(
    trees: Trees, grid: Grid, *, rounds: int = ROUNDS, most_work: int = 400_000_000
) -> Congestion:
    """Route the edges of all trees over a grid, and count missing tracks.

    Each net takes a track of each edge that it crosses. A connection within a cell takes its length
    over the cell's side, half on either side; that adds about 3 % of the capacity, for vias and
    ways to pins. Routing ends without overflow, or when seven rounds did not remove 10 % of it, or
    after eight rounds with more than 1/400 of the capacity (hopeless), or after ``most_work``
    visited cells (100 million take some 12 s).
    """
    rows, columns = grid.shape
    tracks = grid.capacities()
    capacity, demand = (np.zeros((rows, columns, 2), np.int32) for _ in range(2))
    for side in range(2):
        capacity[..., side] = np.floor(tracks[side] * _QUARTERS + 1e-9)
    lower, upper = trees.edges()
    column, row = (
        np.clip(values // grid.cell_dbu, 0, count - 1).astype(np.int32)
        for values, count in ((trees.x, columns), (trees.y, rows))
    )
    is_local = (column[lower] == column[upper]) & (row[lower] == row[upper])
    lower_in, upper_in = lower[is_local], upper[is_local]
    local = []
    for values in (trees.x, trees.y):
        within = np.zeros((rows, columns))
        lengths = np.abs(values[lower_in].astype(np.int64) - values[upper_in]) / grid.cell_dbu
        np.add.at(within, (row[lower_in], column[lower_in]), lengths)
        local.append(within)
    demand[:, :-1, 0] = np.rint(_QUARTERS * (local[0][:, :-1] + local[0][:, 1:]) / 2)
    demand[:-1, :, 1] = np.rint(_QUARTERS * (local[1][:-1, :] + local[1][1:, :]) / 2)
    lower, upper = lower[~is_local], upper[~is_local]
    ends = np.stack((column[lower], row[lower], column[upper], row[upper]), axis=1)
    start = np.searchsorted(lower, trees.start).astype(np.int64)
    report = np.zeros(3, np.int64)
    overflow = _library().route(
        columns,
        rows,
        capacity,
        demand,
        len(start) - 1,
        start,
        np.ascontiguousarray(ends),
        rounds,
        most_work,
        report,
    )
    return Congestion(
        horizontal=demand[..., 0] / _QUARTERS,
        vertical=demand[..., 1] / _QUARTERS,
        horizontal_tracks=capacity[..., 0] / _QUARTERS,
        vertical_tracks=capacity[..., 1] / _QUARTERS,
        overflow=overflow / _QUARTERS,
        rounds=int(report[0]),
    )


def _ratio(demand: np.ndarray, tracks: np.ndarray) -> np.ndarray:
    """Utilisation of edges; demand on an edge without tracks counts as if it had one track."""
    return np.where(demand > 0, demand / np.where(tracks > 0, tracks, 1), 0.0)


@cache
def _library() -> ForeignLibrary:
    library = load("capacity", read_sources(Path(__file__).parent, ("capacity.cpp",)))
    longs, ints = (ndpointer(kind, flags="C") for kind in (np.int64, np.int32))
    number, count = ctypes.c_int32, ctypes.c_int64
    library.declare(
        "route", count, number, number, ints, ints, count, longs, ints, number, count, longs
    )
    return library
