"""Connections between signals of different widths, and between ports of the same names."""

from typing import Any

from pymtl3 import connect


def connect_low(target: Any, source: Any) -> None:
    """Connect signals of different widths: extend the source with zeros, or take its low bits."""
    wide, narrow = target._dsl.Type.nbits, source._dsl.Type.nbits
    if wide == narrow:
        connect(target, source)
    elif wide < narrow:
        connect(target, source[0:wide])
    else:
        connect(target[0:narrow], source)
        connect(target[narrow:wide], 0)


def connect_named(part: Any, other: Any, *names: str) -> None:
    for name in names:
        connect(getattr(part, name), getattr(other, name))
