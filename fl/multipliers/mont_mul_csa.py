"""MontMulCsa: bit-serial Montgomery multiplication in carry-save form."""

from rsaxcel.fl.multipliers.contract import MontgomeryMultiplier
from rsaxcel.plan.parameters import Parameter


class MontMulCsa(MontgomeryMultiplier):
    """``a * b / R mod m``, bit by bit in carry-save form; carries are propagated at the end."""

    holds_modulus = False
    label = "Montgomery, carry-save"
    source = "Li and Chu, algorithm 3 with section II.B"
    parameters = (
        Parameter(
            "resolve_cycles",
            lambda nbits: -(-nbits // 64),
            lambda nbits: range(1, nbits + 1),
            "cycles of each of the two carry propagations",
        ),
    )
