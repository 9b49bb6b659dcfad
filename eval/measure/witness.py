"""The witness of a command: a file in the current folder, which its workers may see or not.

A worker that sees it keeps its results in the same folder; any other one sends them. Its lock tells
whether the command still runs.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import gethostname
from uuid import uuid4

from store.cleaning import is_locked

_PREFIX = "here-"
_LEFT_S = 3600  # for which nobody has touched it; a command does so every few seconds


@contextmanager
def witness(folder: Path) -> Iterator[Path]:
    """Give a witness, and remove those of commands that were killed.

    Parameters
    ----------
    folder : Path
        Where it is; made where missing.
    """
    folder.mkdir(exist_ok=True)
    for left in left_witnesses(folder):
        left.unlink(missing_ok=True)
    path = folder / f"{_PREFIX}{uuid4().hex}"
    with path.open("w") as file:
        with suppress(OSError):  # of a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(gethostname())
            file.flush()
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)


def left_witnesses(folder: Path) -> list[Path]:
    """Give the witnesses of commands that have ended."""
    return [path for path in sorted(folder.glob(f"{_PREFIX}*")) if _is_left(path)]


def _is_left(path: Path) -> bool:
    try:
        if path.read_text() == gethostname():
            return not is_locked(path)
        # That of another machine, whose locks may not be seen here.
        return time.time() - path.stat().st_mtime > _LEFT_S
    except OSError:
        return False
