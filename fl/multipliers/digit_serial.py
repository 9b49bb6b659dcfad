"""DigitSerial: bit-serial Montgomery products whose additions run digit by digit (Cilardo)."""

from fl.multipliers.contract import Multiplier
from fl.parameters import Parameter

MIN_SLOTS = 4
"""Cycles in which a sum comes back through the three stages of the pipeline."""


def default_digit_nbits(nbits: int) -> int:
    """Widest power of two up to 64 bits with which an operand still has ``MIN_SLOTS`` words."""
    wide_enough = (s for s in (64, 32, 16) if words_per_operand(nbits, s) >= MIN_SLOTS)
    return next(wide_enough, 8)


def words_per_operand(nbits: int, digit_nbits: int) -> int:
    """Words of an operand, which has up to nbits + 1 bits, and of the running sum."""
    return -(-(nbits + 2) // digit_nbits)
