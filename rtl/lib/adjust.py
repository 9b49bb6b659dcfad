"""Connections between signals of different widths."""

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
