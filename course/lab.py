"""Labs of a course: hand-out, starting point, rubric and a solution of each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

from rsaxcel.course.new import Files, project
from rsaxcel.course.rank import answers
from rsaxcel.course.rank.rubric import Rubric, parsed
from rsaxcel.store.errors import UserError

RUBRIC = "rubric.toml"
NBITS = 8
"""Width in bits at which projects of labs are graded."""

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
        asked = tomllib.loads(found.pop(_PROJECT))
        return {**found, **project(**asked), **dict(_below(self.place / "start"))}

    def solution(self) -> Files:
        """Files of the starting point that a solution changes; answers are measured."""
        if questions := self.rubric.questions:
            return {answers.FILE: answers.solved(questions)}
        return dict(_below(self.place / "solution"))


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
