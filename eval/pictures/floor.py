"""Data of a placed circuit for the report's script, which draws it with zoom and clicks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rsaxcel.eval.pictures.drawings import bins, capacity_map, colours_of, power_map
from rsaxcel.eval.pictures.placed import CellGroup, ClockTree, Placed, parent
from rsaxcel.flow.record import Record

#: most cells that are shown one by one; of more, each place shows the module that takes most of it
MOST_CELLS = 6000

_MOST_PLACES = 110  #: most places in a column, where cells are not shown one by one
_MOST_BINS = 56
_MOST_BRANCHES = 1500
_STEPS = 100

_DIGITS = 5


def floor_data(placed: Placed, operation: str) -> dict[str, Any]:
    """Collect the page's data on a placed circuit, as small numbers.

    ``unit``: width and height in um of a unit of ``groups.runs``, in which row (from below), left
    edge and width follow each other. ``maps``: 0 to 100 by row and column, and the value of 100.
    ``path``, ``clock``: x and y in um of pins, and of both ends of wires by level.
    """
    return {
        "size": [_short(placed.width), _short(placed.height)],
        **_runs(placed),
        "path": [_short(x) for x in placed.critical.points.ravel()],
        "delay_ns": placed.critical.delay_ns,
        "maps": _maps(placed, operation),
        "clock": _clock(placed),
    }


def _runs(placed: Placed) -> dict[str, Any]:
    """Collect the groups with their figures, and the rectangles that they cover."""
    if len(placed.x) <= MOST_CELLS:
        height = float(placed.sizes[:, 1].min())
        unit = float(np.gcd.reduce(np.rint(1000 * placed.sizes[:, 0]).astype(int))) / 1000
        columns = [placed.y / height, placed.x / unit, placed.sizes[:, 0] / unit]
        rows, lefts, widths = (np.rint(x).astype(int) for x in columns)
        order = np.lexsort((lefts, rows))
        found: Iterator[tuple[int, ...]] = zip(
            *(x[order].tolist() for x in (placed.group, rows, lefts, widths)), strict=True
        )
        size = [unit, height]
    else:
        areas = placed.sizes[:, 0] * placed.sizes[:, 1]
        layers = [
            bins(placed, np.where(placed.group == number, areas, 0.0), _MOST_PLACES)
            for number in range(len(placed.groups))
        ]
        stack = np.stack(layers)
        most, filled = stack.argmax(axis=0), stack.sum(axis=0)
        full = placed.width * placed.height / filled.size
        places = ((most[at], *at, 1) for at in np.ndindex(filled.shape) if filled[at] > full / 4)
        found = ((int(group), row, left, width) for group, row, left, width in places)
        size = [placed.width / filled.shape[1], placed.height / filled.shape[0]]
    runs = _joined(found)
    colours = colours_of(placed.groups)
    about = list(group_figures(placed.record, placed.groups))
    return {
        "unit": [_short(x) for x in size],
        "groups": [
            {
                **{"label": group.label, "colour": colours[index], **about[index]},
                **{"cells": int((placed.group == index).sum()), "runs": runs[index]},
            }
            for index, group in enumerate(placed.groups)
        ],
    }


def _joined(places: Iterator[tuple[int, ...]]) -> dict[int, list[int]]:
    """Join neighbours of a group in a row; places are given by group, row, left edge and width."""
    runs: dict[int, list[int]] = defaultdict(list)
    last: tuple[int, int, int] = (-1, -1, -1)  #: group, row and right edge of the last rectangle
    for group, row, left, width in places:
        if last == (group, row, left):
            runs[group][-1] += width
        else:
            runs[group] += [row, left, width]
        last = group, row, left + width
    return runs


def group_figures(record: Record, groups: Sequence[CellGroup]) -> Iterator[dict[str, Any]]:
    """Yield area and energies of each group; they add up to the record's.

    ``energies``, by type of operation: nJ, and the share of glitches in percent.
    """
    areas = _own({"": record.area_um2, **record.area_by_module})
    energies = {
        name: [
            _own({path: own.get(key, 0.0) for path, own in x.by_module.items()})
            for key in ("energy_nj", "glitch_nj")
        ]
        for name, x in record.operations.items()
    }
    for group in groups:
        found = {}
        for name, (all_nj, glitch_nj) in energies.items():
            whole, lost = (_sum(x, group.own) for x in (all_nj, glitch_nj))
            found[name] = [_short(whole), round(100 * lost / whole, 1) if whole > 0 else 0.0]
        yield {"area_um2": _short(_sum(areas, group.own)), "energies": found}


def _own(inclusive: Mapping[str, float]) -> dict[str, float]:
    """Value of each module without the modules inside it."""
    own = dict(inclusive)
    for path, value in inclusive.items():
        if path and (around := parent(path, inclusive)) in own:
            own[around] -= value
    return own


def _sum(values: Mapping[str, float], paths: frozenset[str]) -> float:
    return sum(value for path, value in values.items() if path in paths)


def _maps(placed: Placed, operation: str) -> dict[str, Any]:
    capacity = capacity_map(placed)
    found = {
        "capacity": {
            **_levels(100 * capacity.utilisation, 100.0),
            "unit": "% of the tracks",
            "demand": round(100 * capacity.demand, 1),
            "overflow": capacity.overflow,
        }
    }
    for glitches, name in ((False, "energy"), (True, "glitches")):
        if glitches and placed.energies[operation].glitch_nj is None:
            continue
        density = power_map(placed, operation, glitches=glitches, most=_MOST_BINS).density
        most = float(np.quantile(density, 0.995)) or 1.0
        found[name] = {**_levels(density, most), "unit": "nW/µm²", "operation": operation}
    return found


def _levels(values: np.ndarray, most: float) -> dict[str, Any]:
    values = _coarser(values)
    steps = np.clip(np.rint(_STEPS * values / most), 0, 2 * _STEPS).astype(int)
    return {"columns": values.shape[1], "most": _short(most), "values": steps.ravel().tolist()}


def _coarser(values: np.ndarray) -> np.ndarray:
    """Join cells of a map to larger ones, which get the largest value in them."""
    step = -(-max(values.shape) // (2 * _MOST_BINS))
    if step <= 1:
        return values
    rows, columns = (-(-n // step) * step for n in values.shape)
    wide = np.zeros((rows, columns))
    wide[: values.shape[0], : values.shape[1]] = values
    return wide.reshape(rows // step, step, columns // step, step).max(axis=(1, 3))


def _clock(placed: Placed) -> dict[str, Any]:
    """Wires of the clock tree by level; the last levels are left out if there are too many."""
    tree = ClockTree(placed)
    levels: dict[int, list[Sequence[float]]] = defaultdict(list)
    for branch in tree.branches():
        levels[branch.level].append((*branch.source, *branch.sink))
    shown: list[list[float]] = []
    count = 0
    for level in sorted(levels):
        count += len(levels[level])
        if count > _MOST_BRANCHES:
            break
        shown.append([round(x, 1) for ends in levels[level] for x in ends])
    return {
        "levels": shown,
        "all": len(levels),
        "buffers": len(tree.buffers),
        "gates": len(tree.gates),
        "insertion_delay_ns": tree.insertion_delay_ns,
        "skew_ns": tree.skew_ns,
    }


def _short(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
