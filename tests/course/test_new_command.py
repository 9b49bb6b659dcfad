"""`rsaxcel new`: its files work at every level; wrong names are refused in one line."""

import subprocess
import sys

import pytest

from rsaxcel.catalog.registry import _load
from tests.shared.messages import without_progress
from tests.shared.processes import ROOT, RSAXCEL, run


def test_files_have_the_name_and_say_what_to_do(rsaxcel, tmp_path):
    finished = rsaxcel("new", "multiplier", "carry_skip", "--output", tmp_path)
    assert (finished.status, finished.err) == (0, "")
    place = tmp_path / "carry_skip"
    files = ["__init__.py", "carry_skip_cl.py", "carry_skip_fl.py", "carry_skip_rtl.py"]
    assert sorted(path.name for path in place.iterdir()) == files
    assert f"export RSAXCEL_DESIGNS={place}\n" in finished.out
    for file in files:
        text = (place / file).read_text()
        assert "TODO: " in text
        assert "skeleton" not in text.lower()
        assert file == "__init__.py" or "class CarrySkip" in text


@pytest.mark.parametrize(
    ("design", "options"),
    [
        ("carry_skip", ["--level", "fl"]),
        ("carry_skip", ["--level", "cl"]),
        ("carry_skip", ["--level", "rtl", "--engine", "pymtl"]),
        ("carry_skip_r2l", ["--level", "rtl", "--engine", "pymtl"]),
        pytest.param("carry_skip", ["--level", "rtl"], marks=pytest.mark.slow),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_it_runs(rsaxcel, tmp_path, design, options):
    """A new process finds the package by RSAXCEL_DESIGNS, and simulates it."""
    assert rsaxcel("new", "multiplier", "carry_skip", "--output", tmp_path).status == 0
    known = {"RSAXCEL_DESIGNS": str(tmp_path / "carry_skip"), "PYTHONPATH": str(ROOT)}
    done = run(*RSAXCEL, "sim", design, "--nbits", 8, "--random", 20, *options, **known)
    assert (done.returncode, without_progress(done.stderr)) == (0, "")
    assert "mismatches   0\n" in done.stdout
    if "rtl" in options:
        assert "as cl model  yes, all of " in done.stdout


@pytest.mark.parametrize("name", ["in_port", "type_error", "clock", "skeleton_fl", "skeleton"])
def test_names_that_its_files_do_not_use_load(rsaxcel, tmp_path, name):
    assert rsaxcel("new", "multiplier", name, "--output", tmp_path).status == 0
    (design,) = _load(tmp_path / name)
    assert design.default.evaluate(3, 5, 251)[0].result == 3**5 % 251
    design.default.component("rtl").elaborate()


def test_nothing_is_replaced(refused, tmp_path):
    file = tmp_path / "booth" / "mine.py"
    file.parent.mkdir()
    file.write_text("")
    line = refused("new", "multiplier", "booth", "--output", tmp_path)
    assert line == f"rsaxcel: error: folder {file.parent} exists; another name or --output"
    assert list(file.parent.iterdir()) == [file]


def test_no_folders_are_made_above(rsaxcel, tmp_path):
    finished = rsaxcel("new", "multiplier", "booth", "--output", tmp_path / "no" / "such")
    assert (finished.status, finished.out) == (2, "")
    assert f"there is no folder {tmp_path / 'no'}\n" in finished.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_flow_in_the_folder_of_the_design(rsaxcel, tmp_path):
    """Files that a flow writes into the folder change neither the design nor its ranking."""
    assert rsaxcel("new", "multiplier", "carry_skip", "--output", tmp_path).status == 0
    place = tmp_path / "carry_skip"

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        known = {"RSAXCEL_DESIGNS": str(place), "PYTHONPATH": str(ROOT)}
        return run(sys.executable, "-P", "-m", "rsaxcel", *arguments, folder=place, **known)

    flows = [call("flow", "carry_skip_r2l", "--nbits", "8") for _ in "ab"]
    assert [x.returncode for x in flows] == [0, 0], flows[0].stderr
    assert flows[0].stdout == flows[1].stdout
    ranked = call("rank", ".", "--nbits", "8", "--random", "100")
    assert ranked.returncode == 0, ranked.stderr
    again = call("rank", ".", "--nbits", "8", "--random", "100")
    assert again.stdout == ranked.stdout
