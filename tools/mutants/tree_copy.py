"""A copy of the source tree, in which faults are planted and tests run."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rsaxcel.store.errors import RunError
from rsaxcel.store.processes import in_own_group
from tools.mutants.sites import Fault

_FOLDERS = ("tests", "docs")
_CIRCUIT_FILES = ("library.so", "module.json")
_NOT_COPIED = shutil.ignore_patterns("build", ".*")
#: Seconds for the start of pytest, its imports and the collection of tests.
_START_S = 120.0
#: On a shared machine, elapsed time may be this many times the CPU time.
_SHARED = 10
_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass
class PytestRun:
    """Outcomes of the tests of one run of pytest; times in seconds."""

    passed: dict[str, float] = field(default_factory=dict)  #: passed tests with their times
    failed: dict[str, float] = field(default_factory=dict)
    error: str = ""  #: message of the first failed test
    refused: bool = False  #: whether a tool refused the circuit, as opposed to a failed test
    hung: bool = False  #: whether the last test did not end in time
    spent: float = 0.0  #: CPU seconds at the end of the last test
    begun: bool = False  #: whether the collection ended and the first test was about to start
    output: str = ""
    status: int = 0


class Copy:
    """A copy of the source tree (in a new ``folder``), with a store for compiled circuits."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder / "rsaxcel"
        self._cache = self.folder / "build" / "cache"
        self._cache.mkdir(parents=True)
        for entry in root.iterdir():
            if entry.is_file() and not entry.name.startswith("."):
                shutil.copy2(entry, self.folder)
            elif entry.name in _FOLDERS or (entry / "__init__.py").is_file():
                shutil.copytree(entry, self.folder / entry.name, ignore=_NOT_COPIED)

    @property
    def environment(self) -> dict[str, str]:
        """Environment of a process that uses the copy, without the user's settings."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "RSAXCEL"))}
        return kept | {"PYTHONPATH": str(self.folder.parent), "RSAXCEL_CACHE": str(self._cache)}

    @contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        """Plant a fault; at the end, remove it and the circuits that were compiled with it."""
        file = self.folder / fault.path
        source, before = file.read_bytes(), self._circuits()
        self._write(file, fault.plant(source))
        try:
            yield
        finally:
            self._write(file, source)
            for entry in self._circuits() - before:
                shutil.rmtree(entry, ignore_errors=True)

    def answer(self, module: str, *arguments: str, seconds: float) -> Any:
        """Run a module of the copy and return the JSON in its last line of output."""
        command = [sys.executable, "-m", module, *arguments]
        return json.loads(_last(self._output(module, command, seconds)))

    def collect(self, *tests: str, seconds: float) -> str:
        """Return pytest's list of the quick tests in files and folders, one test per line."""
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "not slow"]
        return self._output("tests", [*command, *tests], seconds)

    def run(
        self, tests: Sequence[str], *, seconds: float, limit: float, first: bool = True
    ) -> PytestRun:
        """Run tests in order, for ``seconds`` of CPU time in all and ``limit`` for each."""
        build = self.folder / "build"
        plan, notes = build / "plan.json", build / "notes.jsonl"
        notes.write_text("")
        planned = {"tests": list(tests), "notes": str(notes), "seconds": seconds, "limit": limit}
        plan.write_text(json.dumps(planned))
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        command = [sys.executable, "-m", "pytest", "-p", "tools.mutants.plugin", "--planned"]
        command += [str(plan), "-q", "--no-header", "--tb=line"]
        command += ["-m", "not slow", "--timeout=0"]
        command += [*(["-x"] if first else []), *files]
        whole = _SHARED * (seconds + _START_S) + limit
        status, output, ended = self._run(command, whole, build / "output.txt")
        if -status in _FROM_OUTSIDE:
            raise RunError(f"pytest was ended by {signal.Signals(-status).name}")
        return _outcome(notes, status, output, ended)

    def _output(self, name: str, command: list[str], seconds: float) -> str:
        """Return the output of a command; raise ``RunError`` if it fails or takes too long."""
        status, output, ended = self._run(command, seconds, self.folder / "build" / "output.txt")
        if status or not ended:
            raise RunError(f"{name}: {_last(output) if ended else f'no end in {seconds:.0f} s'}")
        return output

    def _run(self, command: list[str], seconds: float, log: Path) -> tuple[int, str, bool]:
        """Run a command; return exit status, output, and whether it ended in time."""
        place: Any = {"cwd": self.folder, "env": self.environment}
        with (
            log.open("wb") as file,
            in_own_group(command, stdout=file, stderr=subprocess.STDOUT, **place) as process,
        ):
            try:
                status, ended = process.wait(seconds), True
            except subprocess.TimeoutExpired:
                status, ended = 1, False
        return status, log.read_text(errors="replace"), ended

    def _circuits(self) -> set[Path]:
        """Folders of compiled and translated circuits in the store."""
        found = (self._cache.glob(f"*/{name}") for name in _CIRCUIT_FILES)
        return {file.parent for files in found for file in files}

    def _write(self, file: Path, source: bytes) -> None:
        """Write a source file; remove its bytecode, which would fit every change of this second."""
        file.write_bytes(source)
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            compiled.unlink()


def _outcome(notes: Path, status: int, output: str, ended: bool) -> PytestRun:
    """Read the notes that ``tools.mutants.plugin`` wrote in a run of pytest."""
    run = PytestRun(output=output, status=status, hung=not ended)
    running = ""
    for line in notes.read_text(encoding="utf-8").splitlines():
        note: Mapping[str, object] = json.loads(line)
        test, run.begun = str(note["test"]), True
        seconds = float(str(note.get("seconds", 0.0)))
        run.spent = float(str(note.get("spent", run.spent)))
        if "outcome" not in note:
            running = test
            continue
        running = ""
        if note["outcome"] == "hung":
            run.failed[test], run.hung, run.error = 0.0, True, "no end in time"
        elif note["outcome"] == "passed":
            run.passed[test] = seconds
        elif note["outcome"] == "failed":
            run.passed.pop(test, None)
            run.failed[test] = seconds
            if not run.error:
                run.error, run.refused = str(note["error"]), bool(note["refused"])
    if running and (status or not ended):
        run.failed[running] = 0.0
        crashed = status < 0
        run.hung = not crashed
        run.error = f"ended by the signal {-status}" if crashed else "no end in time"
    return run


def _last(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1] if lines else "no output"
