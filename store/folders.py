"""Stores of entries, which are made once, checked at every use, and made again if damaged.

An entry is the folder ``root/name``; its name depends on all that determines its content. Its file
``contents.json`` has size, SHA-256 and time of every other file. Each process checks the SHA-256 of
small files once; of large files only if the time differs, because hashing 100 MB takes long.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsaxcel.store.places import (
    WRITERS,
    CacheError,
    cache_root,
    check_own,
    check_state,
    make_folder,
    way_out,
)
from rsaxcel.store.shown import shown

__all__ = ["CacheError", "cache_root"]  #: other modules import these names from here

if TYPE_CHECKING:
    from filelock import FileLock

#: Name of the file of an entry that lists size, digest and time of all other files.
CONTENTS = "contents.json"

TOLD = "rsaxcel: "  #: prefix of messages about entries on standard error

_RESULT = "result.json"
_LEAST_FREE_BYTES = 1 << 16
_TOUCH_SECONDS = 3600
#: Longest time in nanoseconds within which two changes of a file can have the same file time.
_CLOCK_TICK_NS = 20_000_000
_SMALL_BYTES = 1 << 20
_LARGEST_CONTENTS = 1 << 24
_FORBIDDEN = {errno.EROFS, errno.EACCES, errno.EPERM}
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, *_FORBIDDEN}

#: Size, time and inode of each file, for the entries that this process has checked.
_checked: dict[Path, object] = {}

#: State and digest of each file that this process has read. Timing analysis asks for the same
#: Liberty file a hundred times; to hash it takes 4 ms.
_digests: dict[Path, tuple[tuple[int, ...], str]] = {}

#: Entries that this process has made, found or asked for, in the order of their first use.
_used: dict[Path, None] = {}


def tell(line: str) -> None:
    """Print a line about an entry of a store on standard error."""
    print(f"{TOLD}{shown(line)}", file=sys.stderr, flush=True)


def keep(
    root: Path,
    name: str,
    populate: Callable[[Path], None],
    check: Callable[[Path], object] = lambda entry: None,
) -> Path:
    """Return the folder ``root/name``; if it is missing or damaged, ``populate`` makes it first.

    The process that makes the entry holds a lock, for which others wait. If it is killed, the
    kernel releases the lock, and the next process removes the unfinished folder. ``check`` raises
    ``ValueError`` if the content is wrong although no file is damaged.
    """
    check_own(root)
    entry = root / name
    if _damage(entry, check) is None:
        return _touched(entry)
    lock = locked(root, name)
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
    """Return the folder ``root/name``; None if it is missing, or damaged and hence removed."""
    check_own(root)
    entry = root / name
    if (reason := _damage(entry, check)) is None:
        return _touched(entry)
    if os.path.lexists(entry):
        remove(root, name)
        tell(f"renewed {entry}: {reason}")
    return None


def keep_json(root: Path, name: str, make: Callable[[], Any]) -> Any:
    """Return the result kept in ``root/name``, or make it; JSON turns tuples into lists."""

    def populate(folder: Path) -> None:
        (folder / _RESULT).write_text(json.dumps(make(), indent=1) + "\n", encoding="utf-8")

    return json.loads((keep(root, name, populate) / _RESULT).read_text(encoding="utf-8"))


def find_json(root: Path, name: str) -> Any:
    """Return the result that ``keep_json`` has kept; None if there is none, or it is damaged."""
    entry = find(root, name)
    return None if entry is None else json.loads((entry / _RESULT).read_text(encoding="utf-8"))


def digests(root: Path, name: str) -> dict[str, str] | None:
    """Digests of an entry's files from ``contents.json`` (None: damaged), not checked here."""
    check_own(root)
    contents = _contents(root / name)
    if contents is None:
        return None
    _touched(root / name)
    return {file: digest for file, (_, digest, _) in contents.items()}


def is_whole(entry: Path) -> bool:
    """Whether an entry exists undamaged (damage is reported); the check counts as no use."""
    check_own(entry.parent)
    reason = _damage(entry, lambda _: None)
    if reason and os.path.lexists(entry):
        tell(f"left out {entry}: {reason}")
    return reason is None


def used_entries(root: Path) -> list[Path]:
    """Entries of a store that this process has made, found or asked for, in order of first use."""
    return [entry for entry in _used if entry.parent == root]


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, which is read again only if its state has changed."""
    with path.open("rb") as file:
        found = os.fstat(file.fileno())
        times = found.st_mtime_ns, found.st_ctime_ns
        state = (found.st_dev, found.st_ino, found.st_size, *times)
        if path in _digests and _digests[path][0] == state:
            return _digests[path][1]
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    # A later change within the same tick of the clock would leave the state as it is.
    if time.time_ns() - max(times) > _CLOCK_TICK_NS:
        _digests[path] = state, digest
    return digest


def key_of(*parts: object) -> str:
    """Return the name of an entry: a hash of ``parts``, JSON values that determine its content."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:20]


def remove(root: Path, name: str) -> None:
    """Remove an entry, as soon as no process is making it."""
    lock = locked(root, name)
    try:
        if os.path.lexists(root / name):
            discard(root / name)
    finally:
        lock.release()
    (root / f"{name}.lock").unlink(missing_ok=True)


def discard(entry: Path) -> None:
    """Remove a folder or file whose lock the caller holds, after moving it aside in one step."""
    aside = Path(tempfile.mkdtemp(prefix=f".{entry.name}.tmp-", dir=entry.parent))
    os.rename(entry, aside / entry.name)
    shutil.rmtree(aside, ignore_errors=True)


def _contents(entry: Path) -> dict[str, tuple[int, str, int]] | None:
    """Read ``contents.json``: size, digest and time of each file; None if missing or damaged."""
    try:
        state = entry.stat()
        check_state(entry, state)
        table = json.loads(_read_plain(entry / CONTENTS, state))
        contents = {}
        for file, row in table.items():
            size, digest, time_ns = (*row, 0)[:3]  # entries of earlier versions have no times
            contents[str(file)] = int(size), str(digest), int(time_ns)
        return contents
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def _read_plain(path: Path, entry: os.stat_result) -> bytes:
    """Read a file of limited size that is no link, and no pipe, which would never end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        state = os.fstat(descriptor)
        _check_part(path, state, entry)
        if not stat.S_ISREG(state.st_mode) or state.st_size > _LARGEST_CONTENTS:
            raise ValueError(f"{path} is no list of files")
        return file.read()


def _damage(entry: Path, check: Callable[[Path], object]) -> str | None:
    """Describe the damage of an entry; None if it is undamaged. Foreign files: ``CacheError``."""
    try:
        contents = _contents(entry)
        if contents is None:
            return f"{CONTENTS}: missing or damaged"
        found = _files(entry)
        for file, (size, _, _) in contents.items():
            if file not in found:
                return f"{file}: missing"
            if not stat.S_ISREG(found[file].st_mode):
                return f"{file}: not a plain file"
            if (nbytes := found[file].st_size) != size:
                return f"{file}: {'truncated' if nbytes else 'empty'}"
        if strange := sorted(found.keys() - contents.keys() - {CONTENTS}):
            return f"{strange[0]}: not of this entry"
        times = {file: (x.st_mtime_ns, x.st_ctime_ns) for file, x in found.items()}
        state = {file: (x.st_size, x.st_ino, *times[file]) for file, x in found.items()}
        if _checked.get(entry) != state:
            for file, (size, digest, time_ns) in contents.items():
                is_to_check = size <= _SMALL_BYTES or found[file].st_mtime_ns != time_ns
                if is_to_check and file_digest(entry / file) != digest:
                    return f"{file}: wrong digest"
            _checked[entry] = state
        check(entry)
    except (OSError, ValueError) as error:
        return " ".join(str(error).split())
    return None


def _files(entry: Path) -> dict[str, os.stat_result]:
    """State of each file of an entry, also of links and files of other kinds."""
    states = {path: path.lstat() for path in entry.rglob("*")}
    own = entry.stat()
    for path, state in states.items():
        _check_part(path, state, own)
    files = {path: x for path, x in states.items() if not stat.S_ISDIR(x.st_mode)}
    return {str(path.relative_to(entry)): state for path, state in files.items()}


def _check_part(path: Path, state: os.stat_result, entry: os.stat_result) -> None:
    """Check a file or folder of an entry; ``state`` and ``entry`` are the states of the two."""
    # Modes do not matter where others cannot reach the file. A link has all permissions.
    is_open = entry.st_mode & (stat.S_IXGRP | stat.S_IXOTH) and not stat.S_ISLNK(state.st_mode)
    if state.st_uid != os.geteuid() or is_open:
        check_state(path, state)


def _touched(entry: Path) -> Path:
    """Record that an entry is used; old entries are found by the time of their last use."""
    _used[entry] = None
    try:
        if time.time() - entry.stat().st_mtime > _TOUCH_SECONDS:
            os.utime(entry)
    except OSError:
        pass  # the folder is another user's, and its time cannot be set
    return entry


def locked(root: Path, name: str, waits: Callable[[], None] = lambda: None) -> FileLock:
    """Return the lock of a name, held until it is released or the process dies.

    ``waits`` is called if another process holds the lock.
    """
    from filelock import FileLock, Timeout  # slow to import, and an existing entry needs no lock

    try:
        make_folder(root)
        lock = FileLock(root / f"{name}.lock")
        try:
            lock.acquire(blocking=False)
        except Timeout:
            waits()
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
        for path in draft.rglob("*"):
            if not path.is_symlink():  # the umask may have let others write
                path.chmod(stat.S_IMODE(path.stat().st_mode) & ~WRITERS)
        _publish(draft, entry)
    except OSError as error:
        if error.errno in _UNWRITABLE or is_full(root):
            raise unwritable(root, error) from error
        raise
    except Exception as error:
        # If the disk is full, a tool can fail with any message. So look at the disk's free space.
        if is_full(root):
            raise unwritable(root, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) from error
        raise
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)


def _described(path: Path) -> tuple[int, str, int]:
    """Size, digest and modification time; 0: so recent that a later change might keep it."""
    state = path.stat()
    digest = file_digest(path)
    is_past = time.time_ns() - state.st_mtime_ns > _CLOCK_TICK_NS
    return state.st_size, digest, state.st_mtime_ns if is_past else 0


def _publish(draft: Path, entry: Path) -> None:
    try:
        os.rename(draft, entry)
    except OSError as error:
        # Another process made the same entry, which can happen because ``remove`` deletes the lock
        # file together with an old entry: then two processes can each lock a file of this name.
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


def check_writable(folder: Path) -> None:
    """Check before long work that a folder can be written, or made: else ``CacheError``."""
    check_own(folder)
    try:
        make_folder(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise unwritable(folder, error) from error


def is_full(root: Path) -> bool:
    """Whether a folder's disk has less than 64 KiB of free space."""
    return shutil.disk_usage(root).free < _LEAST_FREE_BYTES


def unwritable(root: Path, error: OSError) -> CacheError:
    """Return the error for a folder that cannot be written: reason and remedy, in one line."""
    is_known = error.errno in _FORBIDDEN or root.is_relative_to(cache_root())
    hint = f"; {way_out(root, 'run the command where you can write')}" if is_known else ""
    return CacheError(f"cannot write {root}: {error.strerror or error}{hint}")
