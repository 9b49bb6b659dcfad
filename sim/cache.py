"""Content-addressed store of build products, shared by threads and processes."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock


class CacheError(Exception):
    """The store cannot be written; the message is one line."""


def cache_root() -> Path:
    """Folder named by the environment variable ``RSAXCEL_CACHE``, else ``build/native``."""
    return Path(os.environ.get("RSAXCEL_CACHE") or Path("build", "native")).absolute()


def publish(root: Path, name: str, populate: Callable[[Path], None]) -> Path:
    """Return the folder ``root/name``, made by ``populate`` unless it exists.

    The folder appears complete or not at all: ``populate`` fills a temporary folder, which is
    renamed at the end. One process makes it while others wait. The lock is the kernel's, so it ends
    with the process that holds it; what a killed process left behind is removed by the next one.

    Parameters
    ----------
    root
        Folder of the store, made where missing.
    name
        Names the contents: everything that decides them must have entered it.
    populate
        Fills the folder that it is given.

    Raises
    ------
    CacheError
        If the store cannot be written.
    """
    entry = root / name
    if entry.is_dir():
        return entry
    try:
        root.mkdir(parents=True, exist_ok=True)
        lock = FileLock(root / f"{name}.lock")
        lock.acquire()
    except OSError as error:
        raise CacheError(
            f"cannot write {root}: {error.strerror or error}; RSAXCEL_CACHE can name another folder"
        ) from error
    try:
        if entry.is_dir():
            return entry
        prefix = f".{name}.tmp-"
        for left in root.glob(f"{prefix}*"):
            shutil.rmtree(left, ignore_errors=True)
        draft = Path(tempfile.mkdtemp(prefix=prefix, dir=root))
        try:
            populate(draft)
            os.rename(draft, entry)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    finally:
        lock.release()
    return entry
