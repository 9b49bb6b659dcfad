"""OpenROAD itself, where it is installed: its layouts pass this flow's checks."""

import os
import re
import shutil
from collections import Counter

import pytest

from rsaxcel import catalog
from rsaxcel.flow import run as flow
from rsaxcel.flow.errors import NoRoom
from rsaxcel.flow.export import export_openroad
from rsaxcel.flow.files import read_json
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.layout import OPENROAD, PLACED, ROUTED, Layout
from rsaxcel.flow.outline import NETLIST
from rsaxcel.flow.physical.interface import FIGURES, LAYOUT
from rsaxcel.flow.physical.openroad.script import RULES
from rsaxcel.flow.physical.openroad.tool import (
    figures,
    global_overflow,
    openroad_version,
    run_script,
)
from tests.shared.harness import built_once

pytestmark = [
    built_once("flow", 8),
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("openroad") is None, reason="OpenROAD is not installed"),
]

CONFIGURATION = catalog.get("montmul_r2l_shared").configure(8)
CLOCK_NS = 1.5


def run(directory, **choices):
    """Place the circuit up to its timing; return its job and its files."""
    layout = Layout(**{"stage": PLACED, "physical": OPENROAD, "utilisation": 0.6, **choices})
    job = circuit_job(CONFIGURATION, clock_ns=CLOCK_NS, layout=layout, directory=directory)
    found = flow.run(job, NETLIST)
    return found.job, found.files


@pytest.fixture(scope="module")
def placed(tmp_path_factory):
    return run(tmp_path_factory.mktemp("placed"))


def test_a_placed_circuit_passes_all_checks(placed):
    _, files = placed
    assert {*LAYOUT} <= {*files}
    found = read_json(files["wires.json"])
    assert {*FIGURES} <= {*found}
    assert found["tools"][OPENROAD].startswith(openroad_version())
    assert found["clock_buffers"] > 0
    assert 0.6 <= found["utilisation"] < 0.75
    assert (found["overflow"], found["openroad_overflow"]) == (0, 0)
    timing = read_json(files["placed-timing.json"])
    assert timing["hold_slack_ns"] >= 0
    # OpenROAD's own estimate and OpenSTA with this flow's wires.
    own_ns = CLOCK_NS - found["openroad_worst_slack_ns"]
    assert timing["min_period_ns"] == pytest.approx(own_ns, rel=0.05)


def test_inserted_cells_have_the_modules_of_their_drivers(placed):
    _, files = placed
    names = re.findall(r"^  \w+ (\S+) \(", files["placed.v"].read_text(), re.MULTILINE)
    inserted = [name.lstrip("\\") for name in names if "clkbuf" in name]
    assert inserted
    assert not [name for name in inserted if re.match(r"clkbuf_.*\.", name)]


def test_the_same_seed_gives_the_same_layout(placed, tmp_path):
    _, files = placed
    _, again = run(tmp_path)
    for name in LAYOUT:
        assert files[name].read_bytes() == again[name].read_bytes(), name
    _, other = run(tmp_path, seed=2)
    assert files["placed.def"].read_bytes() != other["placed.def"].read_bytes()


def test_nets_with_many_sinks_are_divided(tmp_path):
    """Without the limit, at 128 bits, a selection would keep 129 sinks: it is fast enough."""
    wide = catalog.get("ssmm_r2l").configure(128)
    layout = Layout(PLACED, OPENROAD, 0.6)
    job = circuit_job(wide, clock_ns=4, layout=layout, directory=tmp_path)
    files = flow.run(job, NETLIST).files
    pins = re.findall(r"\.(?!CK\b)\w+\((\S+) ?\)", files["placed.v"].read_text())
    assert max(Counter(pins).values()) <= 1 + 100  # the driver, too


def test_cells_without_room_are_told(tmp_path):
    with pytest.raises(NoRoom, match=r"OpenROAD: \[ERROR DPL-0036\]"):
        run(tmp_path, utilisation=0.95)


@pytest.mark.parametrize("physical", ["embedded", OPENROAD])
def test_openroad_reads_an_exported_layout(tmp_path, physical):
    job, files = run(tmp_path, physical=physical)
    folder = tmp_path / "exported"
    export_openroad(job, files, folder)
    log = run_script((folder / "placed.tcl").read_text(), "placed", folder)
    found, timing = figures(log), read_json(files["placed-timing.json"])
    own_ns = timing["min_period_ns"]
    assert found["spef_slack_ns"] == pytest.approx(CLOCK_NS - own_ns, abs=0.02 * own_ns)
    assert found["estimated_slack_ns"] == pytest.approx(CLOCK_NS - own_ns, abs=0.07 * own_ns)
    assert global_overflow(log) == 0


def test_an_exported_folder_runs_by_itself(placed, tmp_path):
    folder = tmp_path / "exported"
    export_openroad(*placed, folder)
    moved = folder.rename(tmp_path / "moved elsewhere")
    run_script((moved / "run.tcl").read_text(), "all", moved)
    # The flow's steps run in processes of their own, and these in one; both make one layout.
    assert (moved / "wires.def").stat().st_size > 10_000


@pytest.mark.parametrize("rules", [False, True])
def test_a_routed_circuit_has_no_violations(tmp_path, monkeypatch, rules):
    given = os.environ.get(RULES)
    if rules and not given:
        pytest.skip(f"{RULES} names no rules")
    if not rules:
        monkeypatch.delenv(RULES, raising=False)
    _, files = run(tmp_path, stage=ROUTED)
    found = read_json(files["wires.json"])
    assert found["violations"] == 0
    assert found["wires_extracted"] == rules
    assert "+ ROUTED metal" in files["placed.def"].read_text()
    timing = read_json(files["placed-timing.json"])
    assert timing["hold_slack_ns"] >= 0
