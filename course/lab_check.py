"""Does each lab as a student would: commands of the hand-out, then grades."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.course.lab import NBITS, RUBRIC, Lab
from rsaxcel.course.new import write
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.store.errors import RsaxcelError

_SECONDS = 3600  #: for a block of commands, or a grading


@dataclass(frozen=True)
class CheckedLab:
    """What became of a lab; ``fault`` is empty if it works."""

    name: str
    seconds: float
    start: float = 0.0  #: points of the starting point
    solution: float = 0.0
    most: float = 0.0
    fault: str = ""


class _FailedError(RsaxcelError):
    pass


def check_lab(lab: Lab, rank: Sequence[str], progress: Callable[[str], None]) -> CheckedLab:
    """Do a lab in a folder of its own; ``rank``: further arguments of the command that grades."""
    began = time.monotonic()
    points: list[float] = []
    most, fault = sum(x.points for x in lab.rubric.questions), ""
    with temporary_folder() as folder:
        place, rubric = folder / lab.name, folder / RUBRIC
        write(lab.start(), place)
        rubric.write_text(lab.rubric_text, encoding="utf-8")
        try:
            for block in lab.commands:
                progress(f"{lab.name}: {block.splitlines()[0]}")
                _run(["bash", "-e", "-c", block], place)
            for name, files in (("starting point", {}), ("solution", lab.solution())):
                progress(f"{lab.name}: grade its {name}")
                write(files, place)
                given, most = _graded(place, rubric, rank)
                points.append(given)
            if points[0] >= most:
                fault = "the starting point has all points"
            elif points[1] < most:
                fault = "the solution has not all points"
        except RsaxcelError as error:
            fault = str(error)
    start, solution = (*points, 0.0, 0.0)[:2]
    return CheckedLab(lab.name, time.monotonic() - began, start, solution, most, fault)


def _graded(place: Path, rubric: Path, rank: Sequence[str]) -> tuple[float, float]:
    results = rubric.with_name("results.json")
    options = ["--one", "--rubric", rubric.name, "--output", results.name, "--nbits", str(NBITS)]
    command = [sys.executable, "-m", "rsaxcel", "rank", place.name, *options, *rank]
    _run(command, rubric.parent, (0, 1))
    found = json.loads(results.read_text(encoding="utf-8"))
    return found["score"], sum(x["max_score"] for x in found["tests"])


def _run(command: Sequence[str], folder: Path, allowed: Sequence[int] = (0,)) -> None:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _FailedError(f"{command[-1].strip()}: no end within {_SECONDS} s") from error
    if done.returncode not in allowed:
        said = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise _FailedError(f"{command[-1].strip()}: exit status {done.returncode}: {said}")
