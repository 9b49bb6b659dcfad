"""The product installed from a wheel, away from its sources."""

import email
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

from tests.told import without_progress

ROOT = Path(__file__).parents[1]
PACKAGES = ("store", "fl", "cl", "rtl", "catalog", "proc", "sim", "flow", "eval", "rsaxcel")

pytestmark = pytest.mark.xdist_group("wheel")


def tracked() -> list[str]:
    """Files of the tree; what else lies in it must not get into a wheel by chance."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("no git working tree")
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    return [name for name in listed.split("\0") if (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy, because setuptools leaves files in the folder that it builds."""
    copy, made = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("made")
    for name in tracked():
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", made]
    pip(sys.executable, "wheel", *options, copy)
    (path,) = made.iterdir()
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """A fresh environment with the wheel; its dependencies are those of this environment."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True, with_pip=False)
    pip(folder / "bin" / "python", "install", "--no-index", "--no-deps", wheel)
    # Folders of a .pth file come after the one that it lies in, and their own .pth files, such as
    # that of an editable installation, are not read.
    others = [p for p in sys.path if Path(p).name == "site-packages"]
    assert others
    (site_packages(folder) / "dependencies.pth").write_text("\n".join(others))
    return folder


def site_packages(environment: Path) -> Path:
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(environment)}))


def clean_environment(**more: str) -> dict[str, str]:
    """Variables without those that lead Python to this tree."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_", "RSAXCEL"))}
    return kept | more


def pip(python: str | Path, *args: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    subprocess.run(
        [*command, *args], check=True, stdout=subprocess.DEVNULL, env=clean_environment()
    )


def run(installed: Path, folder: Path, *command: str) -> str:
    """Output of a command of the environment, run in an empty folder."""
    done = subprocess.run(
        [installed / "bin" / command[0], *command[1:]],
        cwd=folder,
        env=clean_environment(RSAXCEL_CACHE=str(folder / "cache")),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, without_progress(done.stderr)) == (0, "")
    return done.stdout


def test_wheel_holds_the_packages_and_nothing_else(wheel):
    """Every tracked file below a package, data files as well: the flow needs them where it runs."""
    expected = {name for name in tracked() if name.startswith(tuple(f"{p}/" for p in PACKAGES))}
    assert any(name.endswith("configure.yml") for name in expected)
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == expected


def test_wheel_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (x for x in archive.namelist() if x.endswith(".dist-info/METADATA"))
        told = email.message_from_bytes(archive.read(name))
        names = archive.namelist()
    assert (told["Name"], told["License"]) == ("rsaxcel", "BSD-3-Clause")
    assert told["Description-Content-Type"] == "text/markdown"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert told.get_payload(decode=True).decode().strip() == readme.strip()
    assert all(f"{package}/py.typed" in names for package in PACKAGES)
    assert any(x.endswith("/LICENSE") for x in names)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == told["Version"]
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {told['Version']}" in changes


def test_the_installed_packages_are_used(installed, tmp_path):
    """Neither this tree, which may be installed editably, nor a dependency's folder comes first."""
    modules = ", ".join(PACKAGES)
    text = f"import {modules}\nfor p in ({modules}): print(p.__file__)"
    files = run(installed, tmp_path, "python", "-c", text).split()
    assert files == [str(site_packages(installed) / p / "__init__.py") for p in PACKAGES]


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
