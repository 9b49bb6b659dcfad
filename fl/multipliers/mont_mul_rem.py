"""MontMulRem: unrolled Montgomery multiplication (McNay, algorithm 4)."""

from functools import lru_cache

from fl.multipliers.contract import Multiplier
from fl.parameters import Parameter


class MontMulRem(Multiplier):
    """``a * b / R mod m`` with R = 2**nbits, bit by bit as the circuit forms it."""

    odd_modulus = True
    source = "McNay 2023, algorithm 4 and figures 8, 9"
    parameters = (
        Parameter(
            "stages",
            lambda nbits: max(1, nbits // 8),
            lambda nbits: range(1, nbits + 1),
            "pipeline stages, which is the latency in cycles",
        ),
        Parameter(
            "add_red",
            lambda nbits: "select",
            lambda nbits: ("select", "serial"),
            "form of the AddReds: figure 8b (select) or 8a (serial)",
        ),
    )

    @property
    def r(self) -> int:
        """R = 2**nbits."""
        return 1 << self.nbits

    def product(self, a: int, b: int, modulus: int) -> int:
        """Montgomery product; ``a`` is scanned from its least significant bit.

        The n additions of the multiplicand and of the modulus, each followed by a halving, add up
        to ``(a * b + q * modulus) / R`` with q the only value below R that makes it whole.
        """
        q = a * b * _n_prime(modulus, self.r) % self.r
        s = (a * b + q * modulus) >> self.nbits
        return s - modulus if s >= modulus else s


@lru_cache(maxsize=1024)
def _n_prime(modulus: int, r: int) -> int:
    """Give -modulus**-1 mod r: every product of an exponentiation needs the same one."""
    return -pow(modulus, -1, r) % r
