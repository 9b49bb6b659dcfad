"""A library in three corners: each figure is of the corner for which it is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.outline import NETLIST
from rsaxcel.flow.run import run, run_flow
from rsaxcel.flow.tools import find_timer
from tests.flow.few_cells import CELLS, liberty, scaled
from tests.flow.flow_circuits import KIT

#: Delays of the fast corner are so short that data outrun the clock.
FACTORS = {"slow": 1.5, "typical": 1.0, "fast": 0.3}
MORE = ("AOI21_X1", "BUF_X2", "BUF_X4", "BUF_X8", "DFF_X2", "INV_X4", "NAND3_X1", "NOR2_X1")
CLOCK_NS = 1.0


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> str:
    """Folder of a kit: some of NanGate's cells, whose delays take a factor in each corner."""
    folder = tmp_path_factory.mktemp("kit")
    for corner, factor in FACTORS.items():
        (folder / f"{corner}.lib").write_text(scaled(liberty(cells=CELLS + MORE), factor))
    corners = ", ".join(f'{name} = "{name}.lib"' for name in FACTORS)
    (folder / "kit.toml").write_text(
        f"corners = {{ {corners} }}\nlef = {[*map(str, KIT.layout.lef)]}\nclock_cells = []\n"
    )
    return str(folder)


@pytest.fixture(scope="module")
def target():
    return catalog.multipliers()["mont_mul"].configure(4)


def test_figures_are_those_of_the_corners(library, target, tmp_path):
    record = run_flow(target, library, CLOCK_NS, directory=tmp_path)
    corners = record.corners
    assert [*corners] == [*FACTORS]
    assert record.min_period_ns == corners["slow"]["min_period_ns"]
    periods = [x["min_period_ns"] for x in corners.values()]
    assert periods == sorted(periods, reverse=True)
    assert record.corner == find_kit(library).at("typical").corner
    # The same netlist, timed at a corner alone.
    files = run(circuit_job(target, library, CLOCK_NS, directory=tmp_path), NETLIST).files
    timer = find_timer(circuit_job(target).timer)
    for corner, found in corners.items():
        slews = tmp_path / f"{corner}.txt"
        timing = timer.analyse(
            files["netlist.v"],
            record.design,
            find_kit(library).at(corner),
            clock_ns=CLOCK_NS,
            work_dir=tmp_path / corner,
            slews=slews,
        )
        assert found["min_period_ns"] == pytest.approx(timing.min_period_ns, abs=1e-6)
        is_power = slews.read_text() == files["slews.txt"].read_text()
        assert is_power == (corner == "typical")


def hold_buffers(target, library: str, folder: Path) -> tuple[int, float]:
    layout = Layout(PLACED, utilisation=0.5)
    record = run_flow(target, library, CLOCK_NS, layout=layout, directory=folder)
    return record.physical["hold_buffers"], record.physical["hold_slack_ns"]


def test_hold_is_repaired_at_the_fast_corner(library, target, tmp_path):
    buffers, slack_ns = hold_buffers(target, library, tmp_path)
    assert buffers > 0
    assert slack_ns >= 0
    assert hold_buffers(target, f"{library}@slow", tmp_path)[0] == 0
