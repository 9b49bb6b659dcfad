"""A report that is still true is left as it is; any change of what it depends on makes it anew."""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.given import GivenEntry
from rsaxcel.eval import unchanged

FOLDER = Path("build", "report")
ASKED = ["timed", [32]]


@pytest.fixture
def report(here, monkeypatch):
    """Sources, a design of the user's own, a tool, results, and a report that was made of them."""
    texts = {
        "project/flow/mapping.py": "x = 1",
        "own/mine.py": "DESIGNS = ()",
        "own/mine.v": "module mine; endmodule",
        "bin/sta": "#!/bin/sh",
        "build/flow/stages/timing-1/timing.json": "{}",
        "build/laboratory/leaks-a.json": "{}",
        "build/report/index.html": "page",
        "build/report/mcnay.html": "page",
        "build/report/report.log": "begun",
    }
    for name, text in texts.items():
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (here / "bin/sta").chmod(0o755)
    module = ModuleType("mine")
    module.__file__ = str(here / "own/mine.py")
    monkeypatch.setitem(sys.modules, "mine", module)
    monkeypatch.setattr(unchanged, "__file__", str(here / "project/eval/unchanged.py"))
    monkeypatch.setenv("PATH", str(here / "bin"), prepend=os.pathsep)
    unchanged.note(FOLDER, unchanged.state(ASKED))
    return here


def is_unchanged(asked=ASKED):
    return unchanged.is_unchanged(FOLDER, unchanged.state(asked))


def test_what_no_report_depends_on_changes_nothing(report):
    (report / "build/report/report.log").write_text("begun again")
    (report / "build/flow/stages/timing-2").mkdir()
    (report / "build/flow/stages/timing-1.lock").touch()
    (report / "project/flow/__pycache__").mkdir()
    (report / "project/flow/__pycache__/mapping.pyc").touch()
    assert is_unchanged()


@pytest.mark.parametrize(
    "name",
    [
        "project/flow/mapping.py",
        "own/mine.py",
        "own/mine.v",
        "bin/sta",
        "build/laboratory/leaks-a.json",
        "build/report/index.html",
    ],
)
def test_a_changed_file_is_noticed(report, name):
    (report / name).write_text("other")
    assert not is_unchanged()


@pytest.mark.parametrize(
    "name",
    [
        "project/flow/verilog.txt",
        "own/beside.py",
        "build/sweeps/a/facts.parquet",
        "build/report/vassoler.html",
    ],
)
def test_a_new_file_is_noticed(report, name):
    (report / name).parent.mkdir(parents=True, exist_ok=True)
    (report / name).touch()
    assert not is_unchanged()


@pytest.mark.parametrize("name", ["build/report/mcnay.html", "build/report/unchanged.json"])
def test_a_removed_file_is_noticed(report, name):
    (report / name).unlink()
    assert not is_unchanged()


def test_other_verilog_is_noticed(report, monkeypatch):
    """A design's file can read its Verilog from anywhere."""
    verilog = report / "elsewhere.v"
    verilog.write_text("module mine; endmodule")

    def text(nbits):
        return verilog.read_text() if nbits == 32 else ""

    entry = GivenEntry("mine", "", range(8, 65), text, False)
    monkeypatch.setitem(catalog.GIVEN, "mine", entry)
    before = [unchanged.state(ASKED, [x]) for x in (32, 8)]  # systems have 32 bits in any case
    assert [unchanged.state(ASKED, [x]) for x in (32, 8)] == before
    verilog.write_text("module mine; wire x; endmodule")
    assert all(unchanged.state(ASKED, [x]) != y for x, y in zip((32, 8), before, strict=True))
    verilog.unlink()  # the report tells
    assert unchanged.state(ASKED, [32]) != before[0]


def test_removed_results_are_noticed(report):
    (report / "build/flow/stages/timing-1").rename(report / "elsewhere")
    assert not is_unchanged()


def test_other_options_are_noticed(report, monkeypatch):
    assert is_unchanged(("timed", (32,)))  # as JSON, a tuple is a list
    assert not is_unchanged(["zero", [32]])
    monkeypatch.setenv("RSAXCEL_DESIGNS", "other.py")
    assert not is_unchanged()


@pytest.mark.parametrize("text", ["", "[]", '{"state": 1}', "\0"])
def test_a_broken_note_counts_as_none(report, text):
    (report / FOLDER / "unchanged.json").write_text(text)
    assert not is_unchanged()


def test_results_are_used_once_a_day(report):
    """`rsaxcel clean` removes results that were not used for some days."""
    path = report / FOLDER / "unchanged.json"
    day_before = path.stat().st_mtime - 86_401
    os.utime(path, (day_before, day_before))
    assert not is_unchanged()


def test_the_command_loads_nothing_heavy_before_it_knows():
    heavy = {"matplotlib", "pandas", "numpy", "rsaxcel.flow.run", "rsaxcel.eval.report.build"}
    code = f"import rsaxcel.cli.report, sys; print({heavy} & {{*sys.modules}})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
