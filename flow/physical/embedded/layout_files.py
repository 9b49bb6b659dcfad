"""Trees, wires and congestion of a design, and its SPEF file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rsaxcel.flow.kit import Kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.embedded.capacity import (
    ROUNDS,
    SPARE,
    Congestion,
    Grid,
    RoutingLayer,
    Strap,
    route,
)
from rsaxcel.flow.physical.embedded.wires import (
    Names,
    Nets,
    Trees,
    WireModel,
    build_trees,
    write_spef,
)
from rsaxcel.flow.physical.floorplan import Core
from rsaxcel.flow.physical.lef import layers
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
    straps = [Strap(x.layer, *x.shape) for x in grid.straps if not x.rail]
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
