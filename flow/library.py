"""What was read from Liberty files, kept in the store, because reading takes half a second.

The kept files have data only, so that reading one runs no code.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsaxcel.flow.code import code_of
from rsaxcel.store.folders import cache_root, file_digest, keep, key_of

if TYPE_CHECKING:  # slow to import
    import numpy as np

    from rsaxcel.flow.power.liberty import Library

_FILE = "model.msgpack"


def kept_library(path: Path) -> Library:
    """Read a Liberty file, or take it from the store; ``PowerError`` if it cannot be read."""
    import msgspec

    from rsaxcel.flow.power.liberty_reader import read_liberty

    try:
        content = file_digest(path)
    except OSError:
        return read_liberty(path)  # raises with the reason

    def populate(folder: Path) -> None:
        library = read_liberty(path)
        (folder / _FILE).write_bytes(msgspec.msgpack.encode(library, enc_hook=_plain))

    key = key_of(content, code_of(sys.modules[__name__]))
    return _loaded(keep(cache_root(), f"read_liberty-{key}", populate) / _FILE)


@lru_cache(4)  # three nodes of a flow need the same library
def _loaded(path: Path) -> Library:
    import msgspec

    from rsaxcel.flow.power.liberty import Library

    return msgspec.msgpack.decode(path.read_bytes(), type=Library, dec_hook=_array)


def _plain(array: np.ndarray) -> tuple[str, tuple[int, ...], bytes]:
    return array.dtype.str, array.shape, array.tobytes()


def _array(_: type, packed: Any) -> np.ndarray:
    import numpy as np

    kind, shape, content = packed
    return np.frombuffer(content, kind).reshape(shape)
