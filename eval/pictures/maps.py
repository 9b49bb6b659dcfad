"""Maps of a placed circuit: density of its power, and use of its routing tracks, by place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rsaxcel.eval.pictures.placed import DrawnCore, Placed
from rsaxcel.flow.errors import FlowError

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


@dataclass(frozen=True)
class CapacityMap:
    """Use of the routing tracks."""

    #: demand over tracks by row, from the bottom, and column: the largest of four edges
    used: np.ndarray
    demand: float  #: demand of all edges over their tracks
    overflow: float  #: lacking tracks of all edges


def capacity_map(core: DrawnCore) -> CapacityMap:
    """Read the map of the routing capacity."""
    path = core.file("capacity.npz")
    try:
        with np.load(path) as file:
            across, up, across_tracks, up_tracks = (file[name].astype(float) for name in _EDGES)
    except (OSError, ValueError, KeyError) as error:
        raise FlowError(f"{path.name}: {error}") from error
    right, above = _ratio(across, across_tracks), _ratio(up, up_tracks)
    used = np.maximum(right, above)
    used[:, 1:] = np.maximum(used[:, 1:], right[:, :-1])
    used[1:, :] = np.maximum(used[1:, :], above[:-1, :])
    tracks = across_tracks.sum() + up_tracks.sum()
    lacking = np.maximum(across - across_tracks, 0).sum() + np.maximum(up - up_tracks, 0).sum()
    demand = float((across.sum() + up.sum()) / tracks) if tracks else 0.0
    return CapacityMap(used, demand, float(lacking))


def _ratio(demand: np.ndarray, tracks: np.ndarray) -> np.ndarray:
    return np.where(demand > 0, demand / np.where(tracks > 0, tracks, 1), 0.0)
