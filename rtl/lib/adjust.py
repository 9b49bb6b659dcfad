"""Connections between signals of different widths."""

from typing import Any

from pymtl3 import connect


def connect_low(target: Any, source: Any) -> None:
    """Drive a signal by another one: zeros above a narrower one, the low bits of a wider one.

    Parameters
    ----------
    target, source : signal
        Signals of ``Bits``; the target is driven whole.
    """
    wide, narrow = target._dsl.Type.nbits, source._dsl.Type.nbits
    if wide == narrow:
        connect(target, source)
    elif wide < narrow:
        connect(target, source[0:wide])
    else:
        connect(target[0:narrow], source)
        connect(target[narrow:wide], 0)
