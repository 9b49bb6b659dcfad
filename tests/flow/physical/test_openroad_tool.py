"""OpenROAD as a program: missing, too old, failing, and writing nothing; with a stand-in."""

import os
import stat
import time

import pytest

from rsaxcel.flow.errors import NoRoom, ToolFailure
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import OPENROAD, PLACED, Layout
from rsaxcel.flow.physical.interface import FLOORPLAN, PlacementTask
from rsaxcel.flow.physical.openroad.script import RULES
from rsaxcel.flow.physical.openroad.tool import (
    OpenRoadTool,
    figures,
    global_overflow,
    openroad_version,
    run_script,
)
from rsaxcel.flow.run import check_tools
from rsaxcel.store.errors import SetupError
from tests.flow.physical.netlists import KIT, small

VERSION = "v2.0-9999-gabcdef012"
GOOD_PROBE = 'echo "probe done"'
DONE = 'echo "figure removed 3"; echo "step done"'


@pytest.fixture
def openroad(tmp_path, monkeypatch):
    """Return a function that puts a stand-in on PATH: what it does for the probe, and for steps."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def put(steps: str = DONE, probe: str = GOOD_PROBE, version: str = f"{VERSION} ") -> None:
        path = folder / "openroad"
        path.write_text(
            "#!/bin/sh\n"
            f'if [ "$1" = -version ]; then echo "{version}"; exit; fi\n'
            f'case "$*" in */dev/stdin) {probe}; exit;; esac\n'
            f"{steps}\n"
        )
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        os.utime(path, ns=(time.time_ns(), time.time_ns()))

    return put


def only_line(refusal) -> str:
    (line,) = str(refusal.value).splitlines()
    return line


def test_a_missing_program_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError) as refusal:
        OpenRoadTool().version()
    line = only_line(refusal)
    assert line.startswith("OpenROAD is missing; install it with: ")
    assert "sources" in line
    assert "rsaxcel doctor" in line


def test_the_flow_refuses_to_start_without_it(monkeypatch, openroad):
    openroad(probe='echo "lacking repair_timing -repair_tns"; echo "probe done"')
    with pytest.raises(SetupError, match=r"too old: it has no repair_timing -repair_tns; 2023"):
        check_tools(DEFAULT_LIBRARY, Layout(PLACED, OPENROAD))


@pytest.mark.parametrize(
    ("probe", "version", "told"),
    [
        ("echo nothing", "1.2.0 e5d3", "OpenROAD 1.2.0 is too old: it runs no script; 2023"),
        ('echo "lacking repair_timing"; echo "probe done"', "1 x", "it has no repair_timing;"),
        (GOOD_PROBE, "", "does not tell its version"),
    ],
)
def test_a_program_that_is_too_old_is_one_line(openroad, probe, version, told):
    openroad(probe=probe, version=version)
    with pytest.raises(SetupError) as refusal:
        openroad_version()
    assert told in only_line(refusal)


def test_the_version_is_that_of_the_program(openroad, monkeypatch):
    monkeypatch.delenv(RULES, raising=False)
    openroad()
    assert OpenRoadTool().version() == VERSION


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (
            'echo "[ERROR ODB-0421] DEF parser"; echo "Error: x.tcl, 3 ODB-0421"; exit 1',
            "OpenROAD: [ERROR ODB-0421] DEF parser (log: ",
        ),
        ('echo "Error: x.tcl, 3 no such command"; exit 1', "OpenROAD: Error: x.tcl, 3 no such"),
        ('echo "Signal 11 received"; kill -SEGV $$', "OpenROAD: Signal 11 received"),
        ("echo all is well", "OpenROAD: all is well (log: "),
        ("exit 3", "OpenROAD: status 3 (log: "),
    ],
)
def test_a_failure_is_told_in_the_programs_words(openroad, tmp_path, steps, told):
    openroad(steps)
    with pytest.raises(ToolFailure) as refusal:
        run_script("script", "place", tmp_path)
    line = only_line(refusal)
    assert told in line
    assert str(tmp_path / "place.log") in line
    assert (tmp_path / "place.tcl").read_text().startswith("script\n")


@pytest.mark.parametrize("code", ["DPL-0036", "GPL-0301", "GRT-0118"])
def test_a_core_without_room_lets_the_search_go_on(openroad, tmp_path, code):
    openroad(f'echo "[ERROR {code}] It fails."; echo "Error: x.tcl, 3 {code}"; exit 1')
    with pytest.raises(NoRoom, match="It fails"):
        run_script("script", "place", tmp_path)


def test_a_step_that_writes_nothing_is_a_failure(openroad, tmp_path):
    openroad()
    small().design(tmp_path)
    task = PlacementTask(tmp_path / "netlist.json", "top", KIT, 1.0, 0.5, 1)
    with pytest.raises(ToolFailure, match=r"OpenROAD wrote no floorplan\.db \(log: .*plan\.log\)"):
        OpenRoadTool().run(FLOORPLAN, task, None, tmp_path, tmp_path)


def test_figures_and_overflow_are_read_from_the_log():
    log = (
        "[INFO] text\nfigure density 0.75\nfigure density 0.8\nfigure slack_ns -1.5e-05\n"
        "Layer         Resource        Demand        Usage (%)    Max H / Max V / Total Overflow\n"
        "Total           212680         20133            9.47%             0 /  0 /  0\n"
        "Total           212680         20133            9.47%             1 /  2 / 17\n"
    )
    assert figures(log) == {"density": 0.8, "slack_ns": -1.5e-05}
    assert global_overflow(log) == 17
    with pytest.raises(ToolFailure, match="no table of the global route"):
        global_overflow("[INFO] text")
