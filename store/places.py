"""Places and owners of stores: a store that another user owns or can write is not used.

Compiled code is in the user's cache, so that a folder from somebody else has results and no code.
"""

import grp
import os
import pwd
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from rsaxcel.store.errors import SetupError

_VARIABLE = "RSAXCEL_CACHE"
_NAME = "rsaxcel"
WRITERS = stat.S_IWGRP | stat.S_IWOTH
_UNKNOWN = 65534  #: the kernel's number for users outside of a container
_ALL_USERS = ["0", "0", "4294967295"]  #: the map of users outside of containers


#: Folder of results of measurements and proofs, relative to the current folder.
MEASUREMENTS = Path("build", "measurements")


class CacheError(SetupError):
    """Raised if the folder of a store cannot be used or written; the message is one line."""


def cache_root() -> Path:
    """Folder that the variable ``RSAXCEL_CACHE`` names, or else ``rsaxcel`` in the user's cache."""
    named = os.environ.get(_VARIABLE)
    return Path(named).absolute() if named else cache_places()[0]


def cache_places() -> tuple[Path, ...]:
    """Folders for a user's files, cache first, then temporary; others cannot replace them."""
    variables = (os.environ.get(x) for x in ("XDG_CACHE_HOME", "HOME"))
    return _cache_places(os.geteuid(), Path(tempfile.gettempdir()), *variables)


@cache
def _cache_places(user: int, temporary: Path, *_: str | None) -> tuple[Path, ...]:
    from platformdirs import user_cache_path  # imported only here: most commands need one place

    places = [temporary / f"{_NAME}-{user}"]
    with suppress(RuntimeError):  # the user has no home
        places.insert(0, user_cache_path(_NAME))
    return tuple(x for x in places if _is_usable(x)) or (places[0],)


def _is_usable(place: Path) -> bool:
    try:
        make_folder(place, 0o700)
        is_safe = not any(map(_danger, place.parents))
        return is_safe and (os.access(place, os.W_OK) or place.stat().st_uid != os.geteuid())
    except OSError:
        return False


def way_out(folder: str | Path, otherwise: str) -> str:
    """Text on how to use another folder; ``otherwise`` is the way for results."""
    if Path(folder).is_relative_to(cache_root()):
        return f"{_VARIABLE} can name another folder"
    return f"results go below the current folder: {otherwise}"


def check_own(root: Path) -> None:
    """Check a store's folder, and the folders above it up to the current folder or the cache."""
    # The user root is no exception: as root, nothing is used that somebody else has made.
    folder = os.path.abspath(root)
    with suppress(OSError):  # missing, or not readable, which is reported when it is read
        check_state(folder, os.stat(folder))
    _check_above(root, folder)
    tops = [os.path.join(x, "") for x in (os.getcwd(), os.path.dirname(cache_root()))]
    while any(map((folder := os.path.dirname(folder)).startswith, tops)):
        _check_above(root, folder)


def check_state(path: str | Path, state: os.stat_result) -> None:
    """Check the owner and the mode of a file or folder; see ``check_own``."""
    if state.st_uid != os.geteuid():
        raise _refusal(path, f"it belongs to user {state.st_uid}, not to user {os.geteuid()}")
    if can_others_write(state):
        raise _refusal(path, f"other users can write it (if none did: chmod go-w {path})")


def check_code(path: Path) -> None:
    """Check compiled code that is to be loaded: nobody else may have written or replaced it."""
    check_state(path, path.stat())
    for folder in {*path.absolute().parents, *path.resolve().parents}:
        _check_above(path, folder)


def _check_above(path: Path, folder: str | Path) -> None:
    if danger := _danger(folder):
        raise _refusal(path, danger)


def _danger(folder: str | Path) -> str:
    """Text on who else could replace files in a folder; empty if nobody but root can."""
    # In a sticky folder, such as ``/tmp``, others can write, but they cannot replace anything.
    try:
        state = os.stat(folder)
        owners = {os.lstat(folder).st_uid, state.st_uid}  # who made a link can change it
    except OSError:
        return ""
    for owner in owners - _trusted(os.geteuid()):
        return f"{folder} belongs to user {owner}, who can replace it"
    if can_others_write(state) and not state.st_mode & stat.S_ISVTX:
        return f"other users can write {folder} (if none did: chmod go-w {folder})"
    return ""


@cache
def _trusted(user: int) -> set[int]:
    """Users who may own the folders above a store: its user and root."""
    users = Path("/proc/self/uid_map").read_text().split()
    return {0, user} if users == _ALL_USERS else {0, user, _UNKNOWN}


def _refusal(path: str | Path, reason: str) -> CacheError:
    another = way_out(path, "use one of your own, or a copy made by `cp -r`")
    return CacheError(f"{path} is not used: {reason}; {another}")


def can_others_write(state: os.stat_result) -> bool:
    """Whether a mode lets other users write: users of the group, or all."""
    writers = state.st_mode & WRITERS
    if writers == stat.S_IWGRP:
        return not _is_alone(os.geteuid(), state.st_gid)
    return bool(writers)


@cache
def _is_alone(user: int, group: int) -> bool:
    """Whether a user is alone in a group, as in the one that Debian makes for each user."""
    # Root's group never counts: in some containers, all users are in it.
    try:
        own, known = pwd.getpwuid(user), grp.getgrgid(group)
    except KeyError:
        return False
    is_own = group == own.pw_gid and known.gr_name == own.pw_name
    return user != 0 and is_own and set(known.gr_mem) <= {own.pw_name}


def make_folder(path: Path, mode: int = 0o755) -> None:
    """Make a folder, and those above it; others cannot write them, whatever the umask is."""
    for folder in (*reversed(path.parents), path):
        if not os.path.exists(folder):
            folder.mkdir(mode, exist_ok=True)
