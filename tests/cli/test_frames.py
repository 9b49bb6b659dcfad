"""Data frames of the public interface: a sweep in a notebook, its points, facts and front."""

import os
import subprocess
import sys

import pandas as pd
import pytest

import rsaxcel
from rsaxcel.cli import progress
from tests.shared.harness import built_once
from tests.shared.processes import ROOT

GROUP = {"design": ["ssmm_r2l", "mulrem_r2l"], "nbits": 8, "measure": "cl_cycles"}


def test_a_sweep_gives_its_points(here, monkeypatch):
    labels, steps = [], progress.steps
    monkeypatch.setattr(progress, "steps", lambda label: labels.append(label) or steps(label))
    found = rsaxcel.sweep([GROUP], workers=1)
    assert labels == ["sweep"]  # shown as by the command: a bar on a terminal
    assert set(found.subject) == {"ssmm_r2l", "mulrem_r2l"}
    assert (found.nbits == 8).all()
    assert (found.cycles > 8).all()
    assert (here / "build" / "sweeps" / "notebook" / "facts.parquet").exists()
    again = rsaxcel.points()
    assert sorted(again.point) == sorted(found.point)
    figures = rsaxcel.facts()
    counted = figures[(figures.quantity == "cycles") & (figures.operation == "decrypt")]
    assert sorted(counted.value) == sorted(found.cycles)


SCRIPT = f"""
import rsaxcel
print(*sorted(rsaxcel.sweep([{GROUP}], workers=1).point))
"""
FROZEN = """
import sys
main = sys.modules["__main__"]
main.__spec__ = None
main.__dict__.pop("__file__", None)
"""


@pytest.mark.quick_cases("file")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["script.py"], ""),
        (["-m", "script"], ""),
        (["-c", SCRIPT], ""),
        (["-"], SCRIPT),
        (["-c", FROZEN + SCRIPT], ""),
    ],
    ids=["file", "module", "text", "input", "frozen"],
)
def test_a_sweep_at_the_top_of_a_script(here, arguments, text):
    """Workers do not run the script again, so that it needs no ``if __name__ == "__main__"``."""
    (here / "script.py").write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{ROOT}"}
    command = [sys.executable, *arguments]
    shown = {"capture_output": True, "text": True, "check": True}
    done = subprocess.run(command, env=environment, input=text, **shown)
    assert done.stdout == "mulrem_r2l:8 ssmm_r2l:8\n"
    assert done.stderr.count("\n") <= 6


def test_a_sweep_without_standard_streams(here):
    """Pipes to the workers would get the numbers of streams that are closed."""
    (here / "script.py").write_text(SCRIPT)
    closed = ["sh", "-c", '"$0" script.py <&- >&- 2>&-', sys.executable]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run(closed, env=environment, timeout=60, check=False).returncode == 0
    assert len(rsaxcel.points()) == 2


@pytest.mark.slow
@built_once("flow", 8)
def test_a_flow_is_a_point(here):
    record = rsaxcel.run_flow(rsaxcel.multiplier("ssmm", 8), clock_ns=1.0)
    (point,) = rsaxcel.points().itertuples()
    assert point.area_um2 == pytest.approx(record.area_um2)


def test_a_front_leaves_out_what_another_point_beats(here):
    rsaxcel.sweep([GROUP], workers=1)
    frame = rsaxcel.points()
    frame = frame[frame.subject == "ssmm_r2l"]
    worse = frame.assign(cycles=frame.cycles + 1)
    both = pd.concat([worse, frame], ignore_index=True)
    assert list(rsaxcel.front(both, "nbits", "cycles").cycles) == list(frame.cycles)


def test_what_is_wrong_is_named(here):
    with pytest.raises(ValueError, match=r"sweep: \[\[group\]\] 1: .*ssm_r2l.*allowed"):
        rsaxcel.sweep([{"design": "ssm_r2l"}])
    frame = rsaxcel.points()
    with pytest.raises(ValueError, match=r"column 'area' is unknown; allowed: .*area_um2"):
        rsaxcel.front(frame, "area", "time_us")
    with pytest.raises(ValueError, match="1 columns: two or more"):
        rsaxcel.front(frame, "area_um2")
    assert frame.empty
