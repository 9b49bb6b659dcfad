"""Finds unknown JSON keys in vectors: otherwise a mistyped ``expect`` would have no effect."""

from collections.abc import Mapping, Sequence
from typing import Any

from rsaxcel.store.errors import nearest
from rsaxcel.store.shown import shorten

EXPECT = "expect"  #: key of a vector's expected result

#: Key of p*q, modulo which results are reduced if a design's moduli are multiples of p and q;
#: elsewhere, key of the modulus.
MODULUS = "n"

#: Keys that `rsaxcel sim --json` prints besides the operands and `expect`.
PRINTED = (
    "design",
    "nbits",
    "params",
    "level",
    "engine",
    "seed",
    "line",
    "status",
    "result",
    "match",
    "cycles",
    "load_cycles",
)

_SHOWN = 8
_LONGEST = 40


class UnknownKeys:
    """Collects the unknown JSON keys in a file's vectors.

    With ``expect``, all keys that ``rsaxcel sim --json`` prints are known; without, ``result`` is
    taken for a mistyped ``expect``. ``found`` has a question about a similar key, or an empty text,
    for each.
    """

    def __init__(self, operands: Sequence[str]) -> None:
        self._operands = operands
        self.found: dict[str, str] = {}

    def look(self, vector: Mapping[str, Any]) -> None:
        printed = PRINTED if EXPECT in vector else ()
        unknown = vector.keys() - {*self._operands, EXPECT, *printed}
        for key in sorted(unknown - self.found.keys()):
            absent = [name for name in (*self._operands, EXPECT) if name not in vector]
            others = {"result": EXPECT} if EXPECT in absent else {}
            self.found[key] = nearest(key.lower(), absent, others)

    def __str__(self) -> str:
        """Return a line that names the unknown keys, those similar to a known key first."""
        ordered = sorted(self.found.items(), key=lambda item: not item[1])
        names = [f"{shorten(key, _LONGEST)!r}{meant}" for key, meant in ordered[:_SHOWN]]
        if len(ordered) > _SHOWN:
            names.append(f"{len(ordered) - _SHOWN:,} more")
        what = "an unknown key is" if len(ordered) == 1 else "unknown keys are"
        return f"{what} ignored: {', '.join(names)}"
