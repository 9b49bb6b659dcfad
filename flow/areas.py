"""Areas and numbers of cells of a mapped netlist."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.names import FLIP_FLOP, SEPARATOR, inclusive, module_path
from rsaxcel.flow.yosys_json import read_module

if TYPE_CHECKING:  # slow to import
    from rsaxcel.flow.power.liberty import Library


def summarize(
    netlist: Path, top: str, library: Library, memories: Collection[str] = ()
) -> dict[str, Any]:
    """Return areas and numbers of cells of a mapped netlist.

    ``FlowError`` for a latch or unknown cell.
    """
    cells = read_module(netlist, top).cells
    counts = Counter(cell["type"] for cell in cells.values())
    states: Counter[str] = Counter()
    for kind, count in counts.items():
        if kind not in library.cells:
            raise FlowError(f"synthesis of {top} left a cell {kind} unmapped")
        if (state := library.cells[kind].sequential) is not None:
            states[state.kind] += count
            if state.kind == "latch":
                raise FlowError(f"synthesis of {top} inferred a latch ({kind})")
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
        **({"memories": _memories(cells, memories, library)} if memories else {}),
    }


def _memories(
    cells: Mapping[str, Any], names: Collection[str], library: Library
) -> dict[str, dict[str, float]]:
    """Return for each memory the number of its instances, and the area of their flip-flops."""
    found: dict[str, dict[str, float]] = {}
    for name in names:
        own = re.compile(rf"((?:.*\{SEPARATOR})?{re.escape(name)})(?:\[\d+\]){{1,2}}{FLIP_FLOP}")
        areas: defaultdict[str, float] = defaultdict(float)
        for cell, about in cells.items():
            if held := own.fullmatch(cell):
                areas[held[1]] += library.cells[about["type"]].area_um2
        area_um2 = round(sum(areas.values()), 3)
        found[name] = {"instances": len(areas), "flip_flops_um2": area_um2}
    return found
