"""A made-up class: hand-ins in both languages, right, late, wrong and hostile."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.course import new
from tests.shared.tables import tables

NAME = "modpow"
RUBRIC = Path(__file__).with_name("made_up_class_rubric.toml").read_text("utf-8")

Edit = tuple[str, str, str]


@dataclass(frozen=True)
class Student:
    """A hand-in: the files of ``rsaxcel new project`` with planted changes.

    Parameters
    ----------
    edits : sequence of (end of the file's name, old text, new text)
        Replaced texts; without the old one, the new one is appended.
    verdict, told : str
        Kind of its refusal, and a pattern of the reason; empty: it is right.
    form : function of a folder, or None
        What is done to the folder at the end.
    below : str
        Folder of the project in the student's folder.
    """

    kind: str
    language: str
    edits: Sequence[Edit] = ()
    verdict: str = ""
    told: str = ""
    form: Callable[[Path], object] | None = None
    below: str = ""

    def write(self, place: Path) -> Path:
        project = place / self.below
        texts = new.project(NAME, self.kind, self.language)
        for end, old, text in self.edits:
            (file,) = [x for x in texts if x.endswith(end)]
            assert not old or texts[file].count(old) == 1, (file, old)
            texts[file] = texts[file].replace(old, text) if old else texts[file] + text
        for file, text in texts.items():
            (project / file).parent.mkdir(parents=True, exist_ok=True)
            (project / file).write_text(text)
        if self.form:
            self.form(project)
        return place


def twice(place: Path) -> None:
    """Hand in a wrong design before, and another one after the deadline."""
    (place.parent / "20261128T1000").mkdir()
    late = place.parent / "20261130T0100"
    late.mkdir()
    (late / "project.toml").write_text("[rsaxcel")


def fifo(place: Path) -> None:
    (place / NAME / "core.toml").unlink()
    os.mkfifo(place / NAME / "core.toml")


FORMS = {"": None, "twice": twice, "fifo": fifo}
STUDENTS = {
    name: Student(**row | {"form": FORMS[row.get("form", "")]})
    for name, row in tables(__file__).items()
}


def write(place: Path) -> list[Path]:
    """Write hand-ins, and the rubric beside them; return the folders of the students."""
    (place / "rubric.toml").write_text(RUBRIC)
    return [student.write(place / "class" / name) for name, student in STUDENTS.items()]
