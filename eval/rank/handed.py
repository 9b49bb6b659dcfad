"""What is handed in: folders with a design each, and what became of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.errors import UserError

_LARGEST = 1 << 24
_LEFT_OUT = ("__pycache__", ".git")


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
    """

    label: str
    folder: Path | None
    digest: str


class Refused(Exception):  # noqa: N818
    """Why a design is not ranked.

    Parameters
    ----------
    kind
        A key of ``KINDS``.
    reason
        One line.
    replay
        Command that shows it.
    """

    def __init__(self, kind: str, reason: str, replay: str = "") -> None:
        super().__init__(kind, reason, replay)
        self.kind, self.reason, self.replay = kind, reason, replay

    def __str__(self) -> str:
        """Give the reason."""
        return self.reason


KINDS = {
    "wrong": "a result is wrong",
    "state": "an answer depends on what came before",
    "cycles": "the cycle model is wrong",
    "model": "the golden model is wrong",
    "workload": "it knows the workload",
    "touches": "it touches what is not its own",
    "verilog": "its Verilog is no circuit of this kind",
    "limits": "it takes too long or too much memory",
    "broken": "it can't be built",
    "flow": "the flow refuses it",
}
"""Why a design is not ranked, for people."""


def find_handed(folders: Sequence[Path]) -> list[Handed]:
    """Look at folders.

    Raises
    ------
    UserError
        For what is no folder of a design, too large, or given twice.
    """
    places = [folder.absolute() for folder in folders]
    for place, folder in zip(places, folders, strict=True):
        if not (place / "__init__.py").is_file():
            raise UserError(f"{folder}: no folder with an __init__.py; rsaxcel new makes one")
        if places.count(place) > 1:
            raise UserError(f"{folder} is given {places.count(place)} times")
    labels = _labels(places)
    return [Handed(x, place, digest(place)) for x, place in zip(labels, places, strict=True)]


def _labels(places: Sequence[Path]) -> list[str]:
    """Name each by as many folders of its path as tell all of them apart."""
    for depth in range(1, max(len(place.parts) for place in places) + 1):
        labels = ["/".join(place.parts[-depth:]) for place in places]
        if len(set(labels)) == len(labels):
            return labels
    return list(map(str, places))


def digest(folder: Path) -> str:
    """Digest of all files in a folder, with their names.

    Raises
    ------
    UserError
        If they are too large to be a design, or one is a link or no file at all.
    """
    state, size = hashlib.sha256(), 0
    for path in files(folder):
        if path.is_symlink() or not path.is_file():
            raise UserError(f"{path}: no file; a design is made of files")
        content = path.read_bytes()
        size += len(content)
        if size > _LARGEST:
            raise UserError(f"{folder}: more than {_LARGEST >> 20} MB; it is no folder of a design")
        state.update(repr((str(path.relative_to(folder)), len(content))).encode())
        state.update(content)
    return state.hexdigest()


def files(folder: Path) -> list[Path]:
    """Files of a folder that matter, in their order."""
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        links = [name for name in folders if Path(parent, name).is_symlink()]
        found += [Path(parent, name) for name in (*names, *links)]
    return sorted(found)
