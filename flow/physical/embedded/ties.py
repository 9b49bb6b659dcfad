"""Tie cells of asynchronous resets and sets: each drives flip-flops that lie near it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.power.liberty import Library


def share_ties(netlist: ArrayNetlist, library: Library) -> ArrayNetlist:
    """Exchange the flip-flops of tie cells by place, and put each tie cell between its own.

    Synthesis shares tie cells by the names of registers. No tie cell gets more flip-flops than the
    one that has the most.
    """
    start, pins = netlist.net_pins
    px, py = netlist.pin_places()
    pin_net, x, y = netlist.pin_net.copy(), netlist.x.copy(), netlist.y.copy()
    for nets in _tied(netlist, library):
        sinks = [pins[start[net] + 1 : start[net + 1]] for net in nets]
        groups = _parts(np.concatenate(sinks), px, py, len(nets), max(map(len, sinks)))
        for net, group in zip(nets, groups, strict=True):
            own = int(netlist.pin_instance[pins[start[net]]])
            pin_net[group] = net
            x[own] = round(float(px[group].mean())) - netlist.width[own] // 2
            y[own] = round(float(py[group].mean())) - netlist.height[own] // 2
    np.maximum(x, 0, out=x), np.maximum(y, 0, out=y)
    return replace(netlist, pin_net=pin_net, x=x, y=y)


def _tied(netlist: ArrayNetlist, library: Library) -> Iterator[list[int]]:
    """Yield the nets from each kind of tie cell to resets and sets alone."""
    cells = [library.cells.get(kind.name) for kind in netlist.kinds]
    forcing = np.array(
        [
            cell is not None and pin.name in cell.forcing_pins
            for kind, cell in zip(netlist.kinds, cells, strict=True)
            for pin in kind.pins
        ]
    )
    start, pins = netlist.net_pins
    is_forced = forcing[netlist.pin_type[pins]]
    for at, cell in enumerate(cells):
        if cell is None or cell.inputs or not cell.outputs or cell.sequential:
            continue
        own = np.flatnonzero(netlist.kind == at)
        driven = netlist.pin_net[netlist.pin_start[own]]
        nets = [
            net
            for net in driven[driven >= 0].tolist()
            if start[net + 1] - start[net] > 1 and is_forced[start[net] + 1 : start[net + 1]].all()
        ]
        if nets:
            yield nets


def _parts(
    pins: np.ndarray, px: np.ndarray, py: np.ndarray, count: int, most: int
) -> list[np.ndarray]:
    """Divide pins by place into ``count`` groups of at most ``most``."""
    if count == 1:
        return [pins]
    wide = np.ptp(px[pins]) >= np.ptp(py[pins])
    along, across = (px[pins], py[pins]) if wide else (py[pins], px[pins])
    pins = pins[np.lexsort((pins, across, along))]
    low = count // 2
    high = count - low
    at = round(len(pins) * low / count)
    at = min(max(at, low, len(pins) - high * most), low * most, len(pins) - high)
    return [*_parts(pins[:at], px, py, low, most), *_parts(pins[at:], px, py, high, most)]
