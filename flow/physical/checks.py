"""Checks of a layout: each raises an error with the first offender and the number of offenders."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from itertools import chain

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, ArrayNetlist
from rsaxcel.flow.physical.floorplan import CoreArea, PhysicalCells, mirrored, row_orient
from rsaxcel.flow.physical.roles import NetSources, roles_of
from rsaxcel.flow.power.liberty import Library


def check_placement(
    netlist: ArrayNetlist, core: CoreArea, others: Sequence[PhysicalCells] = ()
) -> None:
    """Check that cells lie in rows, on sites, in an orientation of their rows, side by side.

    Ports lie on the boundary, one per place. ``others`` are taps, end caps and fillers.
    """
    cells = np.flatnonzero(~netlist.is_port)
    x, y, width, height, orient = (
        np.concatenate([own[cells], *(np.asarray(getattr(other, name)) for other in others)])
        for own, name in (
            (netlist.x, "x"),
            (netlist.y, "y"),
            (netlist.width, "width"),
            (netlist.height, "height"),
            (netlist.orient, "orient"),
        )
    )

    def name(at: int) -> str:
        if at < len(cells):
            return netlist.names[cells[at]]
        kinds = chain.from_iterable(np.array(other.kinds, object)[other.kind] for other in others)
        kind = next(kind for number, kind in enumerate(kinds, len(cells)) if number == at)
        return f"{kind.name} at {_place(x[at], y[at])}"

    def fail(what: str, faults: np.ndarray) -> None:
        if (wrong := np.flatnonzero(faults)).size:
            at = int(wrong[0])
            where = f" at {_place(x[at], y[at])}" if at < len(cells) else ""
            raise FlowError(f"cell {name(at)} {what}{where} ({in_all(wrong, 'cell')})")

    outside = (x < 0) | (y < 0) | (x + width > core.width) | (y + height > core.height)
    fail("lies outside the core", outside)
    fail("lies off its row", (y % core.row_height != 0) | (height != core.row_height))
    fail("lies off its site", x % core.site_width != 0)
    rows = y // core.row_height
    right = row_orient(rows)
    fail("has the wrong orientation for its row", (orient != right) & (orient != mirrored(right)))
    order = np.lexsort((x, rows))
    start = (rows.astype(np.int64) * 2 * core.width + x)[order]
    reach = np.maximum.accumulate(start + width[order])
    covered = np.flatnonzero(start[1:] < reach[:-1])
    if covered.size:
        # Among the cells before: the one that reaches farthest, because a short one may lie on a
        # long one.
        second = int(covered[0]) + 1
        first = int(np.flatnonzero(start[:second] + width[order][:second] == reach[second - 1])[0])
        one, two = sorted((int(order[first]), int(order[second])))
        where = _place(x[order[second]], y[order[second]])
        raise FlowError(
            f"cell {name(one)} overlaps {name(two)} from {where} ({in_all(covered, 'overlap')})"
        )
    _check_ports(netlist, core)


def _check_ports(netlist: ArrayNetlist, core: CoreArea) -> None:
    ports = np.flatnonzero(netlist.is_port)
    x, y = netlist.x[ports].astype(np.int64), netlist.y[ports].astype(np.int64)
    inside = (x >= 0) & (y >= 0) & (x <= core.width) & (y <= core.height)
    edge = np.isin(x, (0, core.width)) | np.isin(y, (0, core.height))
    if (wrong := np.flatnonzero(~(inside & edge))).size:
        at = wrong[0]
        raise FlowError(
            f"port {netlist.names[ports[at]]} is not on the core's boundary, but at "
            f"{_place(x[at], y[at])} ({in_all(wrong, 'port')})"
        )
    _, first, which = np.unique(x * (core.height + 1) + y, return_index=True, return_inverse=True)
    if (wrong := np.flatnonzero(first[which] != np.arange(len(ports)))).size:
        one, two = netlist.names[ports[first[which[wrong[0]]]]], netlist.names[ports[wrong[0]]]
        raise FlowError(f"ports {one} and {two} have one place ({in_all(wrong, 'port')})")


def check_connections(netlist: ArrayNetlist) -> None:
    """Check that every input pin is connected, and that every net has one driver."""
    open_inputs = np.flatnonzero((netlist.pin_net < 0) & ~netlist.pin_is_output)
    if open_inputs.size:
        cell, pin = netlist.pin_name(int(open_inputs[0]))
        raise FlowError(
            f"input pin {pin} of {cell} is not connected ({in_all(open_inputs, 'pin')})"
        )
    driven = netlist.pin_net[(netlist.pin_net >= 0) & netlist.pin_is_output]
    drivers = np.bincount(driven, minlength=len(netlist.nets))
    for what, wrong in (
        ("has no driver", np.flatnonzero(drivers == 0)),
        ("has several drivers", np.flatnonzero(drivers > 1)),
    ):
        if wrong.size:
            raise FlowError(f"net {netlist.nets[wrong[0]]} {what} ({in_all(wrong, 'net')})")


def check_clock(netlist: ArrayNetlist, clock: str, library: Library) -> int:
    """Check that the clock, not its complement, reaches all clock pins.

    Return the number of clock pins of flip-flops and latches.
    """
    roles = roles_of(netlist.kinds, library)
    own = [at for at in np.flatnonzero(netlist.is_port).tolist() if netlist.names[at] == clock]
    if not own:
        raise FlowError(f"there is no port {clock} for the clock")
    root = int(netlist.pin_net[netlist.pin_start[own[0]]])
    sources = NetSources(netlist, roles, through_gates=True)
    sinks, pins = 0, []
    for index, role in enumerate(roles):
        start = netlist.pin_start[:-1][netlist.kind == index]
        pins += [start + pin for pin in role.clock_pins]
        sinks += len(start) * len(role.clock_pins) * (role.gate_output is None)
    every = np.sort(np.concatenate([np.zeros(0, np.int64), *pins]))
    nets = netlist.pin_net[every]
    for what, wrong in (
        ("is not reached by the clock", every[sources.root[nets] != root]),
        ("gets the inverted clock", every[sources.inverted[nets]]),
    ):
        if wrong.size:
            cell, pin = netlist.pin_name(int(wrong[0]))
            raise FlowError(f"clock pin {pin} of {cell} {what} ({in_all(wrong, 'pin')})")
    return sinks


def check_at_most(
    what: str, names: Sequence[str], values: np.ndarray, limits: np.ndarray | float, unit: str = ""
) -> None:
    """Check values against limits and name the worst; a value that is no number is refused, too."""
    values = np.asarray(values, float)
    excess = np.nan_to_num(values - limits, nan=np.inf)
    if not np.any(excess > 0):
        return
    worst = int(np.argmax(excess))
    limit = float(np.broadcast_to(limits, values.shape)[worst])
    raise FlowError(
        f"{what} {names[worst]} is {values[worst]:g}{unit and ' '}{unit}, and at most "
        f"{limit:g}{unit and ' '}{unit} is allowed ({int(np.sum(excess > 0))} in all)"
    )


def _place(x: int, y: int) -> str:
    return f"({x / DBU_PER_UM:g}, {y / DBU_PER_UM:g}) um"


def in_all(wrong: Sized, what: str) -> str:
    return f"{len(wrong)} {what}{'s' if len(wrong) > 1 else ''} in all"
