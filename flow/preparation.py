"""What every run of the ASIC flow needs first: its job, its folder, and all tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rsaxcel.circuit import Target
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import check_library
from rsaxcel.flow.layout import NOT_PLACED, Layout
from rsaxcel.flow.paths import plain_kit
from rsaxcel.flow.physical.tools import find_tool
from rsaxcel.flow.runner import job_of
from rsaxcel.flow.subjects import subject_of
from rsaxcel.flow.timers import find_timer
from rsaxcel.flow.yosys import yosys_version
from rsaxcel.sim.native.toolchain import find_toolchain


def circuit_job(target: Target, root: Path, library: str, clock_ns: float, **asked: Any) -> FlowJob:
    """Return the job of a circuit; ``asked`` are fields of ``FlowJob``."""
    check_library(library)
    if not 0.01 <= clock_ns <= 1000:
        raise ValueError(f"clock_ns={clock_ns}: 0.01 to 1000 ns are allowed")
    return job_of(subject_of(target), root, library=library, clock_ns=float(clock_ns), **asked)


def root_of(directory: Path | None) -> Path:
    """Return the flow's build folder: the given one, or the one in the current folder."""
    return (directory or Path("build", "flow")).absolute()


def check_tools(library: str, layout: Layout = NOT_PLACED) -> None:
    """Check that all tools of the flow are installed; ``SetupError`` says how to install one."""
    yosys_version()
    find_timer(layout.timer).version()
    find_toolchain()
    plain_kit(library)
    if layout.placed:
        find_tool(layout.physical).version()
