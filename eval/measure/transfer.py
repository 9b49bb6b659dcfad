"""Sends results, and designs of other packages, between machines without a shared folder.

A worker packs the entries of stores (``store.folders``) that a job used or made into a parcel.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tarfile
import zlib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from rsaxcel.catalog.registry import VARIABLE, named_places
from rsaxcel.flow.layout import usual_timer
from rsaxcel.flow.paths import STORE, work_folder
from rsaxcel.flow.tools import find_timer
from rsaxcel.flow.yosys import yosys_version
from rsaxcel.store.code import code_digest
from rsaxcel.store.errors import SetupError, UserError
from rsaxcel.store.folders import CONTENTS, cache_root, keep, used_entries
from rsaxcel.store.packages import MODULES, up_to
from rsaxcel.store.places import MEASUREMENTS

_LEVEL = 1  # the lowest level of compression is enough: it shrinks netlists to a tenth


def pack(paths: Mapping[str, Path]) -> bytes:
    """Pack files and folders, each under a name; equal contents and times give equal bytes."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as parcel:
        for name, path in paths.items():
            parcel.add(path, name, filter=_without_caches)
    return zlib.compress(content.getvalue(), _LEVEL)


def unpack(content: bytes, folder: Path) -> None:
    """Unpack a parcel; ``ValueError`` for a special file or a path outside the folder."""
    try:
        with tarfile.open(fileobj=io.BytesIO(zlib.decompress(content))) as parcel:
            for info in (found := parcel.getmembers()):
                parts = PurePosixPath(info.name).parts
                if not (info.isfile() or info.isdir()) or {"/", ".."} & set(parts):
                    raise ValueError(f"no parcel: {info.name} in it")
            parcel.extractall(folder, found)
    except (tarfile.TarError, zlib.error) as error:
        raise ValueError(f"no parcel: {error}") from error


def adopt(folder: Path, roots: Mapping[str, Path]) -> None:
    """Add unpacked entries ``NAME/ENTRY`` to the stores (``roots`` by NAME) that lack them."""
    for name, root in roots.items():
        for entry in sorted((folder / name).glob("*")):
            keep(root, entry.name, lambda draft, entry=entry: _move(entry, draft))  # type: ignore[misc]


def label(name: str, entry: Path) -> str:
    """Path of an entry within a parcel, as ``adopt`` expects it: ``NAME/ENTRY``."""
    return str(PurePosixPath(name, entry.name))


def size_of(paths: Iterable[Path]) -> int:
    """Size in bytes of all files at and below some paths."""
    files = [x for path in paths for x in ([path] if path.is_file() else path.rglob("*"))]
    return sum(x.stat().st_size for x in files if x.is_file() and "__pycache__" not in x.parts)


def _move(entry: Path, draft: Path) -> None:
    for path in entry.iterdir():
        if path.name != CONTENTS:
            shutil.move(path, draft / path.name)


def _without_caches(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if "__pycache__" in PurePosixPath(info.name).parts else info


_FLOWS = ("flow", "fpga")
_BUILD = Path("build")
PACKAGES = up_to("eval")  #: packages whose code must be the same on a worker

_TREE = Path(__file__).parents[2]
_MOST_BYTES = 10_000_000  #: largest size of the designs of other packages


def pack_used() -> bytes:
    """Pack the store entries that this process has made, found or requested into a parcel."""
    stores = _stores().items()
    return pack({label(name, x): x for name, root in stores for x in used_entries(root)})


def keep_parcel(parcel: bytes) -> None:
    """Keep the results in a parcel in the stores of the current folder."""
    with TemporaryDirectory() as folder:
        unpack(parcel, Path(folder))
        adopt(Path(folder), _stores())


def _stores() -> dict[str, Path]:
    """Folders of the stores of results, by name."""
    flows = {name: work_folder((_BUILD / name).absolute()) / STORE for name in _FLOWS}
    return {**flows, MEASUREMENTS.name: MEASUREMENTS.absolute()}


def fingerprint() -> dict[str, str]:
    """Versions of code and tools, by name, on which the keys of results depend."""
    timer = find_timer(usual_timer())
    tools = {"Yosys": yosys_version, timer.name: timer.version}
    found = {
        "rsaxcel's code": code_digest(_TREE / name for name in (*PACKAGES, *MODULES))[:12],
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }
    for name, version in tools.items():
        try:
            found[name] = version()
        except SetupError:
            found[name] = "missing"
    return found


def pack_designs() -> bytes:
    """Pack the designs that the environment names; refuse designs too large to be sent."""
    paths = [Path(x).absolute() for _, x in named_places()]
    if size_of(paths) > _MOST_BYTES:
        raise UserError(
            f"{VARIABLE}: its folders have more than {_MOST_BYTES // 1_000_000} MB, which is too "
            "much to send to a cluster; name folders that have nothing but designs"
        )
    return pack({f"{number}/{x.name}": x for number, x in enumerate(paths)}) if paths else b""


def unpack_designs(parcel: bytes) -> Mapping[str, str]:
    """Unpack designs from a parcel; return the environment variables by which Python finds them."""
    if not parcel:
        return {}
    name = f"designs-{sha256(parcel).hexdigest()[:20]}"
    folder = keep(cache_root(), name, lambda draft: unpack(parcel, draft))
    paths = sorted(folder.glob("[0-9]*/*"), key=lambda x: int(x.parent.name))
    # Python must not write bytecode files beside the designs: they would change the folder, which
    # is an entry of a store.
    return {VARIABLE: os.pathsep.join(map(str, paths)), "PYTHONDONTWRITEBYTECODE": "1"}
