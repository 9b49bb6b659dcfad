"""Writes ratios in words: ``6.0 times less`` rather than ``0.17x``."""

from math import floor, log10

_TIMES = 1.5
_EQUAL = 0.0005


def compared(value: float, base: float) -> str:
    """Difference from a base in percent, or as a factor of 1.5 or more; a dash unless above 0."""
    if not (value > 0 and base > 0):
        return "-"
    ratio = max(value, base) / min(value, base)
    word = "more" if value > base else "less"
    if ratio - 1 < _EQUAL:
        return "the same"
    if ratio < _TIMES:
        percent = 100 * abs(value - base) / base
        return f"{percent:.1f} % {word}"
    return f"{times(ratio)} {word}"


def times(ratio: float) -> str:
    """Text of a factor above 1 with two digits, such as ``2.3 times``."""
    return f"{ratio:,.{max(0, 1 - floor(log10(ratio)))}f} times"
