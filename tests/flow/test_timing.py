"""Timing by both timers: the smallest period against OpenSTA itself, path, slews, failures."""

import json
import re
import shutil
from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.layout import EMBEDDED, PLACED, TIMERS, Layout
from rsaxcel.flow.opensta import OpenSta
from rsaxcel.flow.physical.embedded.static_timing import EmbeddedTimer
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.tools import find_timer
from tests.flow.flow_circuits import KIT, build
from tests.flow.opensta_scripts import run_opensta
from tests.flow.timers_compared import beside_opensta
from tests.shared.harness import built_once

pytestmark = built_once("netlist", 8)

SCRIPT = Path(__file__).with_name("slack.tcl").read_text("utf-8")


@pytest.fixture(scope="module")
def circuit(circuits):
    return circuits("mulrem_r2l")


@pytest.fixture(params=TIMERS)
def timer(request):
    return find_timer(request.param)


def timing_of(timer, circuit, folder, clock_ns=3.0, **options):
    return timer.analyse(
        circuit.folder / "netlist.v",
        circuit.module.top,
        KIT,
        clock_ns=clock_ns,
        work_dir=folder,
        **options,
    )


def slack_at(circuit, period: float, folder) -> float:
    script = SCRIPT.format(
        liberty=KIT.liberty,
        netlist=circuit.folder / "netlist.v",
        top=circuit.module.top,
        period=period,
        cell=KIT.driving_cell,
        load=KIT.port_load_ff,
    )
    return float(re.search(r"slack (\S+)", run_opensta(script, folder))[1])


def test_the_circuit_just_works_at_its_smallest_period(timer, circuit, tmp_path):
    period = timing_of(timer, circuit, tmp_path).min_period_ns
    assert 0.5 < period < 3.0
    assert slack_at(circuit, period + 0.001, tmp_path) > 0
    assert slack_at(circuit, period - 0.001, tmp_path) < 0


def test_the_smallest_period_does_not_depend_on_the_constraint(timer, circuit, tmp_path):
    relaxed = timing_of(timer, circuit, tmp_path, 10.0)
    tight = timing_of(timer, circuit, tmp_path, 0.1)
    assert relaxed.min_period_ns == pytest.approx(tight.min_period_ns, abs=1e-5)
    assert relaxed.slack_ns > 0 > tight.slack_ns
    assert relaxed.delay_ns == pytest.approx(tight.delay_ns, abs=1e-5)


def test_the_worst_path_goes_from_register_to_register_through_cells(timer, circuit, tmp_path):
    timing = timing_of(timer, circuit, tmp_path)
    cells = set(
        re.findall(r"^  [A-Z]\w+ \\?(\S+) +\(", (circuit.folder / "netlist.v").read_text(), re.M)
    )
    assert {pin.rpartition("/")[0] for pin, _ in timing.points} <= cells
    assert f"{timing.start}_ff" in cells
    assert f"{timing.end}_ff" in cells
    arrivals = [arrival_ns for _, arrival_ns in timing.points]
    assert arrivals == sorted(arrivals)
    assert timing.delay_ns < timing.min_period_ns  # the rest is the setup time


def test_an_asynchronous_reset_does_not_decide_the_period(tmp_path):
    """Its net has no buffers before there are places, and would be late at many flip-flops."""
    flip_flops = "".join(
        f"DFFR_X1 ff{n} (.D(w[{n}]), .RN(rst_n), .CK(clk), .Q(w[{n + 1}]));\n" for n in range(400)
    )
    text = f"assign w[0] = d; assign q = w[400];\n{flip_flops}endmodule\n"
    netlist = tmp_path / "netlist.v"
    netlist.write_text(f"module top(input clk, rst_n, d, output q);\nwire [400:0] w;\n{text}")
    timing = OpenSta().analyse(netlist, "top", KIT, clock_ns=0.5, work_dir=tmp_path)
    assert timing.start != "rst_n"
    assert timing.min_period_ns < 0.25


def test_a_clock_gate_that_stays_shut_has_no_slew(tmp_path):
    (tmp_path / "netlist.v").write_text("""
        module top(input clk, d, output q, also); wire off, gated;
        LOGIC0_X1 tie (.Z(off));
        CLKGATE_X1 gate (.CK(clk), .E(off), .GCK(gated));
        DFF_X1 ff (.D(d), .CK(gated), .Q(q)); DFF_X1 other (.D(d), .CK(clk), .Q(also));
        endmodule""")
    file = tmp_path / "slews.txt"
    OpenSta().analyse(
        tmp_path / "netlist.v", "top", KIT, clock_ns=1.0, work_dir=tmp_path, slews=file
    )
    assert " inf " in file.read_text()
    assert Slews.from_file(file).slew_s("gate", "GCK", "rise") == 0


def test_every_pin_has_slews(timer, circuit, tmp_path):
    file = tmp_path / "slews.txt"
    timing_of(timer, circuit, tmp_path, slews=file)
    slews = Slews.from_file(file)
    for instance in circuit.netlist.instances:
        for pin in instance.nets:
            assert 0 <= slews.slew_s(instance.name, pin, "rise") < 2e-9


def test_every_register_and_output_is_an_end(timer, circuit, tmp_path):
    timing = timing_of(timer, circuit, tmp_path, slews=tmp_path / "slews.txt")
    slacks, path = timing.ends["slacks"], timing.ends["path"]
    flip_flops = [x for x in circuit.netlist.instances if "D" in x.nets and "CK" in x.nets]
    assert sum(slacks["counts"]) == slacks["ends"] >= len(flip_flops)
    assert slacks["least_ns"] == pytest.approx(timing.slack_ns, abs=1e-5)
    assert path[-1]["pin"] == timing.points[-1][0]
    assert path[-1]["time_ns"] == pytest.approx(timing.delay_ns, abs=1e-4)
    assert timing.ends["required_ns"] - path[-1]["time_ns"] == pytest.approx(
        timing.slack_ns, abs=2e-4
    )


def test_an_error_of_opensta_names_the_log(circuit, tmp_path):
    broken = tmp_path / "broken.v"
    broken.write_text("module broken (input clk); NO_SUCH_CELL u (.A(clk)); endmodul")
    with pytest.raises(FlowError, match=r"OpenSTA: Error.*\(log: .*opensta\.log\)"):
        OpenSta().analyse(broken, "broken", KIT, clock_ns=1.0, work_dir=tmp_path)


def compare(built, folder):
    beside_opensta(lambda timer, slews: timing_of(timer, built, folder, slews=slews), folder)


@pytest.mark.parametrize("name", ["mulrem_r2l", "orup_window"])
def test_the_embedded_timer_agrees_with_opensta(circuits, name, tmp_path):
    compare(circuits(name), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", catalog.DESIGNS)
def test_the_embedded_timer_agrees_with_opensta_at_32_bits(name, tmp_path):
    compare(build(name, tmp_path, nbits=32), tmp_path)


def test_constants_and_ports_have_no_path(tmp_path):
    """A netlist of wires alone is told; a constant at a pin or port begins no path."""
    (tmp_path / "wires.json").write_text(
        json.dumps(
            {
                "modules": {
                    "wires": {
                        "ports": {
                            "clk": {"direction": "input", "bits": [2]},
                            "y": {"direction": "output", "bits": ["0"]},
                        },
                        "cells": {},
                        "netnames": {},
                    }
                }
            }
        )
    )
    with pytest.raises(FlowError, match="there is no path to time in wires"):
        EmbeddedTimer().analyse(tmp_path / "wires.v", "wires", KIT, clock_ns=1.0, work_dir=tmp_path)


def test_without_opensta_jobs_that_name_no_timer_have_the_embedded_one(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name, *a, **k: None)
    assert Layout().timer == Layout(PLACED).timer == EMBEDDED
    own = {"design": "d", "nbits": 8, "params": {}, "name": "d", "results": str(tmp_path)}
    assert FlowJob(**own).timer == EMBEDDED
