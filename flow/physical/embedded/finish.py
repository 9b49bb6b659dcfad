"""Files and figures of a finished layout, whatever tool has made it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import write_json
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, ArrayNetlist
from rsaxcel.flow.physical.def_file import write_def
from rsaxcel.flow.physical.embedded.capacity import Congestion
from rsaxcel.flow.physical.embedded.layout_files import (
    clock_nets,
    congestion,
    trees_of,
    write_wires,
)
from rsaxcel.flow.physical.embedded.session import Clock, session
from rsaxcel.flow.physical.floorplan import Core, fill_gaps, fixed_cells, utilisation_of
from rsaxcel.flow.physical.netlist_files import write_json as write_netlist_json
from rsaxcel.flow.physical.netlist_files import write_verilog

SKEW_LIMIT_NS = 0.25  # greatest difference of two latencies


def write_layout(
    design: ArrayNetlist, core: Core, kit: Kit, clock_ns: float, clock_buffers: int, folder: Path
) -> dict[str, Any]:
    """Write the files ``flow.physical.interface.LAYOUT`` of a checked layout, with Steiner trees.

    Return the figures that any layout has. ``FlowError`` for too much skew, or gaps without filler.
    """
    fixed = fixed_cells(core, kit)
    write_verilog(design, folder / "placed.v")
    write_netlist_json(design, folder / "placed.json")
    write_def(folder / "placed.def", design, core, kit, fixed, fill_gaps(design, core, kit, fixed))
    trees = trees_of(design)
    write_wires(folder / "placed.spef", design, trees, clock_nets(design, kit))
    write_clock(folder / "clock.json", design, kit, clock_ns, clock_buffers)
    found = congestion(trees, core, kit)
    write_capacity(folder / "capacity.npz", found)
    library = kept_library(kit.liberty)
    cells = sum(
        library.cells[design.kinds[at].name].area_um2 for at in design.kind[~design.is_port]
    )
    return {
        "core_area_um2": round(core.area_um2, 3),
        "utilisation": round(utilisation_of(design, core, fixed), 6),
        "area_um2": round(cells, 3),
        "wire_length_mm": round(trees.length_dbu / DBU_PER_UM / 1e3, 3),
        "overflow": found.overflow,
        "routing_demand": round(found.demand, 4),
        "clock_buffers": clock_buffers,
    }


def write_clock(path: Path, design: ArrayNetlist, kit: Kit, clock_ns: float, buffers: int) -> None:
    """Write the latencies of a clock tree; ``FlowError`` if the skew is above ``SKEW_LIMIT_NS``."""
    with session(design, kit, Clock(is_ideal=False)) as opened:
        opened.time(clock_ns)
        latency = opened.clock_latencies()
    write_latencies(path, latency, design, kit, buffers)


def write_latencies(
    path: Path, latency_ns: Mapping[str, float], design: ArrayNetlist, kit: Kit, buffers: int
) -> None:
    """Write the latencies of all clock pins of a design; raises as ``write_clock`` does."""
    gates = clock_gates(design, kit)
    ends = [x for pin, x in latency_ns.items() if pin.rpartition("/")[0] not in gates]
    skew_ns = max(ends, default=0.0) - min(ends, default=0.0)
    check_skew(skew_ns)
    write_json(
        path,
        {
            "latency_ns": dict(latency_ns),
            "mean_latency_ns": round(fmean(ends), 6) if ends else 0.0,
            "skew_ns": round(skew_ns, 6),
            "insertion_delay_ns": max(latency_ns.values(), default=0.0),
            "buffers": buffers,
        },
    )


def check_skew(skew_ns: float) -> None:
    if skew_ns > SKEW_LIMIT_NS:
        raise FlowError(f"skew is {skew_ns:.3f} ns, and at most {SKEW_LIMIT_NS} ns is allowed")


def clock_gates(design: ArrayNetlist, kit: Kit) -> set[str]:
    cells = kept_library(kit.liberty).cells
    is_gate = [bool(x.name in cells and cells[x.name].clock_gate) for x in design.kinds]
    return {design.names[at] for at in np.flatnonzero(np.array(is_gate)[design.kind])}


def write_capacity(path: Path, found: Congestion) -> None:
    np.savez(
        path,
        horizontal=found.horizontal,
        vertical=found.vertical,
        horizontal_tracks=found.horizontal_tracks,
        vertical_tracks=found.vertical_tracks,
    )
