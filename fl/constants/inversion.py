"""Unit that computes Montgomery's m' = -m**-1 mod 2**k, bit by bit."""

from rsaxcel.fl.constants.contract import ConstantUnit
from rsaxcel.plan.modulus_constants import Formula, NegatedInverse


class Inversion(ConstantUnit):
    """``-m**-1 mod 2**k`` for odd m: the quotient of a bit-serial Montgomery reduction of 1."""

    meaning = "additions of m, only for m'"

    @classmethod
    def computes(cls, formula: Formula, nbits: int) -> bool:
        return isinstance(formula, NegatedInverse)
