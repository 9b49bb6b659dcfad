"""Builds the wheel, and installs it in a fresh environment."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.shared.programs import program

ROOT = Path(__file__).parents[2]
SCRIPTS = ("mflowgen", "mflowgen-python")
"""Programs of dependencies that the flow runs."""
LEFT = (
    "build/lib/flow/removed.py",  # of a wheel that was built before
    "build/measurements/record.json",
    "obj_dir/x.json",
    "tests/obj_dir/x.cpp",
    "tests/__pycache__/x.pyc",
    "dist/x.tar.gz",
    ".venv/lib/x.py",
    "x_v.py",
)
"""Files that earlier builds and runs leave."""


def tracked() -> list[str]:
    """Tracked files of the tree; other files must not get into the wheel."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("no git working tree")
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    return [name for name in listed.split("\0") if (ROOT / name).is_file()]


def copy_tree(copy: Path) -> None:
    """Copy the tree, because setuptools leaves files in its folder, and add what runs leave."""
    for name in tracked():
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    for name in LEFT:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).touch()


def build(copy: Path, made: Path) -> Path:
    """Build the wheel."""
    copy_tree(copy)
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", made]
    pip(sys.executable, "wheel", *options, copy)
    (path,) = made.iterdir()
    return path


def build_source(copy: Path, made: Path) -> Path:
    """Build the source distribution."""
    copy_tree(copy)
    text = "import sys, setuptools.build_meta as b; b.build_sdist(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", text, made], cwd=copy, check=True, stdout=subprocess.DEVNULL
    )
    (path,) = made.iterdir()
    return path


def install(wheel: Path, folder: Path) -> None:
    """Make a fresh environment with the wheel, and links to this environment's dependencies."""
    venv.create(folder, symlinks=True, with_pip=False)
    pip(folder / "bin" / "python", "install", "--no-index", "--no-deps", wheel)
    dependencies = folder / "dependencies"
    dependencies.mkdir()
    others = [path for path in map(Path, sys.path) if path.name == "site-packages"]
    assert others
    for path in (x for other in reversed(others) for x in other.iterdir()):
        if path.name.startswith("ziglang"):  # the set-up's, where there is no compiler
            continue
        link = dependencies / path.name
        link.unlink(missing_ok=True)
        link.symlink_to(path)
    # Python searches the folders in a .pth file after the folder of that file, and does not read
    # .pth files in them, such as the one of an editable installation.
    (site_packages(folder) / "dependencies.pth").write_text(str(dependencies))
    for name in SCRIPTS:
        text = Path(sys.executable).with_name(name).read_text()
        program(folder / "bin" / name, f"#!{folder}/bin/python\n{text.partition(chr(10))[2]}")


def site_packages(environment: Path) -> Path:
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(environment)}))


@contextmanager
def hidden_package(environment: Path, module: str) -> Iterator[None]:
    """Hide a dependency: its modules and its metadata for pip."""
    dependencies = environment / "dependencies"
    names = [module, *(path.name for path in dependencies.glob(f"{module}[.-]*-info"))]
    targets = {name: (dependencies / name).readlink() for name in names}
    assert len(targets) > 1
    for name in names:
        (dependencies / name).unlink()
    try:
        yield
    finally:
        for name, target in targets.items():
            (dependencies / name).symlink_to(target)


def link_programs(folder: Path, hidden: tuple[str, ...]) -> str:
    """Make a folder with links to all programs on PATH but the hidden ones."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        if not Path(place).is_dir() or Path(place) == Path(sys.executable).parent:
            continue
        for path in Path(place).iterdir():
            link = folder / path.name
            if not (path.name in hidden or link.is_symlink()):
                link.symlink_to(path)
    return str(folder)


def clean_environment(**more: str) -> dict[str, str]:
    """Environment variables without those by which Python would find this tree."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_", "RSAXCEL"))}
    return kept | more


def pip(python: str | Path, *args: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    subprocess.run(
        [*command, *args], check=True, stdout=subprocess.DEVNULL, env=clean_environment()
    )


def call(
    environment: Path, folder: Path, *command: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command of the environment in a folder."""
    cache = {"RSAXCEL_CACHE": str(folder / "cache")}
    return subprocess.run(
        [environment / "bin" / command[0], *command[1:]],
        cwd=folder,
        env=clean_environment(**cache, **variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
