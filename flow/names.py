"""Naming convention of the cells in a netlist, which all nodes follow."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

SEPARATOR = "."  #: between names of nested instances

FLIP_FLOP = "_ff"  #: suffix after register and bit: x_reg[3]_ff

_INDEX = re.compile(r"\[\d+\]$")


def module_path(cell: str) -> str:
    """Path of the unit instance that a cell belongs to, empty for the top module."""
    return cell.rpartition(SEPARATOR)[0]


def register_of(cell: str) -> str:
    """Name of the register bit that a flip-flop holds; for any other cell, the cell's own name."""
    return cell.removesuffix(FLIP_FLOP)


def register_name(cell: str) -> str:
    """Name of the register that a flip-flop is a bit of: without the index of the bit."""
    return _INDEX.sub("", register_of(cell))


def register_part(cell: str) -> str | None:
    """Register of a flip-flop; None for other cells."""
    return register_name(cell) if cell.endswith(FLIP_FLOP) else None


def inclusive(own: Mapping[str, float]) -> dict[str, float]:
    """Add up, for each instance by path, its own value and those of all instances inside it."""
    total: defaultdict[str, float] = defaultdict(float)
    for path, value in own.items():
        parts = path.split(SEPARATOR) if path else []
        for depth in range(len(parts) + 1):
            total[SEPARATOR.join(parts[:depth])] += value
    return dict(sorted(total.items()))
