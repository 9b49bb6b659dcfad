"""Wires of all nets: Steiner trees, resistance and capacitance, SPEF."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.ctypeslib import ndpointer

from rsaxcel.flow.compiled import load
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM
from rsaxcel.flow.physical.lef import Layer, geometry
from rsaxcel.flow.physical.spef import spef_head
from rsaxcel.sim.native.source import read_sources
from rsaxcel.store.foreign import ForeignLibrary

_SOURCES = ("wires.cpp", "wires.h", "steiner.h")
_LONGEST_DBU = 1 << 30  #: half of the coordinates' range: steiner.h adds two coordinates in 32 bits


@dataclass(frozen=True)
class Nets:
    """Nets and the places of their pins; ``ValueError`` if the arrays do not fit together."""

    start: np.ndarray  #: first entry of each net in `pins`, and the end; int64
    pins: np.ndarray  #: net by net, each net's driver first; int32
    px: np.ndarray  #: x of each pin in DBU; int32
    py: np.ndarray

    def __post_init__(self) -> None:
        start, pins, px, py = (
            np.ascontiguousarray(getattr(self, name), kind)
            for name, kind in zip(("start", "pins", "px", "py"), "qiii", strict=True)
        )
        if len(start) == 0 or start[0] != 0 or start[-1] != len(pins) or (np.diff(start) < 0).any():
            raise ValueError("start: expected offsets from 0 to the number of pins, in order")
        if len(px) != len(py):
            raise ValueError(f"px, py: {len(px)} and {len(py)} positions")
        if len(pins) and not (pins.min() >= 0 and pins.max() < len(px)):
            raise ValueError(f"pins: expected numbers from 0 to {len(px) - 1}")
        for name, values in (("px", px), ("py", py)):
            if len(values) and np.abs(values.astype(np.int64)).max() >= _LONGEST_DBU:
                raise ValueError(f"{name}: expected less than 2^30 DBU")
        for name, values in (("start", start), ("pins", pins), ("px", px), ("py", py)):
            object.__setattr__(self, name, values)

    @property
    def count(self) -> int:
        return len(self.start) - 1


@dataclass(frozen=True)
class Trees:
    """Steiner trees of nets: the nodes of all trees one after the other."""

    start: np.ndarray  #: first node of each net, and the end; int64
    x: np.ndarray  #: x of each node in DBU; int32; a net's pins come first, in their order
    y: np.ndarray
    parent: np.ndarray  #: node nearer to the driver, within the net; -1: driver
    order: np.ndarray  #: nodes within the net, each after its parent; int32

    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the nodes below all edges and the nodes above them, as numbers over all nets."""
        lower = np.flatnonzero(self.parent >= 0)
        first = np.repeat(self.start[:-1], np.diff(self.start))
        return lower, first[lower] + self.parent[lower]

    @property
    def lengths_dbu(self) -> np.ndarray:
        """Length of each net's tree in DBU."""
        lower, upper = self.edges()
        net = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))[lower]
        x, y = self.x.astype(np.int64), self.y.astype(np.int64)
        lengths = np.abs(x[lower] - x[upper]) + np.abs(y[lower] - y[upper])
        return np.bincount(net, lengths, len(self.start) - 1)

    @property
    def length_dbu(self) -> int:
        """Length of all trees in DBU."""
        return int(self.lengths_dbu.sum())

    @property
    def length_mm(self) -> float:
        return round(self.length_dbu / DBU_PER_UM / 1e3, 3)


def build_trees(nets: Nets, alpha: float = 0.0) -> Trees:
    """Build the rectilinear Steiner trees of all nets; a net without pins has no nodes.

    ``alpha`` is the price of a path from the driver in lengths of wire: 0 (shortest trees) to 0.5
    (paths nearly without detours).
    """
    if not 0 <= alpha <= 0.5:
        raise ValueError(f"alpha={alpha}: expected 0 to 0.5")
    start = np.empty(nets.count + 1, np.int64)
    x, y, parent, order = (np.empty(2 * len(nets.pins), np.int32) for _ in range(4))
    _library().build_trees(
        nets.count, nets.start, nets.pins, nets.px, nets.py, alpha, start, x, y, parent, order
    )
    end = start[-1]
    return Trees(start, *(values[:end].copy() for values in (x, y, parent, order)))


@dataclass(frozen=True)
class WireModel:
    """Resistance and capacitance of wires, by class of the net; see ``wire_model``."""

    signal_ff_per_um: float
    clock_ff_per_um: float
    lower_ohm_per_um: float
    upper_ohm_per_um: float
    lower_via_ohm: float  #: vias between a pin and the wire
    upper_via_ohm: float
    long_um: float = 100.0  #: least length of a long net
    dbu_per_um: int = DBU_PER_UM

    @property
    def array(self) -> np.ndarray:
        """The values in the order of ``WireModel`` in wires.h."""
        return np.array(
            [
                self.dbu_per_um,
                self.long_um,
                self.lower_ohm_per_um,
                self.upper_ohm_per_um,
                self.lower_via_ohm,
                self.upper_via_ohm,
                self.signal_ff_per_um,
                self.clock_ff_per_um,
            ],
            float,
        )


_SHORT, _LONG = slice(1, 3), slice(3, 5)  #: layers of short nets; of long nets and clock nets


def wire_model(
    layers: Sequence[Layer],
    per_um: Mapping[str, tuple[float, float]],
    via_ohms: Mapping[str, float],
) -> WireModel:
    """Return the wires of a library: means of the second and third layer, and of the next two.

    Layers come from LEF. A wire's resistance is RPERSQ / WIDTH, its capacitance CPERSQDIST x WIDTH
    and EDGECAPACITANCE on either side, unless ``per_um`` has others (ohm and fF of a um, by layer),
    and ``via_ohms`` other resistances of vias (by layer of cuts). Vias lead from the first layer to
    the higher one of the two.
    """
    own = [per_um.get(layer.name) or _from_lef(layer) for layer in layers]
    vias = [via_ohms.get(layer.cut.layer, layer.via_ohm) if layer.cut else 0.0 for layer in layers]
    short = own[_SHORT] or own
    long = own[_LONG] or short
    return WireModel(
        signal_ff_per_um=fmean(ff for _, ff in short),
        clock_ff_per_um=fmean(ff for _, ff in long),
        lower_ohm_per_um=fmean(ohm for ohm, _ in short),
        upper_ohm_per_um=fmean(ohm for ohm, _ in long),
        lower_via_ohm=sum(vias[: _SHORT.stop - 1]),
        upper_via_ohm=sum(vias[: _LONG.stop - 1]),
    )


def _from_lef(layer: Layer) -> tuple[float, float]:
    width_um = layer.width / DBU_PER_UM
    ff_per_um = layer.area_ff_per_um2 * width_um + 2 * layer.edge_ff_per_um
    return layer.ohm_per_square / width_um, ff_per_um


def wires_of(kit: Kit) -> WireModel:
    """Return the wires of a kit's library."""
    per_um = {layer: (ohm, ff) for layer, ohm, ff in kit.layout.wires}
    return wire_model(geometry(kit).layers, per_um, dict(kit.layout.via_ohms))


@dataclass(frozen=True)
class Names:
    """Names for SPEF, as in the Verilog netlist but without backslashes."""

    design: str
    nets: Sequence[str]  #: a port's bit has its index in brackets
    instances: Sequence[str]  #: a port's bit has the bit's name
    pins: Sequence[str]  #: distinct names of pins
    pin_instance: np.ndarray
    pin_name: np.ndarray  #: number of each pin's name in `pins`; -1: the instance is a port
    pin_is_output: np.ndarray  #: whether each pin drives its net


def write_spef(
    path: Path, nets: Nets, trees: Trees, names: Names, is_clock: np.ndarray, model: WireModel
) -> None:
    """Write the wires of all nets with two or more pins as SPEF."""
    count = len(nets.px)
    for name in ("pin_instance", "pin_name", "pin_is_output"):
        _sized(name, getattr(names, name), count)
    _sized("nets", names.nets, nets.count)
    instance, pin = (
        np.ascontiguousarray(values, np.int32) for values in (names.pin_instance, names.pin_name)
    )
    for label, values, least, limit in (
        ("pin_instance", instance, 0, len(names.instances)),
        ("pin_name", pin, -1, len(names.pins)),
    ):
        if count and not (values.min() >= least and values.max() < limit):
            raise ValueError(f"{label}: expected numbers from {least} to {limit - 1}")
    ports = np.unique(instance[pin < 0]).tolist()
    head = spef_head(names.design, names.nets, names.instances, ports)
    written = _library().write_spef(
        str(path).encode(),
        head.encode(),
        *_tree_arguments(nets, trees, model, is_clock),
        instance,
        pin,
        np.ascontiguousarray(names.pin_is_output, np.uint8),
        "".join(f"{name}\0" for name in names.pins).encode() + b"\0",
    )
    if not written:
        raise FlowError(f"cannot write {path}")


def _sized(name: str, values: Sequence[Any] | np.ndarray, count: int) -> None:
    if len(values) != count:
        raise ValueError(f"{name}: {len(values)} values, expected {count}")


def _tree_arguments(
    nets: Nets, trees: Trees, model: WireModel, is_clock: np.ndarray
) -> tuple[Any, ...]:
    _sized("trees", trees.start, nets.count + 1)
    _sized("is_clock", is_clock, nets.count)
    return (
        nets.count,
        nets.start,
        nets.pins,
        trees.start,
        trees.x,
        trees.y,
        trees.parent,
        trees.order,
        model.array,
        np.ascontiguousarray(is_clock, np.uint8),
    )


@cache
def _library() -> ForeignLibrary:
    library = load("wires", read_sources(Path(__file__).parent, _SOURCES))
    pointers: Any = [ndpointer(x, flags="C") for x in (np.int64, np.int32, np.float64, np.uint8)]
    longs, ints, reals, flags = pointers
    text, count = ctypes.c_char_p, ctypes.c_int64
    trees: list[Any] = [count, longs, ints, longs, *[ints] * 4, reals, flags]
    pins: list[Any] = [count, longs, ints, ints, ints]
    library.declare("build_trees", None, *pins, ctypes.c_double, longs, *[ints] * 4)
    library.declare("write_spef", ctypes.c_int32, text, text, *trees, ints, ints, flags, text)
    return library
