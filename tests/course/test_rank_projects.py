"""`rsaxcel rank` takes projects: of each kind and language, and of any form."""

import os
from pathlib import Path

import pytest

from rsaxcel.course.rank import assess
from rsaxcel.course.rank.assess import Assessment
from rsaxcel.course.rank.handed import Handed, find_handed
from tests.course.confinements import OPTIONS, limits, needs_confinement
from tests.course.student_designs import write_project

pytestmark = needs_confinement
NAME = "modpow"
MODPOW = (NAME, "exponentiator")


def read(place: Path) -> Handed:
    (handed,) = find_handed([place], limits(60, 2))
    return handed


@pytest.mark.slow
@pytest.mark.parametrize("language", ["pymtl", "verilog"])
@pytest.mark.parametrize("kind", ["multiplier", "exponentiator", "xcel"])
def test_a_project_is_checked(kind, language, here):
    handed = read(write_project(here / "ann", NAME, kind, language))
    found = assess._verdict(handed, Assessment(8, 100, 1, limits()), lambda line: None)
    assert (found.kind, found.reason) == ("", "")
    assert found.vectors.keys() == {"8", "13"}
    assert found.cycles["decrypt"] > 8


@pytest.mark.slow
def test_a_project_is_checked_before_it_is_handed_in(rsaxcel, tmp_path):
    asked = "--nbits", 8, "--random", 20, "--only", "circuit"
    finished = rsaxcel("check", write_project(tmp_path / "ann", *MODPOW), *asked, *OPTIONS)
    assert finished.status == 0, finished.err
    assert "modpow: nothing wrong found in 2 steps" in finished.out


def test_a_project_in_the_folder_is_found(tmp_path):
    handed = read(write_project(tmp_path / "ann" / "repository", *MODPOW).parent)
    assert (handed.problem, handed.label) == ("", "ann")
    assert handed.design["files"].keys() == {"core.toml", "modpow_core.v", "modpow_power.v"}
    (tmp_path / "ann" / "another").mkdir()
    write_project(tmp_path / "ann" / "another", *MODPOW)
    assert "is it the folder another in it?" in read(tmp_path / "ann").problem


_WRONG = {
    "leaves": (f'design = "{NAME}"', 'design = ".."', "no folder with files in it"),
    "leaves_by_a_name": (f'design = "{NAME}"', f'design = "../ann/{NAME}"', "no folder with"),
    "absolute": (f'design = "{NAME}"', 'design = "/etc"', "no folder with files in it"),
    "no_toml": ("[rsaxcel]", "[rsaxcel", "project.toml: "),
    "a_kind": ('kind = "exponentiator"', 'kind = "x"', "Invalid enum value 'x'"),
    "deep": ("[rsaxcel]", f"a = {'[' * 10_000}", "recursion depth"),
    "large": ("[rsaxcel]", f"# {'x' * 20_000}\n[rsaxcel]", "more than 16 KB"),
    "long_key": ("[rsaxcel]", f"{'a.' * 7_000}a = 1\n[rsaxcel]", ""),
}


@pytest.mark.quick_cases("leaves", "deep", "large")
@pytest.mark.parametrize("name", _WRONG)
def test_project_files_are_read_as_data(name, tmp_path):
    old, text, reason = _WRONG[name]
    file = write_project(tmp_path / "ann", *MODPOW) / "project.toml"
    file.write_text(file.read_text().replace(old, text, 1))
    handed = read(tmp_path / "ann")
    assert reason in handed.problem
    assert bool(reason) == bool(handed.problem)
    assert handed.problem.isprintable()


@pytest.mark.quick_cases("link")
@pytest.mark.parametrize("form", ["link", "fifo", "folder"])
def test_a_project_file_of_another_form(form, tmp_path):
    file = write_project(tmp_path / "ann", *MODPOW) / "project.toml"
    file.unlink()
    secret = tmp_path / "secret.toml"
    secret.write_text("[rsaxcel")
    {
        "link": lambda: file.symlink_to(secret),
        "fifo": lambda: os.mkfifo(file),
        "folder": file.mkdir,
    }[form]()
    problem = read(tmp_path / "ann").problem
    assert "not a regular file" in problem or "no __init__.py, core.toml or project.toml" in problem
