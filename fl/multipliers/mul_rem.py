"""MulRem: a full product, then its remainder (McNay, section 3.1)."""

from rsaxcel.fl.multipliers.contract import REGISTERED, Multiplier
from rsaxcel.plan.parameters import Parameter, divisors


class MulRem(Multiplier):
    """``a * b mod m`` for any modulus from 2 upwards."""

    odd_modulus = False
    r = 1
    label = "product, then remainder"
    source = "McNay 2023, section 3.1"
    parameters = (
        Parameter("bits_per_cycle", lambda nbits: 1, divisors, "quotient bits per cycle"),
        Parameter(
            "divider",
            lambda nbits: "preloaded",
            lambda nbits: ("preloaded", "restoring", "aligning"),
            "divider of the product: the high half of the product is preloaded (preloaded), the "
            "whole product is divided (restoring), or the modulus is shifted up first (aligning)",
        ),
        Parameter(
            "operands",
            lambda nbits: "direct",
            lambda nbits: ("direct", REGISTERED),
            "operands come from the store (direct), or from registers in the multiplier, which "
            "take one cycle more and keep their values while it is idle (registered)",
        ),
    )

    def __init__(self, nbits: int, **params: object):
        super().__init__(nbits, **params)
        self.constant_time = params.get("divider") != "aligning"
        self.holds_modulus = params.get("operands") != REGISTERED

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b % modulus
