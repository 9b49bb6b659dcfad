"""Reading the Liberty, boolean functions and the netlist."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import FALL, RISE
from rsaxcel.flow.power.liberty_reader import read_liberty
from rsaxcel.flow.power.netlist import Netlist
from tests.flow.flow_circuits import library
from tests.flow.power_netlists import near, read_netlist, write_json
from tests.shared.planted import planted
from tests.shared.tables import each_row

FF, NW, NS, FJ = 1e-15, 1e-9, 1e-9, 1e-15

#: Liberty's precedence, tightest first: ! ' ^ & |. Each row: Liberty text, equal Python text.
SPELLINGS = [
    ("!(A1 & A2)", lambda a1, a2: not (a1 and a2)),
    ("A1' * A2", lambda a1, a2: (not a1) and a2),
    ("(A1 A2)'", lambda a1, a2: not (a1 and a2)),
    ("A1 A2 + A1' A2'", lambda a1, a2: a1 == a2),
    ("A1 ^ A2 & A2", lambda a1, a2: (a1 != a2) and a2),
    ("A1 | A2 ^ 1", lambda a1, a2: a1 or not a2),
    ("!!A1 | 0 & A2", lambda a1, a2: a1),
]


@pytest.mark.parametrize(("text", "meaning"), SPELLINGS)
def test_expression_spellings(text, meaning):
    function = BooleanFunction.parse(text)
    for a1 in (False, True):
        for a2 in (False, True):
            assert bool(function.restrict({"A1": a1, "A2": a2}).table) == meaning(a1, a2)


@pytest.mark.parametrize("text", ["", "A &", "A B )", "&", "A ~ B"])
def test_bad_expression(text):
    with pytest.raises(PowerError, match="not a Liberty expression"):
        BooleanFunction.parse(text)


@pytest.mark.parametrize("text", ["&".join(f"A{n}" for n in range(17)), "A &" * 10_000 + " A"])
def test_a_function_that_is_too_large(text):
    with pytest.raises(PowerError, match="a function of more than 1"):
        BooleanFunction.parse(text)


#: Fully bracketed texts that are equal in Liberty and (with ~ for !) in Python.
texts = st.recursive(
    st.sampled_from("ABCD"),
    lambda inner: st.one_of(
        st.builds("(!{})".format, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from("&|^"), inner),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(text=texts, high=st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_probability_is_the_sum_over_true_cases(text, high):
    expected = 0.0
    for case in np.ndindex(2, 2, 2, 2):
        if eval(text.replace("!", "1 ^ "), dict(zip("ABCD", case, strict=True))):
            expected += np.prod([p if bit else 1 - p for p, bit in zip(high, case, strict=True)])
    function = BooleanFunction.parse(text)
    probability = function.probability(dict(zip("ABCD", high, strict=True)))
    assert float(probability) == pytest.approx(expected, abs=1e-12)


def test_library_figures():
    """Figures copied by hand from the file; its units are 1 ns, 1 fF, 1 nW, 1 V."""
    lib = library()
    assert lib.name == "NangateOpenCellLibrary"
    assert lib.nominal_v == near(1.1)
    nand = lib.cells["NAND2_X1"]
    assert nand.area_um2 == near(0.798)
    assert nand.leakage_w == near(17.393360 * NW)
    assert len(nand.leakages) == 4
    assert nand.pins["A1"].rise_capacitance_f == near(1.599032 * FF)
    assert nand.pins["A1"].fall_capacitance_f == near(1.529196 * FF)
    assert [p.name for p in nand.inputs] == ["A1", "A2"]
    assert [p.name for p in nand.outputs] == ["ZN"]
    flip_flop = lib.cells["DFFR_X1"]
    assert flip_flop.sequential.kind == "ff"
    assert flip_flop.sequential.next_state.pins == ("D",)
    assert flip_flop.sequential.clear.pins == ("RN",)
    assert flip_flop.sequential.preset is None
    assert flip_flop.pins["CK"].clock
    assert not flip_flop.pins["D"].clock
    assert lib.cells["DLH_X1"].sequential.kind == "latch"
    assert nand.sequential is None
    gate = lib.cells["CLKGATE_X1"]
    assert gate.clock_gate
    assert gate.sequential.clock.pins == ("CK",)
    assert gate.sequential.next_state.pins == ("E",)
    assert gate.pins["GCK"].function.pins == ("CK", "IQ")
    # The flow cannot use a clock gate with a test pin.
    assert lib.cells["CLKGATETST_X1"].clock_gate is None


@pytest.mark.parametrize(
    ("slew_ns", "load_ff", "energy_fj"),
    [
        # related_pin A1, rise_power. On a point of the table:
        (0.0171859, 3.70979, 2.183357),
        # halfway between two loads in one row, (2.183357 + 2.204197) / 2:
        (0.0171859, 5.56469, 2.193777),
        # in the middle of four, (2.183357 + 2.204197 + 2.450050 + 2.360539) / 4:
        (0.02908485, 5.56469, 2.299536),
        # before the first slew, 2.253697 + 0.00117378 * (2.253697 - 2.168601) / 0.00355019:
        (0.0, 3.70979, 2.281832),
        # beyond the last load by one step, 2.151607 + (2.151607 - 2.050336):
        (0.0171859, 89.0351, 2.252878),
    ],
)
def test_table_lookup(slew_ns, load_ff, energy_fj):
    power, _ = library().cells["NAND2_X1"].pins["ZN"].internal_powers
    assert power.related_pin == "A1"
    energy_j = power.energy_j(RISE, np.array([slew_ns * NS]), np.array([load_ff * FF]))
    assert energy_j == near([energy_fj * FJ], rel=1e-6)


@pytest.mark.parametrize(
    ("fanout", "length_um"),
    # 9 to 11 is interpolated; beyond, 5 um per load.
    [(0, 0.0), (1, 1.7460), (3, 6.4626), (10, (25.4842 + 27.0320) / 2), (14, 27.0320 + 3 * 5.0)],
)
def test_wire_load(fanout, length_um):
    wire_load = library().wire_load
    assert wire_load.name == "5K_hvratio_1_1"
    assert wire_load.wire_f(fanout) == near(length_um * 0.1774 * FF)


#: Other units, the axes the other way round, an index from the template, one table for both edges,
#: two related pins in one group, no list of leakage states, no wire load.
FOREIGN = Path(__file__).with_name("foreign.lib").read_text("utf-8")


def test_foreign_library(tmp_path):
    path = tmp_path / "foreign.lib"
    path.write_text(FOREIGN)
    lib = read_liberty(path)
    assert lib.wire_load is None
    cell = lib.cells["AND2"]
    assert cell.leakage_w == near(30e-12)
    assert cell.pins["B"].rise_capacitance_f == near(0.25e-12)
    powers = cell.pins["Y"].internal_powers
    assert [power.related_pin for power in powers] == ["A", "B"]
    for power in powers:
        for edge in (RISE, FALL):
            # 2 pF, 30 ps: between 5 and 6, in picojoules.
            assert float(power.energy_j(edge, 30e-12, 2e-12)) == near(5.5e-12)


@each_row(__file__, "bad", "old", "new", "message")
def test_bad_library(tmp_path, old, new, message):
    path = tmp_path / "bad.lib"
    path.write_text(planted(FOREIGN, (old, new)))
    with pytest.raises(PowerError, match=message) as error:
        read_liberty(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_absent_library(tmp_path):
    with pytest.raises(PowerError, match=r"cannot read .*absent\.lib: No such file"):
        read_liberty(tmp_path / "absent.lib")


def two_gates(folder, **changes):
    """Write an inverter of a (net 2) that drives two pins of a NAND and the port y (net 3)."""
    netlist = {
        "inputs": {"a": 2},
        "outputs": {"y": 3, "z": 4},
        "cells": {
            "core.inv": ("INV_X1", {"A": 2, "ZN": 3}),
            "core.sub.nand": ("NAND2_X1", {"A1": 3, "A2": 3, "ZN": 4}),
        },
    }
    return write_json(folder, **(netlist | changes))


def test_loads_and_modules(tmp_path):
    netlist = read_netlist(two_gates(tmp_path))
    # Two pins of 1.599032 and 1.664199 fF, and the wire of three loads, the port being one.
    expected = 1.599032 + 1.664199 + 6.4626 * 0.1774
    assert netlist.load_f[3] == near(expected * FF)
    assert netlist.drivers == {3: "core.inv", 4: "core.sub.nand"}
    assert netlist.input_nets == {2}
    assert netlist.observed == {2, 3, 4}
    assert [instance.module for instance in netlist.instances] == ["core", "core.sub"]
    with_wire = read_netlist(two_gates(tmp_path), y=7.5 * FF)
    assert with_wire.load_f[3] == near((1.599032 + 1.664199 + 7.5) * FF)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cells": {"g": ("NAND9_X1", {})}}, "cell g has type NAND9_X1, not in Nangate"),
        ({"cells": {"g": ("INV_X1", {"A": 2, "Q": 3})}}, "cell g of type INV_X1 has no such pin"),
        ({"cells": {"g": ("INV_X1", {"ZN": 3})}}, "input A of cell g is not connected"),
        ({"cells": {"g": ("INV_X1", {"A": 9, "ZN": 3})}, "nets": {"n": 9}}, "net n has loads but"),
    ],
)
def test_bad_netlist(tmp_path, changes, message):
    with pytest.raises(PowerError, match=message):
        read_netlist(two_gates(tmp_path, **changes))


def test_bad_netlist_file(tmp_path):
    path = two_gates(tmp_path)
    with pytest.raises(PowerError, match="has no clock port 'clk'"):
        Netlist.from_yosys_json(path, library(), top="top")
    with pytest.raises(PowerError, match="has no module 'other', only top"):
        Netlist.from_yosys_json(path, library(), top="other")
    with pytest.raises(PowerError, match="no net 'ghost' for a wire capacitance"):
        read_netlist(path, ghost=1 * FF)
    path.write_text(json.dumps([1]))
    with pytest.raises(PowerError, match="is not a netlist in Yosys's JSON form"):
        read_netlist(path)
    with pytest.raises(PowerError, match="cannot read the netlist"):
        read_netlist(tmp_path / "absent.json")
