"""Runs Icarus Verilog from Debian's package, installed, or unpacked by the set-up."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

UNPACKED = Path(__file__).parents[2] / ".venv" / "debian" / "usr"
"""Folder in which the set-up unpacks Debian packages instead of installing them."""


def run(*command: object, **environment: str) -> tuple[int, str]:
    """Run a program outside this project's Python environment; return exit status and output."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        env=kept | environment,
        cwd=environment.get("PWD"),
    )
    return done.returncode, done.stdout + done.stderr


def icarus(folder: Path, *files: str, options: tuple[str, ...] = ()) -> tuple[int, str]:
    """Compile the files of a folder with options of the compiler, and run the result."""
    compiler, places = shutil.which("iverilog"), ([], [])
    if compiler is None:
        compiler = shutil.which("iverilog", path=UNPACKED / "bin")
        libraries = next(iter(UNPACKED.glob("lib/*/ivl")), None)
        if compiler is None or libraries is None:
            pytest.skip("Icarus Verilog is not installed")
        places = (["-B", libraries], ["-M", libraries])
    simulator = Path(compiler).with_name("vvp")
    paths = [folder / name for name in files]
    options = ("-g2012", *options)
    status, text = run(compiler, *places[0], *options, "-o", folder / "bench", *paths)
    assert (status, text) == (0, "")
    return run(simulator, *places[1], folder / "bench", PWD=str(folder))
