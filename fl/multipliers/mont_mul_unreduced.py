"""MontMulUnreduced: Montgomery multiplication without final subtraction (Vassoler, algorithm 2)."""

from rsaxcel.fl.multipliers.contract import UnreducedMultiplier


class MontMulUnreduced(UnreducedMultiplier):
    """``a * b / R mod m`` on operands and results below 2m, bit by bit."""

    holds_modulus = False
    label = "Montgomery, no final subtraction"
    source = "Vassoler 2023, section 2.2.3, algorithm 2, figure 7"

    @property
    def r(self) -> int:
        return 1 << self.nbits + 2
