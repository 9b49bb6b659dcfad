"""Data frames of the public interface: a sweep in a notebook, its points, facts and front."""

import pandas as pd
import pytest

import rsaxcel
from tests.harness import built_once

GROUP = {"design": ["ssmm_r2l", "mulrem_r2l"], "nbits": 8, "measure": "cl_cycles"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_sweep_gives_its_points(here):
    found = rsaxcel.sweep([GROUP], workers=1)
    assert set(found.subject) == {"ssmm_r2l", "mulrem_r2l"}
    assert (found.nbits == 8).all()
    assert (found.cycles > 8).all()
    assert (here / "build" / "sweeps" / "notebook" / "facts.parquet").exists()
    again = rsaxcel.points()
    assert sorted(again.point) == sorted(found.point)
    figures = rsaxcel.facts()
    counted = figures[(figures.quantity == "cycles") & (figures.operation == "decrypt")]
    assert sorted(counted.value) == sorted(found.cycles)


@built_once("flow", 8)
def test_a_front_leaves_out_what_another_point_beats(here):
    record = rsaxcel.run_flow(rsaxcel.multiplier("ssmm", 8), clock_ns=1.0)
    (point,) = rsaxcel.points().itertuples()
    assert point.area_um2 == pytest.approx(record.area_um2)
    frame = rsaxcel.points()
    worse = frame.assign(area_um2=frame.area_um2 + 1)
    both = pd.concat([frame, worse], ignore_index=True)
    assert list(rsaxcel.front(both, "min_period_ns", "area_um2").area_um2) == [point.area_um2]


def test_what_is_wrong_is_named(here):
    with pytest.raises(ValueError, match=r"sweep: \[\[group\]\] 1: .*ssm_r2l.*allowed"):
        rsaxcel.sweep([{"design": "ssm_r2l"}])
    frame = rsaxcel.points()
    with pytest.raises(ValueError, match=r"column 'area' is unknown; allowed: .*area_um2"):
        rsaxcel.front(frame, "area", "time_us")
    with pytest.raises(ValueError, match="1 columns: two or more"):
        rsaxcel.front(frame, "area_um2")
    assert frame.empty
