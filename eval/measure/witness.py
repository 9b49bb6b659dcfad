"""Witness of a command: a file by which workers know whether they share the command's folder.

The lock on the file tells whether the command still runs.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import gethostname
from uuid import uuid4

from rsaxcel.store.cleaning import is_locked
from rsaxcel.store.places import make_folder

_PREFIX = "here-"
#: Age of a witness file, in s, from which its command counts as dead. A running command touches its
#: file every few seconds.
_LEFT_S = 3600


@contextmanager
def witness(folder: Path) -> Iterator[Path]:
    """Make a witness, and remove it at the end; also remove witnesses of killed commands."""
    make_folder(folder)
    for left in left_witnesses(folder):
        left.unlink(missing_ok=True)
    path = folder / f"{_PREFIX}{uuid4().hex}"
    with path.open("w") as file:
        with suppress(OSError):  # the file system has no locks
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(gethostname())
            file.flush()
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)


def left_witnesses(folder: Path) -> list[Path]:
    """List the witnesses of commands that have ended."""
    return [
        path for path in sorted(folder.glob(f"{_PREFIX}*")) if path.is_file() and _is_left(path)
    ]


def _is_left(path: Path) -> bool:
    try:
        if path.read_text() == gethostname():
            return not is_locked(path)
        # A command on another machine: its lock may be invisible here, so the file's age decides.
        return time.time() - path.stat().st_mtime > _LEFT_S
    except OSError:
        return False
