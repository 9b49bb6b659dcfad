"""Areas and numbers of cells of a mapped netlist."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.names import inclusive, module_path
from rsaxcel.flow.yosys_json import read_module

if TYPE_CHECKING:  # slow to import
    from rsaxcel.flow.power.liberty import Library


def summarize(netlist: Path, top: str, library: Library) -> dict[str, Any]:
    """Return areas and numbers of cells of a mapped netlist.

    ``FlowError`` for a latch or unknown cell.
    """
    cells = read_module(netlist, top).cells
    counts = Counter(cell["type"] for cell in cells.values())
    for kind in counts:
        if kind not in library.cells:
            raise FlowError(f"synthesis of {top} left a cell {kind} unmapped")
        if (state := library.cells[kind].sequential) is not None and state.kind == "latch":
            raise FlowError(f"synthesis of {top} inferred a latch ({kind})")
    states: Counter[str] = Counter()
    for kind, count in counts.items():
        if (state := library.cells[kind].sequential) is not None:
            states[state.kind] += count
    own: defaultdict[str, float] = defaultdict(float)
    for name, cell in cells.items():
        own[module_path(name)] += library.cells[cell["type"]].area_um2
    return {
        "area_um2": round(sum(own.values()), 3),
        "area_by_module": {path: round(area, 3) for path, area in inclusive(own).items() if path},
        "cell_count": len(cells),
        "flip_flop_count": states["ff"],
        "clock_gate_count": states["gate"],
        "cells": dict(sorted(counts.items())),
    }
