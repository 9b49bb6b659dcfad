"""MontRed: Montgomery reduction of a full product (Li and Chu, algorithm 1)."""

from rsaxcel.fl.multipliers.contract import MontgomeryMultiplier
from rsaxcel.plan.recurrence import RECURRENCE


class MontRed(MontgomeryMultiplier):
    """``a * b / R mod m``: a full product, then its reduction bit by bit.

    Vassoler's algorithm 1 has the same result, but forms the quotient at once, by m'
    (``fl.multipliers.contract.reduce``).
    """

    holds_modulus = False
    label = "product, then Montgomery reduction"
    source = "Li and Chu, algorithm 1 on the product, as in algorithm 2"
    parameters = (RECURRENCE,)
