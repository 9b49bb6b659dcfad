"""Parcels: entries of stores (``store.folders``) as bytes, for transport to another machine."""

import io
import shutil
import tarfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from rsaxcel.store.folders import CONTENTS, keep

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
