"""Folders and results that are made once, checked whenever they are read, and renewed if damaged.

An entry is the folder ``root/name``. Its name says all that decides the content, so that an entry
never changes. The file ``contents.json`` in it has size, SHA-256 and time of every other file. What
is in a file is read again only where its time is another: a command looks at a hundred megabytes.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from filelock import FileLock

CONTENTS = "contents.json"
"""File of an entry with size, digest and time of the others."""

TOLD = "rsaxcel: "
"""Begins what is said about an entry on standard error."""

_RESULT = "result.json"
_LEAST_FREE_BYTES = 1 << 16
_TOUCH_SECONDS = 3600
_CLOCK_TICK_NS = 20_000_000
"""More than the file system's clock takes to go on."""
_FORBIDDEN = {errno.EROFS, errno.EACCES, errno.EPERM}
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, *_FORBIDDEN}

_checked: dict[Path, object] = {}
"""Sizes and times of the files of entries that this process has checked."""

_used: dict[Path, None] = {}
"""Entries that this process has made, found or asked for, in their order."""


class CacheError(Exception):
    """A store cannot be written; the message is one line."""


def cache_root() -> Path:
    """Folder named by the environment variable ``RSAXCEL_CACHE``, else ``build/native``."""
    return Path(os.environ.get("RSAXCEL_CACHE") or Path("build", "native")).absolute()


def tell(line: str) -> None:
    """Say on standard error what happened to an entry."""
    print(f"{TOLD}{line}", file=sys.stderr, flush=True)


def keep(
    root: Path,
    name: str,
    populate: Callable[[Path], None],
    check: Callable[[Path], object] = lambda entry: None,
) -> Path:
    """Return the folder ``root/name``, made by ``populate`` unless it is there and whole.

    The folder appears complete or not at all: ``populate`` fills a temporary folder, which is
    renamed at the end. One process makes it while others wait. The lock is the kernel's, so it ends
    with the process that holds it; what a killed process left behind is removed by the next one. A
    damaged entry is removed, made again, and told in one line.

    Parameters
    ----------
    root
        Folder of the store, made where missing.
    name
        Names the contents: everything that decides them must have entered it.
    populate
        Fills the folder that it is given.
    check
        Raises ``ValueError`` for an entry that is as it was written, but not as it should be.

    Raises
    ------
    CacheError
        If the store cannot be written.
    """
    entry = root / name
    if _damage(entry, check) is None:
        return _touched(entry)
    lock = _locked(root, name)
    try:
        if (reason := _damage(entry, check)) is None:
            return entry
        if os.path.lexists(entry):
            discard(entry)
            tell(f"renewed {entry}: {reason}")
        _make(entry, populate)
    finally:
        lock.release()
    return _touched(entry)


def find(
    root: Path, name: str, check: Callable[[Path], object] = lambda entry: None
) -> Path | None:
    """Return the folder ``root/name`` if it is there and whole; remove what is damaged.

    Parameters
    ----------
    root, name, check
        See ``keep``.

    Raises
    ------
    CacheError
        If what is damaged cannot be removed.
    """
    entry = root / name
    if (reason := _damage(entry, check)) is None:
        return _touched(entry)
    if os.path.lexists(entry):
        remove(root, name)
        tell(f"renewed {entry}: {reason}")
    return None


def keep_json(root: Path, name: str, make: Callable[[], Any]) -> Any:
    """Return what ``make`` returns, as JSON gives it back: from ``root/name`` if it ran before.

    Raises
    ------
    CacheError
        If the store cannot be written.
    """

    def populate(folder: Path) -> None:
        (folder / _RESULT).write_text(json.dumps(make(), indent=1) + "\n", encoding="utf-8")

    return json.loads((keep(root, name, populate) / _RESULT).read_text(encoding="utf-8"))


def find_json(root: Path, name: str) -> Any:
    """Return what ``keep_json`` has kept; None if there is nothing whole.

    Raises
    ------
    CacheError
        If what is damaged cannot be removed.
    """
    entry = find(root, name)
    return None if entry is None else json.loads((entry / _RESULT).read_text(encoding="utf-8"))


def digests(root: Path, name: str) -> dict[str, str] | None:
    """Digests of an entry's files as they were written, or None if there is no such entry.

    The files themselves are not looked at: ``keep`` does that when they are used.
    """
    contents = _contents(root / name)
    if contents is None:
        return None
    _touched(root / name)
    return {file: digest for file, (_, digest, _) in contents.items()}


def is_whole(entry: Path) -> bool:
    """Whether an entry is as it was written; reading it so is no use of it, and removes nothing."""
    return _damage(entry, lambda _: None) is None


def used_entries(root: Path) -> list[Path]:
    """Entries of a store that this process has made, found or asked for, in their order."""
    return [entry for entry in _used if entry.parent == root]


def file_digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def key_of(*parts: object) -> str:
    """Hash of what decides an entry, for its name; parts that JSON can tell apart."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:20]


def remove(root: Path, name: str) -> None:
    """Remove an entry, once nobody makes it."""
    lock = _locked(root, name)
    try:
        if os.path.lexists(root / name):
            discard(root / name)
    finally:
        lock.release()
    (root / f"{name}.lock").unlink(missing_ok=True)


def discard(entry: Path) -> None:
    """Remove a folder or file so that it is never seen in part; the caller holds its lock."""
    aside = Path(tempfile.mkdtemp(prefix=f".{entry.name}.tmp-", dir=entry.parent))
    os.rename(entry, aside / entry.name)
    shutil.rmtree(aside, ignore_errors=True)


def _contents(entry: Path) -> dict[str, tuple[int, str, int]] | None:
    """Size, digest and time of an entry's files; None where they are missing or no such table."""
    try:
        table = json.loads((entry / CONTENTS).read_text(encoding="utf-8"))
        contents = {}
        for file, row in table.items():
            size, digest, time_ns = (*row, 0)[:3]  # entries of earlier versions have no times
            contents[str(file)] = int(size), str(digest), int(time_ns)
        return contents
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _damage(entry: Path, check: Callable[[Path], object]) -> str | None:
    """Say what is wrong with an entry, None for nothing."""
    try:
        contents = _contents(entry)
        if contents is None:
            return f"{CONTENTS}: missing or damaged"
        found = {
            str(path.relative_to(entry)): path.stat() for path in entry.rglob("*") if path.is_file()
        }
        for file, (size, _, _) in contents.items():
            if file not in found:
                return f"{file}: missing"
            if (nbytes := found[file].st_size) != size:
                return f"{file}: {'truncated' if nbytes else 'empty'}"
        if strange := sorted(found.keys() - contents.keys() - {CONTENTS}):
            return f"{strange[0]}: not of this entry"
        state = {file: (x.st_size, x.st_mtime_ns, x.st_ino) for file, x in found.items()}
        if _checked.get(entry) != state:
            for file, (_, digest, time_ns) in contents.items():
                if found[file].st_mtime_ns != time_ns and file_digest(entry / file) != digest:
                    return f"{file}: wrong digest"
            _checked[entry] = state
        check(entry)
    except (OSError, ValueError) as error:
        return " ".join(str(error).split())
    return None


def _touched(entry: Path) -> Path:
    """Note that an entry is used: by its age, old ones are found."""
    _used[entry] = None
    try:
        if time.time() - entry.stat().st_mtime > _TOUCH_SECONDS:
            os.utime(entry)
    except OSError:
        pass  # somebody else's folder
    return entry


def _locked(root: Path, name: str) -> FileLock:
    from filelock import FileLock  # takes a while; what is there needs no lock

    try:
        root.mkdir(parents=True, exist_ok=True)
        lock = FileLock(root / f"{name}.lock")
        lock.acquire()
    except OSError as error:
        raise unwritable(root, error) from error
    return lock


def _make(entry: Path, populate: Callable[[Path], None]) -> None:
    root, prefix = entry.parent, f".{entry.name}.tmp-"
    for left in root.glob(f"{prefix}*"):
        shutil.rmtree(left, ignore_errors=True)
    draft = None
    try:
        draft = Path(tempfile.mkdtemp(prefix=prefix, dir=root))
        populate(draft)
        table = {
            str(path.relative_to(draft)): _described(path)
            for path in sorted(draft.rglob("*"))
            if path.is_file()
        }
        (draft / CONTENTS).write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        _publish(draft, entry)
    except OSError as error:
        if error.errno in _UNWRITABLE or is_full(root):
            raise unwritable(root, error) from error
        raise
    except Exception as error:
        # A tool that could not write says so in its own words, or none.
        if is_full(root):
            raise unwritable(root, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) from error
        raise
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)


def _described(path: Path) -> tuple[int, str, int]:
    """Size, digest and time of a file; 0 for a time from which a later one could not be told."""
    state = path.stat()
    digest = file_digest(path)
    is_past = time.time_ns() - state.st_mtime_ns > _CLOCK_TICK_NS
    return state.st_size, digest, state.st_mtime_ns if is_past else 0


def _publish(draft: Path, entry: Path) -> None:
    try:
        os.rename(draft, entry)
    except OSError as error:
        # Somebody whose lock was removed with an old entry made the same.
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


def check_writable(folder: Path) -> None:
    """Make a folder where missing, and write to it: before hours of work rather than behind them.

    Raises
    ------
    CacheError
        If that is not possible.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise unwritable(folder, error) from error


def is_full(root: Path) -> bool:
    """Whether nothing more can be written to a folder's disk."""
    return shutil.disk_usage(root).free < _LEAST_FREE_BYTES


def unwritable(root: Path, error: OSError) -> CacheError:
    """Say in a line that a folder cannot be written, why, and what the user can do."""
    hint = ""
    if root.is_relative_to(cache_root()):
        hint = "; RSAXCEL_CACHE can name another folder"
    elif error.errno in _FORBIDDEN:
        hint = "; results are kept below the current folder: run the command in one of your own"
    return CacheError(f"cannot write {root}: {error.strerror or error}{hint}")
