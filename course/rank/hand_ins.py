"""Whose hand-in a folder is, when it was handed in, and which of several ones counts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from msgspec import DecodeError, Struct, json

from rsaxcel.course.rank.rubric import Rubric
from rsaxcel.store.errors import UserError
from rsaxcel.store.shown import shown


@dataclass(frozen=True)
class HandIn:
    """A hand-in that counts."""

    student: str
    folder: Path
    at: datetime | None = None  #: None: not known
    others: int = 0  #: earlier or late ones of the same student, which do not count


class _User(Struct):
    email: str


class _Metadata(Struct):
    """What Gradescope tells of a hand-in."""

    created_at: datetime
    users: list[_User]


def counted(folder: Path, rubric: Rubric) -> HandIn:
    """Choose the hand-in of a student that counts: the last one in time, else the last one.

    A student with several hand-ins has a folder for each, whose name is its ISO date and time, such
    as ``20261129T2359``; that of the deadline unless it has a time zone.
    """
    student = shown(Path(os.path.normpath(folder.absolute())).name)
    dated = {x: at for x in _entries(folder) if (at := _time(x.name, rubric))}
    if not dated:
        return HandIn(student, folder)
    on_time = [x for x, at in dated.items() if not rubric.days_late(at)]
    last = max(on_time or dated, key=lambda x: dated[x])
    return HandIn(student, last, dated[last], len(dated) - 1)


def of_gradescope(folder: Path, metadata: Path) -> HandIn:
    """Return the hand-in of a folder with Gradescope's file ``submission_metadata.json``."""
    try:
        found = json.decode(metadata.read_bytes(), type=_Metadata)
    except (DecodeError, OSError) as error:
        raise UserError(f"--metadata={metadata}: {error}") from error
    student = ", ".join(sorted(x.email for x in found.users))
    return HandIn(shown(student), folder, found.created_at.astimezone())


def _entries(folder: Path) -> list[Path]:
    # In the folder of a single hand-in, which is a student's, no name is a time.
    try:
        entries = [*os.scandir(folder)]
    except OSError:  # the ranking tells why
        return []
    is_several = all(_is_time(x.name) for x in entries if not x.name.startswith("."))
    found = [x for x in entries if _is_time(x.name) and x.is_dir(follow_symlinks=False)]
    return [Path(x.path) for x in found] if is_several else []


def _is_time(name: str) -> bool:
    try:
        return "T" in name and bool(datetime.fromisoformat(name))
    except ValueError:
        return False


def _time(name: str, rubric: Rubric) -> datetime | None:
    found = datetime.fromisoformat(name)
    zone = rubric.deadline.tzinfo if rubric.deadline else None
    return found if found.tzinfo else found.replace(tzinfo=zone).astimezone(zone)
