"""MulRem: a full product, then its remainder (McNay, section 3.1)."""

from fl.multipliers.contract import Multiplier
from plan.parameters import Parameter, divisors

REGISTERED = "registered"
"""Operands in registers of the multiplier's own."""


class MulRem(Multiplier):
    """``a * b mod m`` for any modulus from 2 upwards."""

    odd_modulus = False
    r = 1
    source = "McNay 2023, section 3.1"
    parameters = (
        Parameter("bits_per_cycle", lambda nbits: 1, divisors, "quotient bits per cycle"),
        Parameter(
            "divider",
            lambda nbits: "preloaded",
            lambda nbits: ("preloaded", "restoring", "aligning"),
            "divider of the product: its high half is preloaded (preloaded), or all of it is "
            "divided (restoring), by a modulus that is shifted up first (aligning)",
        ),
        Parameter(
            "operands",
            lambda nbits: "direct",
            lambda nbits: ("direct", REGISTERED),
            "the multiplier reads the store (direct), or registers of its own, which cost a cycle "
            "and hold while it is idle (registered)",
        ),
    )

    def __init__(self, nbits: int, **params: object):
        super().__init__(nbits, **params)
        self.constant_time = params.get("divider") != "aligning"
        self.holds_modulus = params.get("operands") != REGISTERED

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Product modulo ``modulus``."""
        return a * b % modulus
