"""Work folders at paths that every tool of the flow accepts.

In the languages of Yosys, ABC and OpenSTA, a blank, quote or semicolon ends a path. For such paths,
runs lie in a folder of the user's cache, which a link ``work`` names.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rsaxcel.store.errors import SetupError
from rsaxcel.store.folders import key_of
from rsaxcel.store.places import cache_places, cache_root, check_own, make_folder

WORK = "work"  #: link from a folder of runs to its folder in the cache

STORE = "stages"  #: in a folder of runs: the nodes' stored results

_RUNS = "runs-"  #: prefix of the folders in the cache
_SAFE = re.compile(r"[A-Za-z0-9_./+@=~-]+")
_SPECIAL = "blanks, quotes, semicolons, umlauts and the like"


def is_safe(path: Path) -> bool:
    """Whether every tool accepts the path, with its symbolic links resolved."""
    return bool(_SAFE.fullmatch(os.path.realpath(path)))


def work_folder(root: Path) -> Path:
    """Folder of the runs and results: ``root``, or one in the cache if a tool refuses ``root``."""
    # The store in ``root`` may be a link to a path that the tools refuse.
    if is_safe(root) and is_safe(root / STORE):
        return root
    # The folder in the cache is named after the path of ``root``. If ``root`` was renamed, its link
    # still leads to the folder with the old name, and so to the results.
    return linked_folder(root) or _cache_folder(root) / f"{_RUNS}{key_of(os.path.realpath(root))}"


def linked_folder(root: Path) -> Path | None:
    """Folder in the cache to which the link in ``root`` leads; None if it leads elsewhere."""
    folder = Path(os.path.realpath(root / WORK))
    is_ours = folder.parent in map(Path.resolve, cache_places()) and folder.name.startswith(_RUNS)
    return folder if is_ours and is_safe(folder) else None


def make_work_folder(root: Path) -> None:
    """Make the folder that ``work_folder`` names, and the link to it."""
    folder = work_folder(root)
    for path in (root, folder):
        make_folder(path)
    link = root / WORK
    if folder != root:
        if link.is_symlink() and linked_folder(root) != folder:
            link.unlink()
        with suppress(FileExistsError):
            link.symlink_to(folder)


def safe_cache(for_path: Path) -> Path:
    """Folder of the cache, or one in its place if the tools do not accept its path."""
    usual = cache_root()
    return usual if is_safe(usual) else _cache_folder(for_path)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder at a path that the tools accept; ``SetupError`` if there is none."""
    usual = Path(tempfile.gettempdir())
    place = usual.resolve() if is_safe(usual) else _cache_folder(usual)
    with tempfile.TemporaryDirectory(dir=place) as name:
        yield Path(name)


def _cache_folder(for_path: Path) -> Path:
    """Writable folder in place of a refused path, which errors name: in the cache, or temporary."""
    for place in filter(is_safe, cache_places()):
        check_own(place)
        return place
    raise SetupError(
        f"{for_path}: Yosys and OpenSTA cannot take this path ({_SPECIAL}), and there is no "
        "other folder to work in; set XDG_CACHE_HOME to one"
    )
