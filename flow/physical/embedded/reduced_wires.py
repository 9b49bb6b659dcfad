"""Wires of nets as a driver and its sinks see them: pi models and Elmore delays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.spef import NetWires, read_nets
from rsaxcel.flow.power.liberty import WireLoad

_NS_PER_OHM_FF = 1e-6
_FF = 1e15

# Y1, y2, y3 of an admittance y1 s + y2 s^2 + y3 s^3, in fF and ns.
Moments = tuple[float, float, float]


@dataclass(frozen=True)
class ReducedWires:
    """Pi model of each net with its pins, and Elmore delay to each pin; all by edge."""

    near_ff: np.ndarray  # at the driver
    ns_per_ff: np.ndarray  # resistance in 1e6 ohm
    far_ff: np.ndarray  # behind it
    elmore_ns: np.ndarray  # from the driver to each pin

    @classmethod
    def of(cls, moments: np.ndarray, elmore_ns: np.ndarray) -> ReducedWires:
        """Take the pi models that have the moments ``moments[net, edge]``.

        near + far = y1, -far^2 r = y2, far^3 r^2 = y3 (O'Brien and Savarino, ICCAD 1989). Products,
        because the last bit of a power depends on the machine.
        """
        y1, y2, y3 = (np.ascontiguousarray(moments[..., at]) for at in range(3))
        far, resistance = (np.zeros(y1.shape) for _ in range(2))
        at = (y2 != 0) & (y3 != 0)
        far[at] = y2[at] * y2[at] / y3[at]
        resistance[at] = -y3[at] * y3[at] / (y2[at] * y2[at] * y2[at])
        return cls(y1 - far, resistance, far, elmore_ns)

    @property
    def load_ff(self) -> np.ndarray:
        """Load of each net's driver, by edge."""
        return self.near_ff + self.far_ff


def modelled_wires(
    design: ArrayNetlist, model: WireLoad | None, pin_ff: np.ndarray
) -> ReducedWires:
    """Take the wires of a wire-load model: from the driver, one of equal length to each sink.

    ``pin_ff`` is by edge. Without a model, wires have no capacitance.
    """
    start, pins = design.net_pins
    fanouts, each = np.unique(np.diff(start) - 1, return_inverse=True)
    lengths = np.array([model.length(int(x)) / max(x, 1) if model else 0.0 for x in fanouts])[each]
    moments = np.zeros((len(design.nets), 2, 3))
    elmore_ns = np.zeros((len(design.pin_net), 2))
    first = np.zeros(len(pins), bool)
    first[start[:-1][np.diff(start) > 0]] = True
    sinks = pins[~first]
    net = design.pin_net[sinks]
    if model:
        ff = pin_ff[sinks] + (_FF * model.capacitance_f * lengths[net])[:, None]
        resistance = (_NS_PER_OHM_FF * model.resistance_ohm * lengths[net])[:, None]
    else:
        ff, resistance = pin_ff[sinks], np.zeros((len(sinks), 1))
    elmore_ns[sinks] = resistance * ff
    for at, values in enumerate(
        (ff, -resistance * ff * ff, resistance * resistance * ff * ff * ff)
    ):
        np.add.at(moments[..., at], net, values)
    return ReducedWires.of(moments, elmore_ns)


def read_wires(path: Path, design: ArrayNetlist, pin_ff: np.ndarray) -> ReducedWires:
    """Read the wires of a design from a SPEF file of this flow.

    ``FlowError`` if one is incomplete.
    """
    labels, nets = read_nets(path)
    nodes = _nodes(design, labels)
    number = {name: at for at, name in enumerate(design.nets)}
    start, pins = design.net_pins
    moments = np.full((len(design.nets), 2, 3), np.nan)
    elmore_ns = np.zeros((len(design.pin_net), 2))
    for net in nets:
        at = number.get(net.name)
        if at is None:
            raise FlowError(f"{path}: net {net.name}: the netlist does not have it")
        driver, *sinks = pins[start[at] : start[at + 1]].tolist()
        own = {name: pin for name in net.nodes() if (pin := nodes.get(name)) is not None}
        moments[at], found = _reduce(net, own, driver, pin_ff)
        if missing := [pin for pin in sinks if pin not in found]:
            instance, name = design.pin_name(missing[0])
            raise FlowError(f"{path}: net {net.name}: no wire to {instance}/{name}")
        for pin in sinks:
            elmore_ns[pin] = found[pin]
    if (bare := np.flatnonzero(np.isnan(moments[:, 0, 0]) & (np.diff(start) > 1))).size:
        raise FlowError(f"{path}: {bare.size} nets have no wires, such as {design.nets[bare[0]]}")
    return ReducedWires.of(np.nan_to_num(moments), elmore_ns)


def _nodes(design: ArrayNetlist, labels: Mapping[str, str]) -> dict[str, int]:
    """Return the pin of each node that is one, by the node's text; a port's node has no colon."""
    found = {}
    numbered = {name: at for at, name in enumerate(design.names)}
    for label, name in {**{x: x for x in design.names}, **labels}.items():
        if (at := numbered.get(name)) is None:
            continue
        first = int(design.pin_start[at])
        if design.is_port[at]:
            found[label] = first
        else:
            pins = design.kinds[design.kind[at]].pins
            found |= {f"{label}:{pin.name}": first + k for k, pin in enumerate(pins)}
    return found


def _reduce(
    net: NetWires, pin_of: Mapping[str, int], driver: int, pin_ff: np.ndarray
) -> tuple[list[Moments], dict[int, tuple[float, float]]]:
    """Return the moments at the driver by edge, and the Elmore delays to the pins."""
    near: dict[str, list[tuple[str, float]]] = {}
    for one, other, ohm in net.resistances:
        near.setdefault(one, []).append((other, ohm))
        near.setdefault(other, []).append((one, ohm))
    root = next((name for name, pin in pin_of.items() if pin == driver), "")
    order, above = [root], {root: (root, 0.0)}
    for node in order:
        for other, ohm in near.get(node, ()):
            if other not in above:
                above[other] = node, ohm * _NS_PER_OHM_FF
                order.append(other)
    wire_ff = dict.fromkeys(order, 0.0)
    for node, ff in net.capacitances:
        if node in wire_ff:
            wire_ff[node] += ff
    sinks = {name: pin for name, pin in pin_of.items() if pin != driver and name in above}
    moments, delays = [], []
    for edge in (0, 1):
        y = {node: (ff, 0.0, 0.0) for node, ff in wire_ff.items()}
        for node, pin in sinks.items():
            y[node] = wire_ff[node] + float(pin_ff[pin, edge]), 0.0, 0.0
        for node in order[:0:-1]:
            up, r = above[node]
            (a1, a2, a3), (b1, b2, b3) = y[node], y[up]
            # A resistance in series makes y - r y^2 + r^2 y^3 of an admittance y.
            y[up] = b1 + a1, b2 + a2 - r * a1 * a1, b3 + a3 - 2 * r * a1 * a2 + r * r * a1 * a1 * a1
        delay = {root: 0.0}
        for node in order[1:]:
            up, r = above[node]
            delay[node] = delay[up] + r * y[node][0]
        moments.append(y[root])
        delays.append(delay)
    return moments, {pin: (delays[0][node], delays[1][node]) for node, pin in sinks.items()}
