"""Old folders of stores and runs: found by their last use, and removed."""

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from store.folders import CONTENTS, discard

_DAY_SECONDS = 86400
_LOCK = ".lock"


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
        days = (time.time() - path.lstat().st_mtime) / _DAY_SECONDS
        if days >= older_days:
            yield Old(path, _nbytes(path), days)


def remove_old(old: Old) -> bool:
    """Remove a folder or file with its lock, unless somebody works on it just now."""
    lock_file = old.path.with_name(f"{old.path.name}{_LOCK}")
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
    left = path.name.startswith(".") and ".tmp-" in path.name
    return left or (path / CONTENTS).is_file() or path.with_name(f"{path.name}{_LOCK}").exists()


def _nbytes(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() and not path.is_symlink() else [path]
    return sum(file.lstat().st_size for file in files if not file.is_dir() or file.is_symlink())
