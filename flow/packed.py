"""Files of packed dataclasses with arrays: data only, so that reading such a file runs no code."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np

T = TypeVar("T")


def write_packed(path: Path, value: object) -> None:
    """Write a dataclass as MessagePack; an array becomes its type, its shape and its bytes."""
    path.write_bytes(msgspec.msgpack.encode(value, enc_hook=_plain))


def read_packed(path: Path, kind: type[T]) -> T:
    """Read a dataclass of class ``kind``, with read-only arrays; ``ValueError`` for other files."""
    return msgspec.msgpack.decode(path.read_bytes(), type=kind, dec_hook=_array)


def _plain(value: object) -> tuple[str, tuple[int, ...], bytes]:
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{type(value).__name__} cannot be packed")
    return value.dtype.str, value.shape, value.tobytes()


def _array(_: type, packed: Any) -> np.ndarray:
    kind, shape, content = packed
    return np.frombuffer(content, kind).reshape(shape)
