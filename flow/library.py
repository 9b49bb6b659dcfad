"""What was read from Liberty files, kept in the store, because reading takes half a second."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rsaxcel.flow.code import code_of
from rsaxcel.store.folders import cache_root, file_digest, keep, key_of

if TYPE_CHECKING:
    from rsaxcel.flow.power.liberty import Library

Model = TypeVar("Model")

_FILE = "model.msgpack"


def kept_library(path: Path) -> Library:
    """Read a Liberty file, or take it from the store; ``PowerError`` if it cannot be read."""
    from rsaxcel.flow.power.liberty import Library
    from rsaxcel.flow.power.liberty_reader import read_liberty

    return kept_model(path, Library, read_liberty)


def kept_model(path: Path, kind: type[Model], read: Callable[[Path], Model]) -> Model:
    """Keep in the store what ``read`` makes of a Liberty file, a dataclass ``kind``."""
    from rsaxcel.flow import packed

    try:
        content = file_digest(path)
    except OSError:
        return read(path)  # raises with the reason
    key = key_of(content, code_of(sys.modules[read.__module__]), code_of(packed))

    def populate(folder: Path) -> None:
        packed.write_packed(folder / _FILE, read(path))

    entry = keep(cache_root(), f"{read.__name__}-{key}", populate)
    return _loaded(entry / _FILE, kind)  # type: ignore[arg-type]  # mypy: a type is not hashable


@lru_cache(4)  # three nodes of a flow need the same library
def _loaded(path: Path, kind: Any) -> Any:
    from rsaxcel.flow.packed import read_packed

    return read_packed(path, kind)
