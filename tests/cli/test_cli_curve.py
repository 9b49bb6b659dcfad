"""`rsaxcel flow --curve`: the table, JSON and drawing of a curve, and what is refused."""

import json
import math

import pytest

from rsaxcel.eval.curve import CURVE_COLUMNS
from tests.eval.made_up_flow import MadeUpFlow, saturated

ARGS = ["flow", "mulrem_r2l", "--nbits", "8", "--stage", "placed", "--utilisation", "0.7"]
CURVE = [*ARGS, "--curve"]


@pytest.fixture
def flow(monkeypatch):
    return MadeUpFlow(saturated(2.0, far=1.0)).use(monkeypatch)


def test_json_has_a_line_for_each_point_and_the_verdict(objects, flow):
    *points, last = objects(*CURVE)
    assert [point["clock_ns"] for point in points] == sorted(flow.made)
    assert all(list(point) == list(CURVE_COLUMNS) for point in points)
    verdict = last["verdict"]
    (smallest,) = (point for point in points if "smallest period" in point["marks"])
    assert verdict["clock_ns"] == smallest["clock_ns"]
    assert verdict["smallest_period_ns"] == smallest["min_period_ns"]
    assert verdict["runs"] == sum(point["factor"] is None for point in points)
    assert objects(*CURVE) == [*points, last]


def test_the_table_marks_the_smallest_period_and_the_knee(rsaxcel, flow):
    finished = rsaxcel(*CURVE)
    assert finished.status == 0, finished.err
    assert "mulrem_r2l, 8 bits; freepdk-45nm, placed; time and energy of decrypt" in finished.out
    for part in ("smallest period", "knee", "area x time", "out of reach", "core_area_um2"):
        assert part in finished.out
    assert "search: run 1 of at most 8, 1.9 ns" in finished.err
    assert "curve: run 5 of 5" in finished.err
    assert "runs; " in finished.out


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_drawing(rsaxcel, flow, tmp_path, ending):
    path = tmp_path / f"curve.{ending}"
    finished = rsaxcel(*CURVE, "--curve-plot", path, "--json")
    assert finished.status == 0, finished.err
    assert finished.err.endswith(f"written: {path}\n")
    first = path.read_bytes()
    if ending == "svg":
        assert rsaxcel(*CURVE, "--curve-plot", path).status == 0
        assert path.read_bytes() == first


def test_a_period_that_is_never_reached_is_told(rsaxcel, monkeypatch):
    MadeUpFlow(lambda clock_ns: 1.05 * clock_ns).use(monkeypatch)
    finished = rsaxcel(*CURVE)
    assert (finished.status, finished.out) == (1, "")
    *_, line = finished.err.splitlines()
    assert line.startswith("rsaxcel: error: no constraint lies within 3% of the period that it")


def test_constraints_without_a_layout_are_told(shown, monkeypatch):
    plain = saturated(2.0)
    MadeUpFlow(lambda x: plain(x) if x >= 1.95 else math.inf).use(monkeypatch)
    assert "failed at 1.9 ns: the cells do not fit into the core" in shown(*CURVE)


def test_a_record_out_of_reach_has_a_remark(rsaxcel, monkeypatch):
    record = MadeUpFlow(saturated(2.0))._record
    for clock_ns, remarks in ((1.0, 1), (2.0, 0)):
        found = record(clock_ns)
        monkeypatch.setattr("rsaxcel.flow.run.run_flow", lambda *asked, found=found, **how: found)
        finished = rsaxcel(*ARGS, "--clock-ns", clock_ns, "--json")
        assert finished.status == 0
        assert json.loads(finished.out)["clock_ns"] == clock_ns
        told = "rsaxcel: 1 ns is out of reach; area and energy of its repairs are spent in vain: "
        assert finished.err.count(told) == remarks
