"""Reads a handed-in folder, in a sandbox: its files may be of any number, size and kind."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from pathlib import Path

from sim.check.lacking import lacking
from sim.check.refused import Refused
from store.code import is_made

_LARGEST = 1 << 24
_MOST_FILES = 2000
_DEEPEST = 32


def read(folder: str) -> dict[str, object]:
    """Read all files of a folder, without build output.

    Returns
    -------
    dict
        ``files``: contents in base 64, by relative path; ``lacks``: the unfinished parts of its
        Python files, see ``sim.check.lacking``.

    Raises
    ------
    Refused
        If this is not the folder of a design.
    """
    place = Path(folder)
    if not place.is_dir():
        raise Refused("broken", "not a folder; rsaxcel new makes one")
    if not (place / "__init__.py").is_file():
        names = (x.name for x in os.scandir(place) if (Path(x.path) / "__init__.py").is_file())
        inside = min(names, default="")
        hint = f"is it the folder {inside} in it?" if inside else "rsaxcel new makes one"
        raise Refused("broken", f"no __init__.py in it; {hint}")
    files: dict[str, str] = {}
    left, python = _LARGEST, []
    for path in _files(place, _DEEPEST):
        name = str(path.relative_to(place))
        if not path.is_file() or path.is_symlink():
            raise Refused("broken", f"{name}: not a regular file; a design consists of files")
        with path.open("rb") as file:
            content = file.read(left + 1)
        left -= len(content)
        if left < 0:
            raise Refused("broken", f"more than {_LARGEST >> 20} MB; not the folder of a design")
        if len(files) == _MOST_FILES:
            raise Refused("broken", f"more than {_MOST_FILES} files; not the folder of a design")
        files[name] = base64.b64encode(content).decode()
        python.append(path)
    return {"files": files, "lacks": lacking(python)}


def _files(folder: Path, depth: int) -> Iterator[Path]:
    """Yield what lies in a folder and below it, without folders that commands generate."""
    if not depth:
        raise Refused("broken", f"folders more than {_DEEPEST} deep; not the folder of a design")
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if not is_made(entry.name):
                    yield from _files(Path(entry.path), depth - 1)
            else:
                yield Path(entry.path)
