"""Old folders of stores and runs, found by their last use, and what killed processes have left."""

import errno
import fcntl
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from store.folders import CONTENTS, discard

_DAY_SECONDS = 86400
_LOCK = ".lock"
_DRAFT = ".tmp-"  # see ``store.folders``


@dataclass(frozen=True)
class Old:
    """A folder or file that was not used for some time.

    Parameters
    ----------
    path
        Where it is.
    nbytes
        Size in bytes, of all that is in it.
    days
        Days since its last use.
    """

    path: Path
    nbytes: int
    days: float


def find_old(root: Path, older_days: float, *, shared: bool = False) -> Iterator[Old]:
    """Find what is below a folder of a store or of runs and was not used for so many days.

    A draft that nobody works on any more, because its process was killed, is found at once.

    Parameters
    ----------
    root
        The folder; there may be none.
    older_days
        Days since the last use.
    shared
        The folder may have things of others, so that only entries of a store are found.
    """
    if not root.is_dir():
        return
    for path in sorted(root.iterdir()):
        if path.suffix == _LOCK or (shared and not _is_entry(path)):
            continue
        left = _is_draft(path) and not is_locked(_lock_of(path))
        if left or _days(path) >= older_days:
            yield describe_old(path)


def describe_old(path: Path) -> Old:
    """Give a folder or file with its size and its age."""
    return Old(path, _nbytes(path), _days(path))


def is_locked(path: Path) -> bool:
    """Tell whether a process holds the lock of a file; the kernel releases those of the dead."""
    try:
        with path.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:  # or somebody else's, of whom nothing is known
        return error.errno != errno.ENOENT
    return False


def remove_old(old: Old) -> bool:
    """Remove a folder or file with its lock, unless somebody works on it just now."""
    lock_file = _lock_of(old.path)
    lock = FileLock(lock_file, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return False
    try:
        if old.path.name.startswith("."):
            shutil.rmtree(old.path, ignore_errors=True)
        else:
            discard(old.path)
    finally:
        lock.release()
        lock_file.unlink(missing_ok=True)
    return True


def _is_entry(path: Path) -> bool:
    """Tell an entry of a store, or what a killed process left of one."""
    return _is_draft(path) or (path / CONTENTS).is_file() or _lock_of(path).exists()


def _is_draft(path: Path) -> bool:
    return path.name.startswith(".") and _DRAFT in path.name


def _lock_of(path: Path) -> Path:
    """Lock of a folder, or of the one that a draft becomes."""
    name = path.name[1:].rpartition(_DRAFT)[0] if _is_draft(path) else path.name
    return path.with_name(f"{name}{_LOCK}")


def _days(path: Path) -> float:
    return (time.time() - path.lstat().st_mtime) / _DAY_SECONDS


def _nbytes(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() and not path.is_symlink() else [path]
    return sum(file.lstat().st_size for file in files if not file.is_dir() or file.is_symlink())
