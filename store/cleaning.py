"""Find and remove old folders of stores and runs, and drafts that killed processes left behind.

A draft is the temporary folder in which a process makes an entry of a store (``store.folders``).
"""

import errno
import fcntl
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from rsaxcel.store.folders import CONTENTS, discard
from rsaxcel.store.places import check_own

_DAY_SECONDS = 86400
_LOCK = ".lock"
_MARKS = (CONTENTS, "job.json")  #: files of every entry, and of every run of the flow
_DRAFT = ".tmp-"  #: part of the name of a draft, which ``store.folders`` chooses


@dataclass(frozen=True)
class Old:
    """A folder or file that may be removed."""

    path: Path
    nbytes: int  #: size with all contents
    days: float  #: days since the last use


def find_old(root: Path, older_days: float) -> Iterator[Old]:
    """Find entries of a store, and folders of runs, unused for some days; drafts at any age."""
    # All other files stay: the folder may be shared, or a link that somebody else has made.
    check_own(root)
    if not root.is_dir():
        return
    for path in sorted(root.iterdir()):
        if path.suffix == _LOCK or not _is_entry(path):
            continue
        left = _is_draft(path) and not is_locked(_lock_of(path))
        if left or _days(path) >= older_days:
            yield describe_old(path)


def describe_old(path: Path) -> Old:
    """Determine the size of a folder or file, and the days since its last use."""
    return Old(path, _nbytes(path), _days(path))


def is_locked(path: Path) -> bool:
    """Whether a process holds a lock on a file; the lock is released when the process ends."""
    try:
        with path.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:  # locked; or another user's file, which counts as locked
        return error.errno != errno.ENOENT
    return False


def remove_old(old: Old) -> bool:
    """Remove a folder or file and its lock file; return False if a process holds the lock."""
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
    """Whether a path is an entry of a store, a draft, or a run, or has a lock file."""
    is_marked = any((path / x).is_file() for x in _MARKS)
    return _is_draft(path) or is_marked or _lock_of(path).exists()


def _is_draft(path: Path) -> bool:
    return path.name.startswith(".") and _DRAFT in path.name


def _lock_of(path: Path) -> Path:
    """Path of a folder's lock file; a draft shares the lock file of the entry that it becomes."""
    name = path.name[1:].rpartition(_DRAFT)[0] if _is_draft(path) else path.name
    return path.with_name(f"{name}{_LOCK}")


def _days(path: Path) -> float:
    return (time.time() - path.lstat().st_mtime) / _DAY_SECONDS


def _nbytes(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() and not path.is_symlink() else [path]
    return sum(file.lstat().st_size for file in files if not file.is_dir() or file.is_symlink())
