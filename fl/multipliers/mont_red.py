"""MontRed: Montgomery reduction of a full product (Li and Chu, algorithm 1)."""

from fl.multipliers.contract import MontgomeryMultiplier
from plan.recurrence import RECURRENCE


class MontRed(MontgomeryMultiplier):
    """``a * b / R mod m``: a full product, then its reduction bit by bit."""

    holds_modulus = False
    label = "product, then Montgomery reduction"
    source = "Li and Chu, algorithm 1 on the product, as in algorithm 2"
    parameters = (RECURRENCE,)
