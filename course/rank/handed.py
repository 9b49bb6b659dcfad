"""Handed-in folders, each with one design."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.check.lacking import lacking
from store.code import files_below
from store.errors import UserError

_LARGEST = 1 << 24


@dataclass(frozen=True)
class Handed:
    """A folder with a design, or a design of the registry as the baseline.

    Parameters
    ----------
    label
        Name in the ranking.
    folder
        The folder; None for a design of the registry, whose name is ``label``.
    digest
        Digest of all files in the folder.
    problem
        Why the folder contains no design; empty if it may contain one.
    lacks
        Unfinished parts of the design's files, such as TODO marks; see ``sim.check.lacking``.
    """

    label: str
    folder: Path | None
    digest: str
    problem: str = ""
    lacks: tuple[str, ...] = ()


def find_handed(folders: Sequence[Path]) -> list[Handed]:
    """Read the folders; a folder without a design gets a ``problem`` instead of an exception.

    Raises
    ------
    UserError
        For a folder that is given twice.
    """
    places = [Path(os.path.normpath(folder.absolute())) for folder in folders]
    for place, folder in zip(places, folders, strict=True):
        if places.count(place) > 1:
            raise UserError(f"{folder} is given {places.count(place)} times")
    return [_handed(*x) for x in zip(_labels(places), places, strict=True)]


def _handed(label: str, place: Path) -> Handed:
    if not place.is_dir():
        return Handed(label, place, "", "not a folder; rsaxcel new makes one")
    if not (place / "__init__.py").is_file():
        inside = sorted(x.parent.name for x in place.glob("*/__init__.py"))
        hint = f"is it {place.name}/{inside[0]}?" if inside else "rsaxcel new makes one"
        return Handed(label, place, "", f"no __init__.py in it; {hint}")
    try:
        return Handed(label, place, digest(place), lacks=tuple(lacking(files_below(place))))
    except (UserError, OSError) as error:
        return Handed(label, place, "", " ".join(str(error).split()))


def _labels(places: Sequence[Path]) -> list[str]:
    """Label each folder by the last parts of its path: the fewest that make the labels differ."""
    for depth in range(1, max(len(place.parts) for place in places) + 1):
        labels = ["/".join(place.parts[-depth:]) for place in places]
        if len(set(labels)) == len(labels):
            return labels
    return list(map(str, places))


def digest(folder: Path) -> str:
    """Digest of the names and contents of all files in a folder, without build output.

    Raises
    ------
    UserError
        If the files are too large for a design, or one of them is a link or not a regular file.
    """
    state, size = hashlib.sha256(), 0
    for path in files_below(folder):
        if path.is_symlink() or not path.is_file():
            raise UserError(f"{path}: not a regular file; a design consists of files")
        content = path.read_bytes()
        size += len(content)
        if size > _LARGEST:
            raise UserError(f"{folder}: more than {_LARGEST >> 20} MB; not the folder of a design")
        state.update(repr((str(path.relative_to(folder)), len(content))).encode())
        state.update(content)
    return state.hexdigest()
