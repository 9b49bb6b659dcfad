"""Libraries read from Liberty files, kept in the store, because reading takes half a second.

The kept files have data only, so that reading one runs no code.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rsaxcel.flow.code import code_of
from rsaxcel.store.folders import cache_root, file_digest, keep, key_of

if TYPE_CHECKING:  # slow to import
    import numpy as np

    from rsaxcel.flow.power.liberty import Library

_FILE = "model.msgpack"


def kept_library(path: Path) -> Library:
    """Read a Liberty file, or take it from the store; ``PowerError`` if it cannot be read."""
    from rsaxcel.flow.power.liberty_reader import read_liberty

    try:
        content = file_digest(path)
    except OSError:
        return read_liberty(path)  # an unreadable file: raises with the reason

    def populate(folder: Path) -> None:
        library = read_liberty(path)
        (folder / _FILE).write_bytes(_packed(library))

    key = key_of(content, code_of(sys.modules[__name__]))
    return _loaded(keep(cache_root(), f"read_liberty-{key}", populate) / _FILE)


@lru_cache(4)  # three nodes of a flow need the same library
def _loaded(path: Path) -> Library:
    return _unpacked(path.read_bytes())


def _packed(library: Library) -> bytes:
    # Many tables have the same axes: each array is written and made once, and tables hold numbers
    # of arrays, because making every array anew takes longer than all else.
    import msgspec

    numbers: dict[tuple[str, tuple[int, ...], bytes], int] = {}

    def number(array: np.ndarray) -> int:
        return numbers.setdefault((array.dtype.str, array.shape, array.tobytes()), len(numbers))

    content = msgspec.msgpack.encode(library, enc_hook=number)
    return msgspec.msgpack.encode((list(numbers), content))


def _unpacked(packed: bytes) -> Library:
    import msgspec
    import numpy as np

    from rsaxcel.flow.power.liberty import Library

    arrays, content = msgspec.msgpack.decode(packed)
    made = [np.frombuffer(values, kind).reshape(shape) for kind, shape, values in arrays]
    return msgspec.msgpack.decode(content, type=Library, dec_hook=lambda _, number: made[number])
