"""Designs as a class hands them in: the files of ``rsaxcel new``, with planted changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.course.new import multiplier, project
from tests.shared.planted import planted
from tests.shared.tables import tables

NAME = "student"
MODULUS = 0xB5
"""Modulus for which some of the designs are wrong: 181 in their table."""


@dataclass(frozen=True)
class Student:
    """Changes to the files of a new multiplier.

    Parameters
    ----------
    kind : str
        Kind of refusal in a ranking (``Verdict.kind``); empty: the design is ranked.
    edits : sequence of (end of the file's name, old text, new text)
        Replaced texts.
    """

    kind: str = ""
    edits: Sequence[tuple[str, str, str]] = ()

    def write(self, folder: Path) -> Path:
        """Write the design into a new folder in ``folder``, and return the new folder."""
        place = folder / NAME
        place.mkdir(parents=True)
        for file, text in multiplier(NAME).items():
            own = [edit for end, *edit in self.edits if file.endswith(end)]
            (place / file).write_text(planted(text, *own, once=True))
        return place


def write_project(folder: Path, name: str, kind: str, language: str = "verilog") -> Path:
    """Write a project as ``rsaxcel new project`` does, and return its folder."""
    for file, text in project(name, kind, language).items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    return folder


STUDENTS = {name: Student(**row) for name, row in tables(__file__).items()}
