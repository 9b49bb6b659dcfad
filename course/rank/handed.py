"""What is handed in: folders with a design each."""

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
    """A folder of a design, or a design of the registry to compare with.

    Parameters
    ----------
    label
        Name in the ranking.
    folder
        The folder; None for a design of the registry, which ``label`` names.
    digest
        Of all files in it.
    problem
        Why it is no folder of a design; empty for one that may be.
    lacks
        What its files lack for a reader, a line each.
    """

    label: str
    folder: Path | None
    digest: str
    problem: str = ""
    lacks: tuple[str, ...] = ()


def find_handed(folders: Sequence[Path]) -> list[Handed]:
    """Look at folders; what is no folder of a design has a ``problem``, and stops no other.

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
        return Handed(label, place, "", "no folder; rsaxcel new makes one")
    if not (place / "__init__.py").is_file():
        inside = sorted(x.parent.name for x in place.glob("*/__init__.py"))
        hint = f"is it {place.name}/{inside[0]}?" if inside else "rsaxcel new makes one"
        return Handed(label, place, "", f"no __init__.py in it; {hint}")
    try:
        return Handed(label, place, digest(place), lacks=tuple(lacking(files_below(place))))
    except (UserError, OSError) as error:
        return Handed(label, place, "", " ".join(str(error).split()))


def _labels(places: Sequence[Path]) -> list[str]:
    """Name each by as many folders of its path as tell all of them apart."""
    for depth in range(1, max(len(place.parts) for place in places) + 1):
        labels = ["/".join(place.parts[-depth:]) for place in places]
        if len(set(labels)) == len(labels):
            return labels
    return list(map(str, places))


def digest(folder: Path) -> str:
    """Digest of all files in a folder, with their names; of build output, nothing.

    Raises
    ------
    UserError
        If they are too large to be a design, or one is a link or no file at all.
    """
    state, size = hashlib.sha256(), 0
    for path in files_below(folder):
        if path.is_symlink() or not path.is_file():
            raise UserError(f"{path}: no file; a design is made of files")
        content = path.read_bytes()
        size += len(content)
        if size > _LARGEST:
            raise UserError(f"{folder}: more than {_LARGEST >> 20} MB; it is no folder of a design")
        state.update(repr((str(path.relative_to(folder)), len(content))).encode())
        state.update(content)
    return state.hexdigest()
