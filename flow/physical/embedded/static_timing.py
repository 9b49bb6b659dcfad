"""The embedded timer as an analyzer of the flow: paths, slews, slacks of endpoints, wires, hold."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from rsaxcel.flow.compiled import load_recorded
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import (
    INPUT_PORT,
    OUTPUT_PORT,
    PORT_KINDS,
    ArrayNetlist,
    CellKind,
    KindPin,
    read_array_netlist,
)
from rsaxcel.flow.physical.embedded.library_arrays import capacitances_ff, library_arrays
from rsaxcel.flow.physical.embedded.records import (
    DesignArrays,
    LibraryArrays,
    TimingArrays,
    TimingOptions,
    WireArrays,
    design_arrays,
)
from rsaxcel.flow.physical.spef import NetWires, read_nets
from rsaxcel.flow.power.liberty import Library, WireLoad
from rsaxcel.flow.timer import PlacedTiming, PlacedWires, StaticTiming, Timer, endpoint, histogram
from rsaxcel.store.foreign import ForeignLibrary

_NS_PER_OHM_FF = 1e-6
_FF = 1e15

#: Y1, y2, y3 of an admittance y1 s + y2 s^2 + y3 s^3, in fF and ns.
Moments = tuple[float, float, float]


@dataclass(frozen=True)
class ReducedWires:
    """Pi model of each net with its pins, and Elmore delay to each pin; all by edge."""

    near_ff: np.ndarray  #: capacitance at the driver
    ns_per_ff: np.ndarray  #: resistance in 1e6 ohm
    far_ff: np.ndarray  #: capacitance behind the resistance
    elmore_ns: np.ndarray  #: Elmore delay from the driver to each pin

    @classmethod
    def of(cls, moments: np.ndarray, elmore_ns: np.ndarray) -> ReducedWires:
        """Make the pi models with the moments ``moments[net, edge]``.

        near + far = y1, -far^2 r = y2, far^3 r^2 = y3 (O'Brien and Savarino, ICCAD 1989). Powers
        are written as products: the last bit of a power depends on the machine.
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
    netlist: ArrayNetlist, model: WireLoad | None, pin_ff: np.ndarray
) -> ReducedWires:
    """Take the wires of a wire-load model: from the driver, one of equal length to each sink.

    ``pin_ff`` is by edge. Without a model, wires have no capacitance.
    """
    start, pins = netlist.net_pins
    fanouts, each = np.unique(np.diff(start) - 1, return_inverse=True)
    lengths = np.array([model.length(int(x)) / max(x, 1) if model else 0.0 for x in fanouts])[each]
    moments = np.zeros((len(netlist.nets), 2, 3))
    elmore_ns = np.zeros((len(netlist.pin_net), 2))
    first = np.zeros(len(pins), bool)
    first[start[:-1][np.diff(start) > 0]] = True
    sinks = pins[~first]
    net = netlist.pin_net[sinks]
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


def read_wires(path: Path, netlist: ArrayNetlist, pin_ff: np.ndarray) -> ReducedWires:
    """Read the wires of a design from a SPEF file of this flow.

    ``FlowError`` if one is incomplete.
    """
    labels, nets = read_nets(path)
    nodes = _nodes(netlist, labels)
    number = {name: at for at, name in enumerate(netlist.nets)}
    start, pins = netlist.net_pins
    moments = np.full((len(netlist.nets), 2, 3), np.nan)
    elmore_ns = np.zeros((len(netlist.pin_net), 2))
    for net in nets:
        at = number.get(net.name)
        if at is None:
            raise FlowError(f"{path}: net {net.name}: the netlist does not have it")
        driver, *sinks = pins[start[at] : start[at + 1]].tolist()
        own = {name: pin for name in net.nodes() if (pin := nodes.get(name)) is not None}
        moments[at], found = _reduce(net, own, driver, pin_ff)
        if missing := [pin for pin in sinks if pin not in found]:
            instance, name = netlist.pin_name(missing[0])
            raise FlowError(f"{path}: net {net.name}: no wire to {instance}/{name}")
        for pin in sinks:
            elmore_ns[pin] = found[pin]
    if (bare := np.flatnonzero(np.isnan(moments[:, 0, 0]) & (np.diff(start) > 1))).size:
        raise FlowError(f"{path}: {bare.size} nets have no wires, such as {netlist.nets[bare[0]]}")
    return ReducedWires.of(np.nan_to_num(moments), elmore_ns)


def _nodes(netlist: ArrayNetlist, labels: Mapping[str, str]) -> dict[str, int]:
    """Return the pins among a net's nodes, by the node's text; a port's node has no colon."""
    found = {}
    numbered = {name: at for at, name in enumerate(netlist.names)}
    for label, name in {**{x: x for x in netlist.names}, **labels}.items():
        if (at := numbered.get(name)) is None:
            continue
        first = int(netlist.pin_start[at])
        if netlist.is_port[at]:
            found[label] = first
        else:
            pins = netlist.kinds[netlist.kind[at]].pins
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


_NS = 1e9
_EDGES = "^v"
_LAUNCH = -2
_ROUNDING = 1e-4  #: step to which slews are rounded, as in ``session.cpp``
_DIGITS = 4  #: digits of times and loads on the path, of delays of wires, and of slow slews
_SLACK_DIGITS = 5
_PORT_NAMES = {INPUT_PORT.name: "in", OUTPUT_PORT.name: "out"}
_SOURCES = (
    "analysis.cpp",
    "effective.h",
    "order.h",
    "netlist.h",
    "cells.h",
    "wires.h",
    "steiner.h",
)
_RECORDS = (LibraryArrays, DesignArrays, WireArrays, TimingOptions, TimingArrays)
_TIMES = ("arrival", "slew", "wire", "setup", "hold")


class EmbeddedTimer(Timer):
    """Times netlists as OpenSTA does, with its effective capacitances and delays of wires."""

    name = "embedded timer"

    def version(self) -> str:
        return version("rsaxcel")

    def analyse(
        self,
        netlist: Path,
        top: str,
        kit: Kit,
        *,
        clock_ns: float,
        work_dir: Path,
        slews: Path | None = None,
        wires: PlacedWires | None = None,
    ) -> StaticTiming:
        timed = _time(netlist.with_suffix(".json"), top, kit, clock_ns, wires)
        ends = _ends(timed.times["setup"])
        if not ends:
            raise FlowError(f"there is no path to time in {top}")
        worst = min(ends, key=lambda pin: ends[pin][0])
        slack_ns, edge = ends[worst]
        path = [*timed.trace(worst, edge)][::-1]
        if slews is not None:
            slews.write_text("".join(timed.slew_lines()))
        start = timed.name(path[0][0])
        # The path of a register begins at its output.
        shown = path[1:] if "/" in start else path
        return StaticTiming(
            clock_ns,
            slack_ns,
            endpoint(start),
            endpoint(timed.name(worst)),
            tuple((timed.name(pin), timed.at_ns(pin, edge)) for pin, edge in shown),
            launch_ns=timed.at_ns(*path[0]),
            ends={
                "slacks": histogram([round(x, _SLACK_DIGITS) for x, _ in ends.values()]),
                "path": [*timed.stages(path)],
                "required_ns": round(timed.at_ns(worst, edge) + slack_ns, _DIGITS),
            }
            if slews
            else {},
            placed=timed.placed() if wires else None,
        )


def _time(path: Path, top: str, kit: Kit, clock_ns: float, wires: PlacedWires | None) -> _Timed:
    library = kit.library
    kinds = tuple(
        CellKind(cell.name, 0, 0, tuple(KindPin(x.name, x.is_output) for x in cell.pins.values()))
        for cell in library.cells.values()
        if cell.pins
    )
    netlist = read_array_netlist(path, top, kinds, constants=True)
    pin_ff = _pin_loads_ff(netlist, kit, library)
    reduced = (
        read_wires(wires.spef, netlist, pin_ff)
        if wires
        else modelled_wires(netlist, library.wire_load, pin_ff)
    )
    options = TimingOptions(
        ideal=wires is None,
        levels=np.array(library.levels),
        slew_derate=library.slew_derate,
        period_ns=clock_ns,
        **{x: getattr(wires, x, 0.0) for x in ("latency_ns", "uncertainty_ns", "derate")},
    )
    times = {name: np.empty((len(netlist.pin_net), 2)) for name in _TIMES}
    found = TimingArrays(**times, cause=np.empty((len(netlist.pin_net), 2), np.int32))
    given = (
        library_arrays(kit, netlist.kinds, joined=False),
        design_arrays(netlist),
        WireArrays(**vars(reduced)),
        options,
        found,
    )
    _library().analyse(*map(ctypes.byref, given))
    return _Timed(
        netlist,
        library.max_slew_s * _NS,
        wires is None,
        reduced,
        times,
        found.arrays["cause"],
        found.skew_ns,
    )


@cache
def _library() -> ForeignLibrary:
    code = load_recorded("analysis", Path(__file__).parent, _SOURCES, _RECORDS)
    code.declare("analyse", None, *map(ctypes.POINTER, _RECORDS))
    return code


def _pin_loads_ff(netlist: ArrayNetlist, kit: Kit, library: Library) -> np.ndarray:
    """Return the capacitance of each pin that is driven, for its rise and its fall."""
    by_type = [
        capacitances_ff(library.cells[kind.name].pins[pin.name])
        if kind.name in library.cells and not pin.is_output
        else (kit.port_load_ff * (kind == OUTPUT_PORT),) * 2
        for kind in netlist.kinds
        for pin in kind.pins
    ]
    return np.array(by_type)[netlist.pin_type]


def _ends(slacks: np.ndarray) -> dict[int, tuple[float, int]]:
    """Return slack and edge of each pin at which a path ends."""
    pins = np.flatnonzero(np.isfinite(slacks).any(axis=1))
    edges = np.argmin(slacks[pins], axis=1)
    found = zip(pins.tolist(), slacks[pins, edges].tolist(), edges.tolist(), strict=True)
    return {pin: (least, edge) for pin, least, edge in found}


@dataclass(frozen=True)
class _Timed:
    """A design with its wires, and an ideal clock or a tree; else as in ``TimingArrays``."""

    netlist: ArrayNetlist
    max_slew_ns: float
    is_ideal: bool
    wires: ReducedWires
    times: dict[str, np.ndarray]
    cause: np.ndarray
    skew_ns: float

    @cached_property
    def in_cell(self) -> np.ndarray:
        """Whether each pin belongs to a cell, not to a port."""
        return ~self.netlist.is_port[self.netlist.pin_instance]

    def kind(self, pin: int) -> CellKind:
        return self.netlist.kinds[self.netlist.kind[self.netlist.pin_instance[pin]]]

    def name(self, pin: int) -> str:
        """Name of a pin as ``INSTANCE/PIN``, or of a port."""
        instance, name = self.netlist.pin_name(pin)
        return instance if self.kind(pin) in PORT_KINDS else f"{instance}/{name}"

    def at_ns(self, pin: int, edge: int) -> float:
        """Latest arrival of an edge."""
        return float(self.times["arrival"][pin, edge])

    def placed(self) -> PlacedTiming:
        holds = _ends(self.times["hold"])
        worst = min(holds, key=lambda pin: holds[pin][0])
        slew_ns, limit = self.times["slew"].max(axis=1), self.max_slew_ns
        slow = np.flatnonzero((slew_ns > limit * (1 + _ROUNDING)) & self.in_cell)
        delays = np.round(self.times["wire"], _DIGITS)
        moved = np.flatnonzero(delays.any(axis=1) & self.in_cell).tolist()
        return PlacedTiming(
            hold_slack_ns=holds[worst][0],
            hold_end=self.name(worst),
            skew_ns=abs(self.skew_ns),
            slow_pins={
                self.name(x): (round(float(slew_ns[x]), _DIGITS), round(limit, _DIGITS))
                for x in slow.tolist()
            },
            arrivals_ns={self.netlist.pin_name(x): tuple(delays[x].tolist()) for x in moved},
        )

    def trace(self, pin: int, edge: int) -> Iterator[tuple[int, int]]:
        """Yield pins and edges of the slowest path to a pin, from its end to its start."""
        start, pins = self.netlist.net_pins
        while True:
            yield pin, edge
            if not self.netlist.pin_is_output[pin]:
                pin = int(pins[start[self.netlist.pin_net[pin]]])
                continue
            cause = int(self.cause[pin, edge])
            if cause < 0:
                if cause <= _LAUNCH:
                    yield divmod(_LAUNCH - cause, 2)
                return
            pin, edge = divmod(cause, 2)

    def load_ff(self, pin: int, edge: int) -> float:
        """Load of a pin that drives a net: the wire, and the pins that it drives."""
        net = self.netlist.pin_net[pin]
        if net < 0 or not self.netlist.pin_is_output[pin]:
            return 0.0
        return float(self.wires.load_ff[net, edge])

    def stages(self, path: Sequence[tuple[int, int]]) -> Iterator[dict[str, Any]]:
        """Yield start and end of a path and the outputs between, for ``StaticTiming.ends``.

        Wires behind a port belong to the port: its driving cell's delay has them.
        """
        before_ns = self.at_ns(*path[0])
        for number, (pin, edge) in enumerate(path):
            if number not in (0, len(path) - 1) and not self.netlist.pin_is_output[pin]:
                continue
            is_input = not number and self.kind(pin) == INPUT_PORT
            time_ns = self.at_ns(*path[1] if is_input else (pin, edge))
            is_clock = not number and not self.netlist.pin_is_output[pin]
            slew_ns = 0.0 if is_clock and self.is_ideal else self.times["slew"][pin, edge]
            yield {
                "pin": self.name(pin),
                "cell": _PORT_NAMES.get(self.kind(pin).name, self.kind(pin).name),
                "edge": _EDGES[edge],
                "load_ff": round(self.load_ff(pin, edge), _DIGITS),
                "slew_ns": round(float(slew_ns), _DIGITS),
                "delay_ns": round(time_ns - before_ns, _DIGITS),
                "time_ns": round(time_ns, _DIGITS),
            }
            before_ns = time_ns

    def slew_lines(self) -> Iterator[str]:
        """Yield a line for each pin of a cell: its name, and its rise and fall slew in ns."""
        slews = self.times["slew"].tolist()
        for pin in np.flatnonzero(self.in_cell).tolist():
            rise, fall = slews[pin]
            yield f"{self.name(pin)} {rise:.6e} {fall:.6e}\n"


def mean_latency_ns(netlist: Path, top: str, spef: Path, kit: Kit) -> float:
    """Mean latency of the clock at the flip-flops of a placed netlist with its wires.

    Effective capacitances count, which the repair does not have: its latencies are too large.
    """
    timed, cells = _time(netlist, top, kit, 1.0, PlacedWires(spef, 0.0)), kit.library.cells
    read, found = timed.netlist, []
    for at, kind in enumerate(read.kinds):
        state = cells[kind.name].sequential if kind.name in cells else None
        if state is None or state.kind != "ff":
            continue
        clock = [pin.name for pin in kind.pins].index(state.clock.pins[0])
        pins = read.pin_start[:-1][read.kind == at] + clock
        found += timed.times["arrival"][pins, 0].tolist()
    return round(fmean(found), 9) if found else 0.0
