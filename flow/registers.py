"""Registers of a netlist: flip-flops whose names differ in the index of the bit alone."""

from __future__ import annotations

import re

from rsaxcel.flow.names import FLIP_FLOP, register_of

_INDEX = re.compile(r"\[\d+\]$")


def register_name(cell: str) -> str:
    """Name of the register that a flip-flop is a bit of: without the index of the bit."""
    return _INDEX.sub("", register_of(cell))


def register_part(cell: str) -> str | None:
    """Register of a flip-flop; None for other cells."""
    return register_name(cell) if cell.endswith(FLIP_FLOP) else None
