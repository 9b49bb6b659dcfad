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
from rsaxcel.flow.physical.embedded.capacity import (
    ROUNDS,
    SPARE,
    Blockage,
    Congestion,
    Grid,
    RoutingLayer,
    route,
)
from rsaxcel.flow.physical.embedded.session import Clock, session
from rsaxcel.flow.physical.embedded.wires import (
    Names,
    Nets,
    Trees,
    WireModel,
    build_trees,
    write_spef,
)
from rsaxcel.flow.physical.floorplan import Core, fill_gaps, fixed_cells, utilisation_of
from rsaxcel.flow.physical.lef import layers
from rsaxcel.flow.physical.netlist_files import write_json as write_netlist_json
from rsaxcel.flow.physical.netlist_files import write_verilog
from rsaxcel.flow.physical.power_grid import power_grid

TREE_ALPHA = 0.4  # price of a path from the driver, in lengths of wire; see build_trees

_SIGNAL_LAYERS = slice(1, 10)  # metal 2 to metal 10: metal 1 belongs to the cells


def nets_of(design: ArrayNetlist) -> Nets:
    return Nets(*design.net_pins, *design.pin_places())


def trees_of(design: ArrayNetlist) -> Trees:
    return build_trees(nets_of(design), TREE_ALPHA)


def congestion(
    trees: Trees, core: Core, kit: Kit, spare: float = SPARE, rounds: int = ROUNDS
) -> Congestion:
    """Route all trees over the grid of a core, with a share ``spare`` of its tracks left free."""
    grid = power_grid(core, kit)
    straps = [Blockage(x.layer, *x.shape) for x in grid.straps if not x.rail]
    own = [RoutingLayer(x.name, x.pitch, x.is_horizontal) for x in layers(kit)[_SIGNAL_LAYERS]]
    return route(
        trees, Grid(core.width, core.height, own, spare=spare, straps=straps), rounds=rounds
    )


def clock_nets(design: ArrayNetlist, kit: Kit) -> np.ndarray:
    """Whether each net belongs to the clock: from its sinks back through buffers and gates."""
    cells = kept_library(kit.liberty).cells
    clock_pins = {
        (name, pin)
        for name, cell in cells.items()
        if cell.sequential is not None
        for pin in cell.sequential.clock.pins
    }
    driver: dict[int, int] = {}
    found = np.zeros(len(design.nets), bool)
    start, nets = design.pin_start.tolist(), design.pin_net.tolist()
    todo = []
    for at, kind in enumerate(design.kind.tolist()):
        for pin, net in zip(design.kinds[kind].pins, nets[start[at] : start[at + 1]], strict=True):
            if net >= 0 and pin.is_output:
                driver[net] = at
            elif (design.kinds[kind].name, pin.name) in clock_pins:
                todo.append(net)
    while todo:
        net = todo.pop()
        if found[net]:
            continue
        found[net] = True
        at = driver[net]
        kind = design.kinds[design.kind[at]]
        cell = cells.get(kind.name)
        if cell is not None and cell.sequential is None and len(cell.inputs) == 1:
            todo += [
                nets[start[at] + position]
                for position, pin in enumerate(kind.pins)
                if not pin.is_output
            ]
    return found


def write_wires(path: Path, design: ArrayNetlist, trees: Trees, is_clock: np.ndarray) -> None:
    pins = [pin.name for kind in design.kinds for pin in kind.pins]
    known = sorted(set(pins))
    number = {name: index for index, name in enumerate(known)}
    pin_name = np.array([number[name] for name in pins], np.int32)[design.pin_type]
    pin_name[design.is_port[design.pin_instance]] = -1
    names = Names(
        design.top,
        design.nets,
        design.names,
        known,
        design.pin_instance,
        pin_name,
        design.pin_is_output,
    )
    write_spef(path, nets_of(design), trees, names, is_clock, WireModel())


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
