"""MontMul: bit-serial Montgomery multiplication (Li and Chu, algorithm 3)."""

from rsaxcel.fl.multipliers.contract import MontgomeryMultiplier
from rsaxcel.plan.parameters import Parameter, divisors
from rsaxcel.plan.recurrence import RECURRENCE


class MontMul(MontgomeryMultiplier):
    """``a * b / R mod m``, adding and halving bit by bit."""

    holds_modulus = False
    label = "Montgomery, bit by bit"
    source = "Li and Chu, algorithm 3"
    parameters = (
        Parameter("bits_per_cycle", lambda nbits: 1, divisors, "bits of the multiplier per cycle"),
        RECURRENCE,
    )
