"""Handed-in folders, each with one design."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from rsaxcel.course.rank.reading import read
from rsaxcel.course.rank.sandbox import BY_BUBBLEWRAP, HANDED, Limits, check_confinement, run
from rsaxcel.sim.check.refused import Refused
from rsaxcel.store.errors import UserError
from rsaxcel.store.shown import shown

_READING_S = 60.0


@dataclass(frozen=True)
class Handed:
    """A folder with a design, or a design of the registry as the baseline."""

    label: str  # in the ranking
    folder: Path | None  # None: the design of the registry with the name `label`
    digest: str  # of all files in the folder
    problem: str = ""  # why the folder has no design; empty if it may have one
    lacks: tuple[str, ...] = ()  # unfinished parts, such as TODO marks; see sim.check.lacking
    files: Mapping[str, str] = field(default_factory=dict, repr=False)  # base 64 by relative path

    @property
    def design(self) -> dict[str, Any]:
        """Arguments with which ``course.rank.models`` loads the design."""
        return {"name": self.folder.name if self.folder else self.label, "files": dict(self.files)}


def find_handed(folders: Sequence[Path], limits: Limits) -> list[Handed]:
    """Read the folders; one without a design gets a ``problem``; one given twice is refused."""
    places = [Path(os.path.normpath(folder.absolute())) for folder in folders]
    for place, folder in zip(places, folders, strict=True):
        if places.count(place) > 1:
            raise UserError(f"{folder} is given {places.count(place)} times")
    check_confinement(limits.confinement)
    short = Limits(min(limits.seconds, _READING_S), limits.memory_gb, limits.confinement)
    return [_handed(*x, short) for x in zip(_labels(places), places, strict=True)]


def _handed(label: str, place: Path, limits: Limits) -> Handed:
    try:
        if not place.is_dir():
            return Handed(label, place, "", "not a folder; rsaxcel new makes one")
        for part in (place, *place.parents):  # it could lead to what only this user can read
            if part.is_symlink() and part.lstat().st_uid not in (0, os.geteuid()):
                return Handed(label, place, "", f"{shown(part)} is a link of another user")
    except OSError as error:
        return Handed(label, place, "", str(error.strerror))
    seen = HANDED if limits.confinement == BY_BUBBLEWRAP else place
    try:
        answer = run(read, {"folder": str(seen)}, limits, "reading it", folder=place)
        files = {str(name): str(content) for name, content in sorted(answer["files"].items())}
        contents = {name: base64.b64decode(x, validate=True) for name, x in files.items()}
        if any(not _is_inside(name) for name in files):
            raise ValueError("a file lies outside of the folder")
        lacks = tuple(map(shown, answer["lacks"]))
    except Refused as error:
        return Handed(label, place, "", error.reason)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return Handed(label, place, "", f"cannot be read: {' '.join(str(error).split())}")
    return Handed(label, place, _digest(contents), lacks=lacks, files=files)


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\0" not in name


def _labels(places: Sequence[Path]) -> list[str]:
    """Label each folder by the fewest last parts of its path that make the labels differ."""
    # Two paths may be shown alike: then their numbers follow, so that no row has another's figures.
    for depth in range(1, max(len(place.parts) for place in places) + 1):
        labels = [shown("/".join(place.parts[-depth:])) for place in places]
        if len(set(labels)) == len(labels):
            return labels
    return [f"{shown(place)} ({number})" for number, place in enumerate(places, 1)]


def _digest(contents: Mapping[str, bytes]) -> str:
    state = hashlib.sha256()
    for name, content in contents.items():
        state.update(repr((name, len(content))).encode())
        state.update(content)
    return state.hexdigest()
