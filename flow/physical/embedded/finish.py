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
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.def_file import write_def
from rsaxcel.flow.physical.embedded.capacity import (
    ROUNDS,
    SPARE,
    Congestion,
    Grid,
    grid_cell,
    route,
)
from rsaxcel.flow.physical.embedded.session import Clock, pace, session
from rsaxcel.flow.physical.embedded.wires import (
    Names,
    Nets,
    Trees,
    WireModel,
    build_trees,
    wires_of,
    write_spef,
)
from rsaxcel.flow.physical.floorplan import CoreArea, fill_gaps, fixed_cells, utilisation_of
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.netlist_files import write_json as write_netlist_json
from rsaxcel.flow.physical.netlist_files import write_verilog
from rsaxcel.flow.physical.power_grid import power_grid

TREE_ALPHA = 0.4  #: price of a path from the driver, in lengths of wire; see build_trees

_SIGNAL_LAYERS = slice(1, 10)  #: metal 2 to metal 10: metal 1 belongs to the cells


def nets_of(netlist: ArrayNetlist) -> Nets:
    return Nets(*netlist.net_pins, *netlist.pin_places())


def trees_of(netlist: ArrayNetlist) -> Trees:
    return build_trees(nets_of(netlist), TREE_ALPHA)


def congestion(
    trees: Trees, core: CoreArea, kit: Kit, spare: float = SPARE, rounds: int = ROUNDS
) -> Congestion:
    """Route all trees over the grid of a core, with a share ``spare`` of its tracks left free."""
    grid = power_grid(core, kit)
    straps = [(x.layer, x.shape) for x in grid.straps if not x.rail]
    own = geometry(kit).layers[_SIGNAL_LAYERS]
    of_core = Grid(core.width, core.height, own, grid_cell(own), spare=spare, straps=straps)
    return route(trees, of_core, rounds=rounds)


def placed_figures(trees: Trees, found: Congestion) -> dict[str, Any]:
    """Return the figures of a placement before any repair."""
    return {
        "overflow": found.overflow,
        "routing_demand": round(found.demand, 4),
        "placed_wire_length_mm": trees.length_mm,
    }


def clock_nets(netlist: ArrayNetlist, kit: Kit) -> np.ndarray:
    """Whether each net belongs to the clock: from its sinks back through buffers and gates."""
    cells = kit.library.cells
    clock_pins = {
        (name, pin)
        for name, cell in cells.items()
        if cell.sequential is not None
        for pin in cell.sequential.clock.pins
    }
    driver: dict[int, int] = {}
    found = np.zeros(len(netlist.nets), bool)
    start, nets = netlist.pin_start.tolist(), netlist.pin_net.tolist()
    todo = []
    for at, kind in enumerate(netlist.kind.tolist()):
        for pin, net in zip(netlist.kinds[kind].pins, nets[start[at] : start[at + 1]], strict=True):
            if net >= 0 and pin.is_output:
                driver[net] = at
            elif (netlist.kinds[kind].name, pin.name) in clock_pins:
                todo.append(net)
    while todo:
        net = todo.pop()
        if found[net]:
            continue
        found[net] = True
        at = driver[net]
        kind = netlist.kinds[netlist.kind[at]]
        cell = cells.get(kind.name)
        if cell is not None and cell.sequential is None and len(cell.inputs) == 1:
            todo += [
                nets[start[at] + position]
                for position, pin in enumerate(kind.pins)
                if not pin.is_output
            ]
    return found


def write_wires(
    path: Path, netlist: ArrayNetlist, trees: Trees, is_clock: np.ndarray, model: WireModel
) -> None:
    pins = [pin.name for kind in netlist.kinds for pin in kind.pins]
    known = sorted(set(pins))
    number = {name: index for index, name in enumerate(known)}
    pin_name = np.array([number[name] for name in pins], np.int32)[netlist.pin_type]
    pin_name[netlist.is_port[netlist.pin_instance]] = -1
    names = Names(
        netlist.top,
        netlist.nets,
        netlist.names,
        known,
        netlist.pin_instance,
        pin_name,
        netlist.pin_is_output,
    )
    write_spef(path, nets_of(netlist), trees, names, is_clock, model)


SKEW_LIMIT_NS = 0.25  #: greatest difference of two latencies, at the pace of NanGate45


def write_layout(
    netlist: ArrayNetlist,
    core: CoreArea,
    kit: Kit,
    clock_ns: float,
    clock_buffers: int,
    folder: Path,
) -> dict[str, Any]:
    """Write the files ``flow.physical.interface.LAYOUT`` of a checked layout, with Steiner trees.

    Return the figures that any layout has. ``FlowError`` for too much skew, or gaps without filler.
    """
    fixed = fixed_cells(core, kit)
    write_verilog(netlist, folder / "placed.v")
    write_netlist_json(netlist, folder / "placed.json")
    write_def(
        folder / "placed.def", netlist, core, kit, fixed, fill_gaps(netlist, core, kit, fixed)
    )
    trees = trees_of(netlist)
    write_wires(folder / "placed.spef", netlist, trees, clock_nets(netlist, kit), wires_of(kit))
    with session(netlist, kit, Clock(is_ideal=False)) as opened:
        opened.time(clock_ns)
        latency = opened.clock_latencies()
    write_latencies(folder / "clock.json", latency, netlist, kit, clock_buffers)
    found = congestion(trees, core, kit)
    maps = ("horizontal", "vertical", "horizontal_tracks", "vertical_tracks")
    np.savez(folder / "capacity.npz", **{x: getattr(found, x) for x in maps})
    library = kit.library
    cells = sum(
        library.cells[netlist.kinds[at].name].area_um2 for at in netlist.kind[~netlist.is_port]
    )
    return {
        "core_area_um2": round(core.area_um2, 3),
        "utilisation": round(utilisation_of(netlist, core, fixed), 6),
        "area_um2": round(cells, 3),
        "wire_length_mm": trees.length_mm,
        "overflow": found.overflow,
        "routing_demand": round(found.demand, 4),
        "clock_buffers": clock_buffers,
    }


def write_latencies(
    path: Path, latency_ns: Mapping[str, float], netlist: ArrayNetlist, kit: Kit, buffers: int
) -> None:
    """Write the latencies of all clock pins; ``FlowError`` for a skew above ``SKEW_LIMIT_NS``."""
    gates = clock_gates(netlist, kit)
    ends = [x for pin, x in latency_ns.items() if pin.rpartition("/")[0] not in gates]
    skew_ns = max(ends, default=0.0) - min(ends, default=0.0)
    check_skew(skew_ns, kit)
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


def check_skew(skew_ns: float, kit: Kit) -> None:
    limit_ns = SKEW_LIMIT_NS * pace(kit)
    if skew_ns > limit_ns:
        raise FlowError(f"skew is {skew_ns:.3f} ns, and at most {limit_ns:g} ns is allowed")


def clock_gates(netlist: ArrayNetlist, kit: Kit) -> set[str]:
    cells = kit.library.cells
    is_gate = [bool(x.name in cells and cells[x.name].clock_gate) for x in netlist.kinds]
    return {netlist.names[at] for at in np.flatnonzero(np.array(is_gate)[netlist.kind])}
