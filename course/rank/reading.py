"""Reads a handed-in folder, in a sandbox: its files may be of any number, size and kind."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from pathlib import Path

from rsaxcel.sim.check.lacking import lacking
from rsaxcel.sim.check.refused import Refused
from rsaxcel.store.code import is_made

_LARGEST = 1 << 24
_MOST_FILES = 2000
_DEEPEST = 32
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def read(folder: str) -> dict[str, object]:
    """Read a folder: ``files`` in base 64 by relative path, and what its Python files ``lack``."""
    place = Path(folder)
    if not place.is_dir():
        raise Refused("broken", "not a folder; rsaxcel new makes one")
    if not (place / "__init__.py").is_file():
        names = (x.name for x in os.scandir(place) if (Path(x.path) / "__init__.py").is_file())
        inside = min(names, default="")
        hint = f"is it the folder {inside} in it?" if inside else "rsaxcel new makes one"
        raise Refused("broken", f"no __init__.py in it; {hint}")
    files: dict[str, str] = {}
    left, texts = _LARGEST, []
    for name, descriptor in _files(os.open(place, os.O_RDONLY | os.O_DIRECTORY), "", _DEEPEST):
        with open(descriptor, "rb") as file:
            content = file.read(left + 1)
        left -= len(content)
        if left < 0:
            raise Refused("broken", f"more than {_LARGEST >> 20} MB; not the folder of a design")
        if len(files) == _MOST_FILES:
            raise Refused("broken", f"more than {_MOST_FILES} files; not the folder of a design")
        files[name] = base64.b64encode(content).decode()
        texts.append((os.path.basename(name), content.decode(errors="replace")))
    return {"files": files, "lacks": lacking(texts)}


def _files(folder: int, above: str, depth: int) -> Iterator[tuple[str, int]]:
    """Yield and open the files in an open folder, without folders that commands generate."""
    # The folder may change meanwhile: what is listed is opened where it stands, never as a link.
    if not depth:
        raise Refused("broken", f"folders more than {_DEEPEST} deep; not the folder of a design")
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{above}{entry.name}"
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not entry.is_file(follow_symlinks=False):
                raise Refused("broken", f"{name}: not a regular file; a design consists of files")
            if is_folder and is_made(entry.name):
                continue
            descriptor = os.open(entry.name, _OPEN, dir_fd=folder)
            if is_folder:
                yield from _files(descriptor, f"{name}/", depth - 1)
            else:
                yield name, descriptor
    os.close(folder)
