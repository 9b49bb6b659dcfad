"""Circuits and constraints at the edge: no room, no registers, one register, absurd periods."""

import json
from pathlib import Path

import pytest

from rsaxcel.flow.errors import NoRoom
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.subjects import find_target
from rsaxcel.store.errors import SetupError
from tests.flow.physical.layouts import clocked
from tests.flow.physical.netlists import Netlist
from tests.flow.physical.steps import NODES, Failed, job_for, prepare, run


def figures(folder: Path, name: str) -> dict:
    return json.loads((folder / f"{name}.json").read_text())


def test_a_core_that_is_too_small(tmp_path):
    folder = prepare(clocked(90, 2, 3), tmp_path / "run")
    job = job_for(folder, utilisation=0.95)
    object.__setattr__(job, "utilisation", 1.0)  # fuller than a job may ask for
    with pytest.raises(Failed) as failure:
        run(NODES, job, folder)
    assert failure.value.node == "place"  # with the buffers that its nets need
    assert isinstance(failure.value.error, NoRoom)
    (line,) = str(failure.value.error).splitlines()
    assert line.startswith("the cells do not fit into the core: utilisation 0.9")


@pytest.mark.parametrize(
    ("netlist", "clock_ns"),
    [
        (clocked(30, 2, 3), 0.01),
        (clocked(1, 0, 3, 1), 100.0),
        pytest.param(clocked(30, 2, 3), 100.0, marks=pytest.mark.slow),
        pytest.param(clocked(1, 0, 3, 1), 0.01, marks=pytest.mark.slow),
    ],
)
def test_periods_far_from_what_the_circuit_takes(tmp_path, netlist, clock_ns):
    """Repair ends; limits and hold are kept."""
    folder = prepare(netlist, tmp_path / "run")
    run(NODES, job_for(folder, clock_ns=clock_ns), folder)
    timing = figures(folder, "placed-timing")
    assert 0.05 < timing["min_period_ns"] < 1
    assert timing["hold_slack_ns"] >= 0
    if clock_ns == 100:
        assert figures(folder, "wires")["repair_buffers"] == 0


def test_a_circuit_without_registers(tmp_path):
    netlist = Netlist({"clk": 1, "a": 3}, {"y": 1})
    netlist.cells["and"] = ("AND2_X1", {"A1": "a[0]", "A2": "a[1]", "ZN": "n"})
    netlist.cells["or"] = ("OR2_X1", {"A1": "n", "A2": "a[2]", "ZN": "y"})
    folder = prepare(netlist, tmp_path / "run")
    run(NODES, job_for(folder, uncertainty_ns=0.02), folder)
    clock = figures(folder, "clock")
    assert clock == {
        **dict.fromkeys(("mean_latency_ns", "skew_ns", "insertion_delay_ns"), 0.0),
        "latency_ns": {},
        "buffers": 0,
    }
    assert 0 < figures(folder, "placed-timing")["min_period_ns"] < 0.5


def test_a_circuit_without_a_clock_port_is_refused(tmp_path):
    netlist = Netlist({"a": 1}, {"y": 1}, {"i": ("INV_X1", {"A": "a", "ZN": "y"})})
    folder = prepare(netlist, tmp_path / "run")
    with pytest.raises(Failed, match=r"^place: there is no port clk for the clock$"):
        run(NODES, job_for(folder), folder)


@pytest.mark.slow  # the whole flow
@pytest.mark.parametrize("library", ["freepdk-45nm", "osu018"])
def test_a_multiplier_without_registers(tmp_path, library):
    """A multiplier for one modulus; osu018 has rows of another height, and tables by the load."""
    try:
        find_kit(library)
    except SetupError as error:
        pytest.skip(str(error))
    record = run_flow(
        find_target("direct", 8, {}),
        library,
        clock_ns=16.0,
        layout=Layout(PLACED, utilisation=0.45),
        directory=tmp_path,
    ).as_json()
    assert record["stage"] == PLACED
    assert record["physical"]["skew_ns"] == 0
    assert record["physical"]["hold_slack_ns"] >= 0
    assert 0 < record["min_period_ns"] < 16
