"""MulRem: a full product, then its remainder (McNay, section 3.1)."""

from fl.multipliers.contract import Multiplier
from fl.parameters import Parameter, divisors


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
    )

    def __init__(self, nbits: int, **params: object):
        super().__init__(nbits, **params)
        self.constant_time = params.get("divider") != "aligning"

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Product modulo ``modulus``."""
        return a * b % modulus
