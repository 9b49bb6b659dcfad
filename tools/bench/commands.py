"""Measures the time of a command when it is repeated, or after a change in a circuit."""

import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.bench.speed import BenchError
from tools.mutants.tree_copy import Copy

_ROOT = Path(__file__).resolve().parents[2]
_LIST = ("list",)
_SIM = ("sim", "montmul_r2l", "--random", "100")
_FLOW = ("flow", "montmul_r2l")
_QUICK_FLOW = (*_FLOW, "--activity", "zero")

#: File of which one line is changed, in a copy of the source tree.
CHANGED = Path("rtl", "multipliers", "mont_mul.py")
_LINE = "if s.control.load:\n"
#: Text that is added to the condition of _LINE: operands are then loaded during reset, too. The
#: circuit must be built again, but its results stay.
_MORE = " | s.reset"


@dataclass(frozen=True)
class TimedCommand:
    arguments: tuple[str, ...]
    most_starts: float  #: longest time, in starts of a Python that does nothing
    changed: bool = False  #: whether a line of the circuit changes before the timed run

    def __str__(self) -> str:
        line = f"rsaxcel {' '.join(self.arguments)}"
        return f"{line}, a line of {CHANGED} changed" if self.changed else line


TASKS = (
    TimedCommand(_LIST, 15),
    TimedCommand(_SIM, 25),
    TimedCommand(_SIM, 80, True),
    TimedCommand(_QUICK_FLOW, 300, True),
    TimedCommand(_FLOW, 400, True),
)


@dataclass(frozen=True)
class CommandSpeed:
    """Measured time of a command."""

    task: TimedCommand
    seconds: float
    starts: float  #: time, divided by that of a Python that does nothing


def measure_commands(
    tasks: Sequence[TimedCommand], repetitions: int, progress: Callable[[str], None]
) -> list[CommandSpeed]:
    """Run each command, then time it, in a copy of the source tree with its own cache.

    A task with ``changed`` is timed once only, because a second run would read the results of the
    first; each gets a different change of the circuit. Of other tasks, the shortest time counts.
    """
    with TemporaryDirectory(prefix="rsaxcel-bench-") as folder:
        copy = Copy(_ROOT, Path(folder, "tree"))
        place = copy.folder, copy.environment
        for arguments in dict.fromkeys(task.arguments for task in tasks):
            progress(f"rsaxcel {' '.join(arguments)}: first run")
            time_run(_command(arguments), *place)
        bare_s = start_s(repetitions, *place)
        found, changes = {}, 0
        for task in sorted(tasks, key=lambda task: task.changed):
            progress(f"{task}: timed")
            if task.changed:
                changes += 1
                change(copy.folder / CHANGED, changes)
            count = 1 if task.changed else repetitions
            found[task] = _least(_command(task.arguments), count, *place)
        return [CommandSpeed(task, found[task], found[task] / bare_s) for task in tasks]


def start_s(
    repetitions: int, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> float:
    """Return the seconds of a start of Python, the shortest of some."""
    return _least(["-c", "pass"], repetitions, folder, environment)


def change(file: Path, count: int) -> None:
    """Insert ``_MORE`` ``count`` times in the line ``_LINE``, so that no stored result fits."""
    source = file.read_text(encoding="utf-8").replace(_MORE, "")
    if source.count(_LINE) != 1:
        raise BenchError(f"{CHANGED}: expected exactly one line {_LINE.strip()!r}")
    line = _LINE.replace(":", _MORE * count + ":")
    file.write_text(source.replace(_LINE, line), encoding="utf-8")


def time_run(
    arguments: Sequence[str], folder: Path | None, environment: Mapping[str, str] | None
) -> float:
    """Run Python in a folder; return the seconds, or quote the last line of standard error."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - started
    if done.returncode:
        said = done.stderr.splitlines() or ["no message"]
        raise BenchError(f"{' '.join(arguments)}: exit status {done.returncode}: {said[-1]}")
    return seconds


def _command(arguments: Sequence[str]) -> list[str]:
    return ["-m", "rsaxcel", *arguments]


def _least(
    arguments: Sequence[str], count: int, folder: Path | None, environment: Mapping[str, str] | None
) -> float:
    return min(time_run(arguments, folder, environment) for _ in range(count))
