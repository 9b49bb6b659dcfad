"""Constants of a modulus, each told by what computes it.

That much depends on the accelerator alone: a host that knows it needs only the modulus.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class ModulusConstant(ABC):
    """What computes a constant.

    Parameters
    ----------
    nbits : int
        Exponent of the power of two that it is computed from, or modulo which it is.
    """

    nbits: int

    @abstractmethod
    def value(self, modulus: int) -> int:
        """Constant of a modulus."""


class PowerOfTwo(ModulusConstant):
    """``2**nbits mod m``, such as R mod m and R**2 mod m."""

    def value(self, modulus: int) -> int:
        """Give the power modulo the modulus, which is at least 1."""
        return pow(2, self.nbits, modulus)


class NegatedInverse(ModulusConstant):
    """``-m**-1 mod 2**nbits``, Montgomery's m'."""

    def value(self, modulus: int) -> int:
        """Give the inverse of an odd modulus, negated."""
        return n_prime(modulus, 1 << self.nbits)


@lru_cache(maxsize=1024)
def n_prime(modulus: int, r: int) -> int:
    """Give -modulus**-1 mod r: every product of an exponentiation needs the same one."""
    return -pow(modulus, -1, r) % r
