"""Activity from SAIF files: names, baseline, and a run of a mapped netlist in Verilator."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path

import pytest

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.energy import analyse
from rsaxcel.sim.native.build import BuildOptions, build_library
from rsaxcel.store.foreign import ForeignLibrary
from tests.flow.activities import activity_from_saif, uniform_activity
from tests.flow.opensta_slews import clock_constraints, run_opensta
from tests.flow.power_netlists import LIBERTY, library, map_to_gates, near, read_netlist

#: SAIF of Verilator 5.48: the scope of the model, with the ports, around the module's scope.
RUN = Path(__file__).with_name("run.saif").read_text("utf-8")
BASELINE = Path(__file__).with_name("baseline.saif").read_text("utf-8")
CLK, BUS0, BUS1, ESCAPED, Q, D = range(2, 8)


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A netlist with a bus of range [5:4], an escaped name that looks like its bit, and aliases."""
    nets = {
        "clk": [CLK],
        "bus": [BUS0, BUS1],
        "bus[0]": [ESCAPED],
        "y": [Q],
        "core.q": [Q],
        "$abc$1": [D],
        "core.d": [D],
    }
    gate = {"A1": [BUS0], "A2": [BUS1], "A3": [ESCAPED], "ZN": [D]}
    module = {
        "ports": {
            name: {"direction": "output" if name == "y" else "input", "bits": nets[name]}
            for name in ("clk", "bus", "bus[0]", "y")
        },
        "cells": {
            "core.f": {"type": "DFF_X1", "connections": {"CK": [CLK], "D": [D], "Q": [Q]}},
            "core.g": {"type": "OR3_X1", "connections": gate},
        },
        "netnames": {
            name: {"hide_name": int(name.startswith("$")), "bits": bits, "offset": 4}
            for name, bits in nets.items()
        },
    }
    path = tmp_path_factory.mktemp("named") / "netlist.json"
    path.write_text(json.dumps({"modules": {"top": module}}))
    return read_netlist(path, clock="clk")


def read(folder, netlist, run=RUN, baseline=None, **options):
    (folder / "run.saif").write_text(run)
    if baseline is not None:
        options["baseline"] = folder / "baseline.saif"
        options["baseline"].write_text(baseline)
    return activity_from_saif(folder / "run.saif", netlist, **options)


def test_names(named, tmp_path):
    """Bus bits count from the lowest; escaped names keep brackets; aliases are found."""
    activity = read(tmp_path, named)
    assert activity.toggles == {CLK: 40, BUS0: 7, BUS1: 0, ESCAPED: 9, Q: 2, D: 6}
    assert activity.high == {CLK: 0.5, BUS0: 0.25, BUS1: 0.0, ESCAPED: 0.6, Q: 0.1, D: 0.25}
    assert activity.cycles == 20


def test_baseline_is_subtracted(named, tmp_path):
    activity = read(tmp_path, named, baseline=BASELINE)
    assert activity.toggles == {CLK: 32, BUS0: 6, BUS1: 0, ESCAPED: 8, Q: 2, D: 4}
    assert activity.high[BUS0] == near((10 - 2) / 32)
    assert activity.high[ESCAPED] == near((24 - 8) / 32)
    assert activity.cycles == 16
    assert read(tmp_path, named, baseline=BASELINE, cycles=15).cycles == 15


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("core.d", "core.e", r"lacks the net core\.d .*--trace-underscore"),
        ("INSTANCE top", "INSTANCE other", r"has 0 scopes called 'top'; it has: TOP, TOP/other"),
        ("(DURATION 40)\n", "", "is not a whole SAIF file"),
        (" )\n)\n", "", "is not a whole SAIF file"),
        ("(TC 40)", "(TC 0)", "no clock cycle in the window"),
    ],
)
def test_bad_saif(named, tmp_path, old, new, message):
    assert old in RUN
    with pytest.raises(PowerError, match=message):
        read(tmp_path, named, RUN.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(TC 2)", "(TC 7)", r"baseline\.saif is not the beginning of .*run\.saif: net core\.d"),
        ("(T0 8) (T1 0) (TZ 0)", "(T0 0) (T1 8) (TZ 0)", "is not the beginning of"),
        ("(DURATION 8)", "(DURATION 40)", "nothing is left after the baseline"),
    ],
)
def test_bad_baseline(named, tmp_path, old, new, message):
    assert old in BASELINE
    with pytest.raises(PowerError, match=message):
        read(tmp_path, named, baseline=BASELINE.replace(old, new))


def test_absent_saif(named, tmp_path):
    with pytest.raises(PowerError, match=r"cannot read the SAIF .*absent\.saif"):
        activity_from_saif(tmp_path / "absent.saif", named)


def test_uniform(named):
    activity = uniform_activity(named, toggles_per_cycle=0.25, cycles=8)
    assert activity.toggles == {CLK: 16} | dict.fromkeys((BUS0, BUS1, ESCAPED, Q, D), 2)
    assert set(activity.high.values()) == {0.5}


COUNTER = """
module counter (input clk, input reset, output reg [5:0] count);
  always @(posedge clk) if (reset) count <= 0; else count <= count + 1;
endmodule

module top (input clk, input reset, output [7:2] value, output odd);
  counter core (.clk(clk), .reset(reset), .count(value));
  assign odd = ^value;
endmodule
"""
DRIVER = Path(__file__).with_name("saif_driver.cpp").read_text("utf-8")


def test_counter_in_verilator(tmp_path):
    """In a full cycle of a 6-bit counter, bit k toggles 64 / 2^k times and is 1 half the time."""
    mapped = map_to_gates(COUNTER, "top", tmp_path)
    netlist = mapped.netlist
    shared_object = build_library(
        mapped.expressions.read_text(),
        "top",
        DRIVER,
        options=BuildOptions(optimize="-O1", netlist=True),
        trace="saif",
    )
    run = ForeignLibrary(shared_object).declare("run", None, ctypes.c_char_p, ctypes.c_int)
    for name, cycles in (("run", 64), ("baseline", 0)):
        run(str(tmp_path / f"{name}.saif").encode(), cycles)

    activity = activity_from_saif(
        tmp_path / "run.saif", netlist, baseline=tmp_path / "baseline.saif"
    )
    assert activity.cycles == 64
    value = netlist.ports["value"]
    assert [activity.toggles[bit] for bit in value] == [64, 32, 16, 8, 4, 2]
    assert [activity.high[bit] for bit in value] == near([0.5] * 6, rel=0.02)
    # The trace starts at count 5, and counts its ones as toggles.
    raw = activity_from_saif(tmp_path / "run.saif", netlist)
    assert [raw.toggles[bit] for bit in value] == [65, 32, 17, 8, 4, 2]

    slews = run_opensta(
        liberty=LIBERTY,
        verilog=mapped.verilog,
        top="top",
        constraints=clock_constraints("clk", 1.0),
        work_dir=tmp_path / "sta",
        time_unit_s=library().time_unit_s,
    )
    energy = analyse(netlist, activity, slews, period_ns=1.0)
    # Six flip-flops at about 7 fJ per cycle, for any data.
    assert energy.by_module["core"].clock_pins_j == near(6 * 64 * 7e-15, rel=0.1)
    # 126 toggles of the count at their loads, and about as many of the next count.
    count_j = sum(activity.toggles[bit] * netlist.load_f[bit] * 1.21 / 2 for bit in value)
    assert count_j < energy.items.switching_j < 4 * count_j
    assert energy.by_module[""].internal_combinational_j > 0
