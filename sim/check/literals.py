"""Numbers that occur as literals in a Verilog text."""

import re

_VALUES = re.compile(r"'[sS]?([dDbBhHoO])\s*([0-9a-fA-F_]+)")
_RADIX = {"d": 10, "b": 2, "h": 16, "o": 8}


def numbers_of(text: str, nbits: int) -> list[int]:
    """Sorted literals of a Verilog text that fit ``nbits`` bits."""
    # A circuit that treats one operand specially contains it as a literal, so a check uses all of
    # them.
    found = {int(value, _RADIX[base.lower()]) for base, value in _VALUES.findall(text)}
    return sorted(x for x in found if x >> nbits == 0)
