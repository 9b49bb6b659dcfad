"""Two half-width moduli or exponents in one number, and the constants of a modulus that is two."""

import re
from dataclasses import dataclass
from math import gcd

from plan.modulus_constants import Formula

_WORD_NBITS = 32


@dataclass(frozen=True)
class Halves:
    """How two numbers travel as one: low half first, each padded to whole words.

    Parameters
    ----------
    nbits : int
        Width of a half in bits.
    """

    nbits: int

    @property
    def padded_nbits(self) -> int:
        """Width of a half with its padding."""
        return -(-self.nbits // _WORD_NBITS) * _WORD_NBITS

    @property
    def joined_nbits(self) -> int:
        """Width of a number that carries two halves."""
        return 2 * self.padded_nbits

    def split(self, number: int) -> tuple[int, int]:
        """Give the low half and all above it."""
        return number & (1 << self.padded_nbits) - 1, number >> self.padded_nbits

    def moduli(self, number: int) -> int:
        """Make two odd numbers from 3 on, without a common factor, of the bits of a number."""
        ones = (1 << self.nbits) - 1
        p, q = (max(3, x & ones | 1) for x in (number, number >> self.nbits))
        while gcd(p, q) > 1:
            p = p - 2 if p > 3 else ones
        return self.joined(p, q)

    def power(self, base: int, exponents: int, moduli: int) -> int:
        """Give the number below p * q that is a power modulo each, by Python's ``pow``.

        By Gauss's sum, other than the models; 0 where p and q share a factor.
        """
        (p, q), (e_p, e_q) = self.split(moduli), self.split(exponents)
        if p == 0 or q == 0 or gcd(p, q) > 1:
            return 0
        of_p = pow(base, e_p, p) * q * pow(q, -1, p)
        of_q = pow(base, e_q, q) * p * pow(p, -1, q)
        return (of_p + of_q) % (p * q)

    def joined(self, low: int, high: int) -> int:
        """Give the number that carries two halves.

        Raises
        ------
        ValueError
            If the low one has no place below the high one.
        """
        if low >> self.padded_nbits:
            needed, most = low.bit_length(), self.padded_nbits
            raise ValueError(f"half of {needed} bits: up to {most} can be given below the other")
        return high << self.padded_nbits | low


def modulus_nbits(nbits: int, halves: Halves | None) -> int:
    """Width of a modulus in bits, as it travels: ``nbits``, unless it is two halves."""
    return halves.joined_nbits if halves else nbits


@dataclass(frozen=True)
class OfHalf(Formula):
    """A constant of one of two moduli."""

    of: Formula
    half: int
    halves: Halves

    def value(self, modulus: int) -> int:
        """Give that of the half."""
        return self.of.value(self.halves.split(modulus)[self.half])

    def most_nbits(self, modulus_nbits: int) -> int:
        """Those of a half's."""
        return self.of.most_nbits(self.halves.nbits)

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return re.sub(r"\bm\b", "pq"[self.half], str(self.of))


@dataclass(frozen=True)
class Recombination(Formula):
    """``2**exponent / q mod p``, as Garner's recombination has it; 0 where p and q share a factor.

    p is half 0.
    """

    exponent: int
    halves: Halves

    def value(self, modulus: int) -> int:
        """Give the quotient modulo p."""
        p, q = self.halves.split(modulus)
        return pow(q, -1, p) * pow(2, self.exponent, p) % p if gcd(p, q) == 1 else 0

    def most_nbits(self, modulus_nbits: int) -> int:
        """As many as p has."""
        return self.halves.nbits

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"2^{self.exponent} / q mod p"
