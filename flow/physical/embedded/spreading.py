"""Space for cells in global placement: more where wires crowd, so that wires find their tracks."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.embedded.capacity import Congestion
from rsaxcel.flow.physical.floorplan import Core

# Greatest density of a place with cells. At 1, wires would be 3 % shorter, but what repairs insert
# would push other cells far away.
_LOCAL_DENSITY = 0.9

_MOST_DENSITY = 0.95  # of the core, with the space that cells get

_COMFORTABLE = 0.9  # share of the tracks in use up to which a place needs no more space

# Least and greatest a in one round, where the wires of a place are a times the comfortable ones.
# The place gets a**1.5 times its space: the wires of a place that grows by a factor get longer by
# about the root of this factor. So 2 would be right if no wire led out of the place.
_RANGE = (0.8, 1.6)

_RADIUS = 2  # squares on either side over which a square's wires are averaged


def equal_space(design: ArrayNetlist) -> np.ndarray:
    """Return the space of each instance over its area, as long as nothing is known of wires."""
    return np.full(design.count, 1 / _LOCAL_DENSITY)


def space_for_wires(
    design: ArrayNetlist, core: Core, space: np.ndarray, routed: Congestion
) -> np.ndarray:
    """Return the space of each instance over its area, for the next placement."""
    usage = _usage(routed)
    rows, columns = usage.shape
    column = (design.x + design.width // 2).astype(np.int64) * columns // core.width
    row = (design.y + design.height // 2).astype(np.int64) * rows // core.height
    used = usage[np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)]
    least = 1 / _LOCAL_DENSITY
    lack = np.clip(used / _COMFORTABLE, *_RANGE)
    # a**1.5 and scalar products differ in their last bits between machines.
    wanted = np.maximum(space * lack * np.sqrt(lack), least)
    share = design.width.astype(float) * design.height / (float(core.width) * core.height)
    density, needed = float((share * wanted).sum()), float(share.sum()) * least
    if density > _MOST_DENSITY:
        wanted = least + (wanted - least) * max(0.0, _MOST_DENSITY - needed) / (density - needed)
    return wanted


def _usage(routed: Congestion) -> np.ndarray:
    """Share of the tracks in use around each square, of the direction that has less left."""
    shares = []
    for demand, tracks in (
        (routed.horizontal[:, :-1], routed.horizontal_tracks[:, :-1]),
        (routed.vertical[:-1], routed.vertical_tracks[:-1]),
    ):
        if not demand.size:
            continue
        share = _averaged(demand) / np.maximum(_averaged(tracks), 1e-9)
        missing = np.array(routed.horizontal.shape) - share.shape
        shares.append(np.pad(share, [(0, n) for n in missing], mode="edge"))
    return np.max(shares, axis=0) if shares else np.zeros(routed.horizontal.shape)


def _averaged(values: np.ndarray) -> np.ndarray:
    """Mean over the neighbours in a square window; at the sides, the outermost values repeat."""
    window = 2 * _RADIUS + 1
    padded = np.pad(values, _RADIUS, mode="edge")
    return sliding_window_view(padded, (window, window)).mean(axis=(2, 3))
