"""Measures of the wires of all nets, by the class of C++ that writes SPEF and times nets."""

import ctypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.ctypeslib import ndpointer

from rsaxcel.flow.physical.embedded.library import load, read_sources
from rsaxcel.flow.physical.embedded.wires import Nets, Trees, WireModel
from rsaxcel.store.foreign import ForeignLibrary


@dataclass(frozen=True)
class Wires:
    length_um: np.ndarray  #: length of each net's tree
    wire_ff: np.ndarray  #: capacitance of each net's wire, without its pins
    delay_ns: np.ndarray  #: Elmore delay to each pin, as in Nets.pins; 0 for drivers


def measure_wires(
    nets: Nets, trees: Trees, pin_ff: np.ndarray, is_clock: np.ndarray, model: WireModel
) -> Wires:
    wires = Wires(np.empty(nets.count), np.empty(nets.count), np.empty(len(nets.pins)))
    assert len(pin_ff) == len(nets.px)
    _library().measure_wires(
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
        np.ascontiguousarray(pin_ff, float),
        wires.length_um,
        wires.wire_ff,
        wires.delay_ns,
    )
    return wires


@cache
def _library() -> ForeignLibrary:
    source = Path(__file__).with_name("measured_wires.cpp").read_text("utf-8")
    library = load(
        "measured-wires", {**read_sources("wires.h", "steiner.h"), "measured_wires.cpp": source}
    )
    kinds: Any = [ndpointer(x, flags="C") for x in (np.int64, np.int32, np.float64, np.uint8)]
    longs, ints, reals, flags = kinds
    trees = [longs, ints, longs, *[ints] * 4, reals, flags]
    library.declare("measure_wires", None, ctypes.c_int64, *trees, *[reals] * 4)
    return library
