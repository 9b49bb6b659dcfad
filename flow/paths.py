"""Work folders at paths that every tool of the flow accepts.

In the languages of Yosys, ABC and OpenSTA, a blank, quote or semicolon ends a path. For such paths,
runs lie in a folder of the user's cache, which a link ``work`` names; kits get a copy.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from rsaxcel.flow.kit import find_kit, kit_folder
from rsaxcel.flow.kit_check import check_kit
from rsaxcel.store.errors import SetupError
from rsaxcel.store.folders import keep, key_of
from rsaxcel.store.installing import install_command
from rsaxcel.store.places import cache_places, check_own, make_folder

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


@cache
def plain_kit(library: str) -> Path:
    """Folder with a checked kit's files at a path that the tools accept: the kit's own, or a copy.

    ``SetupError`` if the kit has no folder, or its cells lie outside it at a refused path.
    """
    kit = find_kit(library)
    folder = kit.settings.parent
    if is_safe(kit.liberty) and is_safe(folder):
        check_kit(kit)
        return folder
    if not kit.liberty.is_relative_to(kit_folder(library).resolve()):
        package = kit.rules.package
        how = f"install {library} elsewhere with: {install_command([package])}" if package else ""
        raise SetupError(
            f"{kit.liberty}: Yosys and OpenSTA cannot take this path ({_SPECIAL}); "
            + (how or f"move the file, and set ADK_LIBERTY in {kit.settings}")
        )

    check_kit(kit)

    def copy(draft: Path) -> None:
        for path in (kit.settings, kit.liberty, *kit.layout.lef):
            # The settings may name files in a folder of the settings' folder, or elsewhere.
            inside = path.is_relative_to(folder)
            target = draft / (path.relative_to(folder) if inside else path.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)

    return keep(_cache_folder(folder), f"kit-{library}-{kit.layout_digest}", copy)


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
