"""Labs of a course: hand-out, start, rubric and a solution of each, done as a student would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from rsaxcel.course.new import Files, project, write
from rsaxcel.course.rank import answers
from rsaxcel.course.rank.rubric import Rubric, parsed
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.store.errors import RsaxcelError, UserError

RUBRIC = "rubric.toml"
#: Width in bits at which projects of labs are graded.
NBITS = 8

_HAND_OUT, _PROJECT = "lab.md", "project.toml"
_COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Lab:
    """A folder ``NUMBER_NAME`` with the files of a lab."""

    place: Traversable

    @property
    def name(self) -> str:
        return self.place.name.partition("_")[2]

    @cached_property
    def hand_out(self) -> str:
        return _text(self.place / _HAND_OUT)

    @property
    def title(self) -> str:
        return self.hand_out.partition("\n")[0].partition(": ")[2]

    @property
    def commands(self) -> list[str]:
        """Blocks of commands in the hand-out."""
        return _COMMANDS.findall(self.hand_out)

    @property
    def rubric_text(self) -> str:
        return _text(self.place / RUBRIC)

    @cached_property
    def rubric(self) -> Rubric:
        return parsed(self.rubric_text, NBITS)

    def start(self) -> Files:
        """Files that students get: those of the folder, and a project or a form for answers."""
        found = {x.name: _text(x) for x in self.place.iterdir() if x.is_file() and x.name != RUBRIC}
        if questions := self.rubric.questions:
            return {**found, answers.FILE: answers.template(questions)}
        return {**found, **self._project, **self._replaced}

    def solution(self) -> Files:
        """Files of the starting point that a solution changes; answers are measured."""
        if questions := self.rubric.questions:
            return {answers.FILE: answers.solved(questions)}
        whole = self._project
        right = {x: whole[x] for x in self._replaced}
        return {**right, **dict(_below(self.place / "solution"))}

    @property
    def _project(self) -> Files:
        return project(**tomllib.loads(_text(self.place / _PROJECT)))

    @property
    def _replaced(self) -> Files:
        """Files that the lab has in place of the project's: these have a fault."""
        return dict(_below(self.place / "start"))


def _text(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")


def _below(place: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    for entry in place.iterdir() if place.is_dir() else ():
        if entry.is_dir():
            yield from _below(entry, f"{above}{entry.name}/")
        else:
            yield f"{above}{entry.name}", _text(entry)


def labs() -> list[Lab]:
    """Labs in the order of the weeks."""
    place = files("rsaxcel.course") / "labs"
    return [Lab(x) for x in sorted(place.iterdir(), key=lambda x: x.name) if x.is_dir()]


def find_lab(name: str) -> Lab:
    """Find a lab; ``UserError`` for an unknown name."""
    known = {x.name: x for x in labs()}
    if name not in known:
        raise UserError(f"no lab {name!r}; allowed: {', '.join(known)}")
    return known[name]


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
