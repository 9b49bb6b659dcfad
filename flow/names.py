"""Names of cells in the netlist: the convention of all nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

SEPARATOR = "."
"""Stands between the names of nested instances."""

FLIP_FLOP = "_ff"
"""Suffix of a flip-flop's name, after its register and bit."""


def module_path(cell: str) -> str:
    """Path of the unit instance that a cell belongs to, empty for the top module."""
    return cell.rpartition(SEPARATOR)[0]


def register_of(cell: str) -> str:
    """Register and bit of a flip-flop; other cells keep their name."""
    return cell.removesuffix(FLIP_FLOP)


def inclusive(own: Mapping[str, float]) -> dict[str, float]:
    """Sum up the values of each instance and all instances below it, by path."""
    total: defaultdict[str, float] = defaultdict(float)
    for path, value in own.items():
        parts = path.split(SEPARATOR) if path else []
        for depth in range(len(parts) + 1):
            total[SEPARATOR.join(parts[:depth])] += value
    return dict(sorted(total.items()))
