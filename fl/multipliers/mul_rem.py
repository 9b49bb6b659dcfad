"""MulRem: a full product, then its remainder (McNay, section 3.1)."""

from fl.multipliers.contract import Multiplier


class MulRem(Multiplier):
    """``a * b mod m`` for any modulus from 2 upwards."""

    odd_modulus = False
    r = 1

    def product(self, a: int, b: int, modulus: int) -> int:
        """Product modulo ``modulus``."""
        return a * b % modulus
