"""Wires of ten cells by hand: capacitance, Elmore delay, layers; OpenSTA takes their SPEF."""

import ctypes
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.ctypeslib import ndpointer

from rsaxcel.flow.compiled import load
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.embedded import wires as embedded_wires
from rsaxcel.flow.physical.embedded.wires import (
    Names,
    Nets,
    Trees,
    WireModel,
    build_trees,
    wires_of,
    write_spef,
)
from rsaxcel.flow.physical.spef import read_totals
from rsaxcel.sim.native.source import read_sources
from rsaxcel.store.foreign import ForeignLibrary
from tests.flow.flow_circuits import KIT
from tests.flow.opensta_scripts import run_opensta
from tests.shared.tables import each_row

MODEL = wires_of(KIT)
UM = 2000
"""Database units per um."""

VERILOG = Path(__file__).with_name("ten.v").read_text("utf-8")

CELLS = {
    r"core.g[1]": (0, 0),
    r"core.g[2]": (20, 10),
    "g3": (20, -10),
    "g/4": (40, 0),
    "g5": (50, 14),
    "g6": (10, 40),
    "g7": (60, 30),
    "g8": (60, 30),
    "g9": (80, 150),
    "g10": (90, 8.4),
}
PORTS = {"a[0]": (-30, 0), "a[1]": (-30, 40), "y[0]": (100, 150), "y[1]": (100, 8.4)}
"""Positions in um; all pins of a cell are at the same place, and g8's input is at g7's output."""

NETS = {
    "a[0]": ["a[0]", "core.g[1]:A"],
    "a[1]": ["a[1]", "g6:A"],
    "core.n1[3]": ["core.g[1]:ZN", "core.g[2]:A", "g3:A"],
    "core.lanes__0.n2": ["core.g[2]:ZN", "g/4:A1"],
    "n$3": ["g3:ZN", "g/4:A2"],
    "p[0].q[1]": ["g/4:ZN", "g5:A", "g10:A2"],
    "n5": ["g5:ZN", "g7:A1"],
    "n6": ["g6:ZN", "g7:A2"],
    "n7": ["g7:ZN", "g8:A", "g10:A1"],
    "n8": ["g8:ZN", "g9:A"],
    "y[0]": ["g9:ZN", "y[0]"],
    "y[1]": ["g10:ZN", "y[1]"],
}

PIN_NAMES = ["A", "A1", "A2", "ZN"]


class TenCells:
    """The ten cells as arrays; ``nets``, ``trees`` and ``names`` as in the wires' interface."""

    def __init__(self) -> None:
        places = CELLS | PORTS
        instances = list(places)
        pins = [pin for net in NETS.values() for pin in net]
        drivers = {net[0] for net in NETS.values()}
        split = [pin.partition(":") for pin in pins]
        where = np.array([places[name] for name, _, _ in split]) * UM
        start = np.cumsum([0, *map(len, NETS.values())])
        self.nets = Nets(start, np.arange(len(pins)), where[:, 0], where[:, 1])
        self.trees = build_trees(self.nets)
        self.names = Names(
            design="ten",
            nets=list(NETS),
            instances=instances,
            pins=PIN_NAMES,
            pin_instance=np.array([instances.index(name) for name, _, _ in split]),
            pin_name=np.array([PIN_NAMES.index(pin) if pin else -1 for _, _, pin in split]),
            pin_is_output=np.array([pin in drivers for pin in pins]),
        )
        self.is_clock = np.zeros(len(NETS), bool)

    def write(self, path: Path, model: WireModel | None = None) -> None:
        write_spef(path, self.nets, self.trees, self.names, self.is_clock, model or MODEL)


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
    folder = Path(embedded_wires.__file__).parent
    library = load(
        "measured-wires",
        {**read_sources(folder, ("wires.h", "steiner.h")), "measured_wires.cpp": source},
    )
    kinds: Any = [ndpointer(x, flags="C") for x in (np.int64, np.int32, np.float64, np.uint8)]
    longs, ints, reals, flags = kinds
    trees = [longs, ints, longs, *[ints] * 4, reals, flags]
    library.declare("measure_wires", None, ctypes.c_int64, *trees, *[reals] * 4)
    return library


ROW = list(NETS).index("core.n1[3]")


def measured(cells: TenCells, load_ff: list[float] | None = None, **model):
    pin_ff = np.zeros(len(cells.nets.px))
    first, end = cells.nets.start[ROW : ROW + 2]
    if load_ff:
        pin_ff[cells.nets.pins[first:end]] = load_ff
    wires = measure_wires(cells.nets, cells.trees, pin_ff, cells.is_clock, replace(MODEL, **model))
    return wires, wires.delay_ns[first:end]


def test_a_net_by_hand():
    """The net is a trunk of 20 um and two branches of 10 um, which end at inputs."""
    wires, delays = measured(TenCells(), [7.0, 1.0, 1.5])
    assert wires.length_um[ROW] == 40
    assert wires.wire_ff[ROW] == pytest.approx(40 * 0.105)
    # One end of each piece is a pin, with vias of 10 ohm.
    trunk_ohm, branch_ohm = 20 * 3.57 + 10, 10 * 3.57 + 10
    trunk_ff, branch_ff = 20 * 0.105, 10 * 0.105
    behind_trunk_ff = trunk_ff / 2 + 2 * branch_ff + 1.0 + 1.5
    expected = [
        0,
        trunk_ohm * behind_trunk_ff + branch_ohm * (branch_ff / 2 + 1.0),
        trunk_ohm * behind_trunk_ff + branch_ohm * (branch_ff / 2 + 1.5),
    ]
    assert expected[1] == pytest.approx(529.6025)  # in ohm x fF = 1e-6 ns
    assert delays == pytest.approx([value * 1e-6 for value in expected])


def test_long_nets_use_upper_layers():
    cells = TenCells()
    lower, _ = measured(cells)
    _, delays = measured(cells, [0, 1.0, 1.5], long_um=40)
    trunk_ohm, branch_ohm = 20 * 1.5 + 18, 10 * 1.5 + 18
    assert delays[1] == pytest.approx((trunk_ohm * 5.65 + branch_ohm * 1.525) * 1e-6)
    upper, _ = measured(cells, long_um=40)
    assert (lower.wire_ff == upper.wire_ff).all()


def test_the_clock_has_its_own_capacitance():
    cells = TenCells()
    cells.is_clock[ROW] = True
    wires, delays = measured(cells, [0, 1.0, 1.5])
    assert wires.wire_ff[ROW] == pytest.approx(40 * 0.111)
    assert wires.wire_ff[0] == pytest.approx(30 * 0.105)
    trunk_ohm, branch_ohm = 20 * 1.5 + 18, 10 * 1.5 + 18
    behind_trunk_ff = 10 * 0.111 + 20 * 0.111 + 2.5
    expected = trunk_ohm * behind_trunk_ff + branch_ohm * (5 * 0.111 + 1.0)
    assert delays[1] == pytest.approx(expected * 1e-6)


def test_a_pin_on_the_way_does_not_delay_more_than_its_vias():
    nets = Nets([0, 3], [0, 1, 2], [0, 30 * UM, 90 * UM], [0, 0, 0])
    trees = build_trees(nets)
    wires = measure_wires(nets, trees, np.array([0, 2.0, 3.0]), np.zeros(1), MODEL)
    first_ohm, second_ohm = 30 * 3.57 + 20, 60 * 3.57 + 20
    first = first_ohm * (15 * 0.105 + 60 * 0.105 + 5.0)
    assert wires.delay_ns == pytest.approx(
        [0, first * 1e-6, (first + second_ohm * (30 * 0.105 + 3.0)) * 1e-6]
    )


def test_arrays_of_wrong_length_are_refused(tmp_path):
    cells = TenCells()
    cells.is_clock = np.zeros(3)
    with pytest.raises(ValueError, match="is_clock: 3 values, expected"):
        cells.write(tmp_path / "ten.spef")


SCRIPT = Path(__file__).with_name("spef.tcl").read_text("utf-8")


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "ten.spef"
    TenCells().write(path)
    return path


@pytest.fixture
def wires():
    cells = TenCells()
    return measure_wires(
        cells.nets, cells.trees, np.zeros(len(cells.nets.px)), cells.is_clock, MODEL
    )


def test_opensta_takes_the_wires_of_every_net(written, wires):
    (written.parent / "ten.v").write_text(VERILOG)
    output = run_opensta(SCRIPT.format(liberty=KIT.liberty), written.parent)
    assert "Warning" not in output
    assert "Error" not in output
    found = {}
    for part in output.partition("PATHS")[0].split("NET ")[1:]:
        value = re.search(r"Wire capacitance: (?:r )?(\S+)", part)
        found[part.partition("\n")[0]] = float(value[1])
    assert found == pytest.approx(dict(zip(NETS, wires.wire_ff, strict=True)), abs=2e-6)
    # The output is the end of the longest path; it has no capacitance, as in the Elmore delay here.
    delay = re.search(r"^ *(\S+) +\S+ . y\[0\] \(out\)$", output, re.M)
    sink = NETS["y[0]"].index("y[0]") + TenCells().nets.start[list(NETS).index("y[0]")]
    assert float(delay[1]) == pytest.approx(wires.delay_ns[sink], abs=2e-7)
    assert wires.delay_ns[sink] > 5e-5


def test_totals_are_read(written, wires):
    totals = read_totals(written)
    assert totals == pytest.approx(dict(zip(NETS, wires.wire_ff, strict=True)), abs=2e-6)


@each_row(__file__, "damaged", "pattern", "text", "message")
def test_damaged_files_are_refused(written, pattern, text, message):
    damaged, count = re.subn(pattern, text, written.read_text(), count=1)
    assert count
    written.write_text(damaged)
    with pytest.raises(FlowError, match=message):
        read_totals(written)


def test_a_folder_that_is_missing(tmp_path):
    with pytest.raises(FlowError, match="cannot write"):
        TenCells().write(tmp_path / "missing" / "ten.spef")
    with pytest.raises(FlowError, match="cannot read"):
        read_totals(tmp_path / "ten.spef")
