"""Keys of vectors that nothing reads: a mistyped ``expect`` must not pass as no mismatch."""

from collections.abc import Mapping, Sequence
from typing import Any

from store.errors import nearest
from store.shortened import shorten

EXPECT = "expect"
"""Key of the result that a vector itself expects."""

PRINTED = (
    *("design", "nbits", "params", "level", "engine", "seed", "line"),
    *("status", "result", "match", "cycles", "load_cycles"),
)
"""Keys that ``rsaxcel sim --json`` prints beside operands and ``expect``."""

_SHOWN = 8
_LONGEST = 40


class UnknownKeys:
    """Collects the keys of a file's vectors that nothing reads.

    A vector with ``expect`` may have all that ``rsaxcel sim --json`` prints. Without it, ``result``
    is most likely meant to be ``expect``.

    Parameters
    ----------
    operands : sequence of str
        Keys of the operands.

    Attributes
    ----------
    found : dict of str
        Unknown keys; for each, the question which one is meant, or nothing.
    """

    def __init__(self, operands: Sequence[str]) -> None:
        self._operands = operands
        self.found: dict[str, str] = {}

    def look(self, vector: Mapping[str, Any]) -> None:
        """Note the keys of a vector."""
        printed = PRINTED if EXPECT in vector else ()
        unknown = vector.keys() - {*self._operands, EXPECT, *printed}
        for key in sorted(unknown - self.found.keys()):
            absent = [name for name in (*self._operands, EXPECT) if name not in vector]
            others = {"result": EXPECT} if EXPECT in absent else {}
            self.found[key] = nearest(key.lower(), absent, others)

    def __str__(self) -> str:
        """Name the keys in a line, mistyped ones first."""
        ordered = sorted(self.found.items(), key=lambda item: not item[1])
        names = [f"{shorten(key, _LONGEST)!r}{meant}" for key, meant in ordered[:_SHOWN]]
        if len(ordered) > _SHOWN:
            names.append(f"{len(ordered) - _SHOWN:,} more")
        what = "an unknown key is" if len(ordered) == 1 else "unknown keys are"
        return f"{what} ignored: {', '.join(names)}"
