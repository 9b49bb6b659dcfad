"""rsaxcel installed from a wheel, away from its sources."""

import email
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

from rsaxcel.store.packages import PACKAGES
from tests.project.wheels import ROOT, build_source, call, site_packages, tracked
from tests.shared.messages import without_progress

pytestmark = pytest.mark.xdist_group("wheel")


def run(installed: Path, folder: Path, *command: str) -> str:
    """Run a command of the environment in an empty folder, and return its output."""
    done = call(installed, folder, *command)
    assert (done.returncode, without_progress(done.stderr)) == (0, "")
    return done.stdout


def test_wheel_holds_the_packages_and_nothing_else(wheel):
    """The wheel has every tracked file of the packages, with the data files that the flow needs."""
    packages = tuple(f"{name}/" for name in PACKAGES)
    own = {*ROOT.glob("*.py")} - {ROOT / "setup.py"} | {ROOT / "py.typed"}
    expected = {f"rsaxcel/{x}" for x in tracked() if ROOT / x in own or x.startswith(packages)}
    assert any(name.endswith("kit.toml") for name in expected)
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == expected


@pytest.mark.slow
def test_source_distribution_has_what_is_tracked(tmp_path):
    made = tmp_path / "made"
    made.mkdir()
    with tarfile.open(build_source(tmp_path / "copy", made)) as archive:
        names = {x.name.partition("/")[2] for x in archive if x.isfile()}
    made_up = {"PKG-INFO", "setup.cfg"}
    assert {x for x in names - made_up if ".egg-info/" not in x} == {*tracked()}


def test_wheel_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (x for x in archive.namelist() if x.endswith(".dist-info/METADATA"))
        told = email.message_from_bytes(archive.read(name))
        names = archive.namelist()
    assert (told["Name"], told["License"]) == ("rsaxcel", "BSD-3-Clause")
    assert told["Description-Content-Type"] == "text/markdown"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert told.get_payload(decode=True).decode().strip() == readme.strip()
    assert any(x.endswith("/LICENSE") for x in names)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == told["Version"]
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {told['Version']}" in changes


def test_the_installed_packages_are_used(installed, tmp_path):
    """The wheel's packages precede this tree, which may be installed editably, and dependencies."""
    modules = ", ".join(f"rsaxcel.{name}" for name in PACKAGES)
    text = f"import {modules}\nfor p in (rsaxcel, {modules}): print(p.__file__)"
    files = run(installed, tmp_path, "python", "-c", text).split()
    place = site_packages(installed) / "rsaxcel"
    assert files == [str(place / name / "__init__.py") for name in (".", *PACKAGES)]
    assert not {x.stem for x in place.parent.iterdir()} & {*PACKAGES, "tests", "tools", "setup"}


def test_names_of_others_hide_nothing(installed, tmp_path):
    """Files and folders of a user, called as packages of rsaxcel are."""
    (tmp_path / "sim.py").write_text("raise SystemExit('another sim')")
    for name in ("flow", "rsaxcel"):  # folders of data, as users may have them
        (tmp_path / name).mkdir()
    text = "import rsaxcel; print(*rsaxcel.designs()[:1])"
    assert run(installed, tmp_path, "python", "-c", text) == "mulrem_r2l\n"
    assert run(installed, tmp_path, "python", "-m", "rsaxcel", "list", "mulrem_r2l")


def test_list(installed, tmp_path):
    assert "mulrem_r2l (design): " in run(installed, tmp_path, "rsaxcel", "list", "mulrem_r2l")


@pytest.mark.parametrize("options", [("--level", "cl"), ("--engine", "pymtl")])
def test_sim(installed, tmp_path, options):
    command = ("rsaxcel", "sim", "mulrem_r2l", "--nbits", "16", "--random", "5", *options)
    lines = [line.split() for line in run(installed, tmp_path, *command).splitlines()]
    assert lines[0][:5] == ["line", "base", "exp", "n", "status"]
    rows = [[int(field, 16) for field in (*row[1:4], row[5])] for row in lines[1:6]]
    assert [result for *_, result in rows] == [pow(b, e, m) for b, e, m, _ in rows]
    assert ["mismatches", "0"] in lines


@pytest.mark.slow
def test_a_project_is_tested_with_the_plugin(installed, tmp_path):
    """Outside of the repository: the pytest plugin, programs in C, the processor."""
    run(installed, tmp_path, "rsaxcel", "new", "project", "own_core", "--kind", "xcel")
    command = ("python", "-m", "pytest", "-q", "--nbits", "8")
    # pytest would keep dependencies, whose asserts it rewrites, with the paths of this environment.
    done = call(installed, tmp_path / "own_core", *command, PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout
