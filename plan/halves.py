"""Two moduli or two exponents packed into one number, and constants of the two moduli."""

import re
from dataclasses import dataclass
from math import gcd

from plan.modulus_constants import Formula

_WORD_NBITS = 32
_LEAST_NBITS = 3


@dataclass(frozen=True)
class Halves:
    """Layout of two numbers in one: half 0 in the low bits, each half padded to 32-bit words.

    Parameters
    ----------
    nbits : int
        Width of a half in bits.
    public_nbits : int
        Width in bits of the public exponent, which stands above the two exponents of the halves in
        the exponent of a request; 0: there is none.
    """

    nbits: int
    public_nbits: int = 0

    @property
    def padded_nbits(self) -> int:
        """Width of a half with its padding, in bits."""
        return -(-self.nbits // _WORD_NBITS) * _WORD_NBITS

    @property
    def joined_nbits(self) -> int:
        """Width of a number that carries two halves, in bits."""
        return 2 * self.padded_nbits

    @property
    def exponents_nbits(self) -> int:
        """Width of a request's exponent in bits: two halves, and the words of a public exponent."""
        return self.joined_nbits + -(-self.public_nbits // _WORD_NBITS) * _WORD_NBITS

    def split_exponents(self, number: int) -> tuple[int, int, int]:
        """Split a request's exponent into those of half 0 and half 1, and the public exponent.

        Without a public exponent, half 1 has all bits above half 0, and the last number is 0.
        """
        if not self.public_nbits:
            return (*self.split(number), 0)
        low, high = self.split(number & (1 << self.joined_nbits) - 1)
        return low, high, number >> self.joined_nbits

    def joined_exponents(self, low: int, high: int, public: int = 0) -> int:
        """Give the exponent of a request, from those of half 0 and half 1, and the public exponent.

        The public exponent is left out if the layout has none.

        Raises
        ------
        ValueError
            If an exponent has more than ``padded_nbits`` bits and another one stands above it.
        """
        number = self.joined(low, high)
        if not self.public_nbits:
            return number
        if number >> self.joined_nbits:
            needed, most = high.bit_length(), self.padded_nbits
            raise ValueError(f"high half of {needed} bits: at most {most} bits are allowed")
        return public << self.joined_nbits | number

    def split(self, number: int) -> tuple[int, int]:
        """Split a number into half 0 and half 1; half 1 has all bits above half 0."""
        return number & (1 << self.padded_nbits) - 1, number >> self.padded_nbits

    def coprime_moduli(self, number: int) -> int:
        """Make two coprime odd moduli of 3 or more from the bits of a number, and join them.

        Raises
        ------
        ValueError
            If a half has less than 3 bits, with which 3 is the only odd modulus of 3 or more.
        """
        if self.nbits < _LEAST_NBITS:
            raise ValueError(f"half_nbits={self.nbits}: two coprime odd moduli need 3 bits each")
        ones = (1 << self.nbits) - 1
        p, q = (max(3, x & ones | 1) for x in (number, number >> self.nbits))
        while gcd(p, q) > 1:
            p = p - 2 if p > 3 else ones
        return self.joined(p, q)

    def reference_power(self, base: int, exponents: int, moduli: int) -> int:
        """Give the number below p * q that is ``base**e_p`` modulo p and ``base**e_q`` modulo q.

        ``moduli`` carries p and q, ``exponents`` carries e_p and e_q. The method is a reference for
        the models, which use Garner's formula: it uses Python's ``pow``, and Gauss's sum to combine
        the two powers. The result is 0 if p or q is 0, or if they share a factor.
        """
        (p, q), (e_p, e_q, _) = self.split(moduli), self.split_exponents(exponents)
        if p == 0 or q == 0 or gcd(p, q) > 1:
            return 0
        of_p = pow(base, e_p, p) * q * pow(q, -1, p)
        of_q = pow(base, e_q, q) * p * pow(p, -1, q)
        return (of_p + of_q) % (p * q)

    def is_confirmed(self, base: int, exponents: int, moduli: int) -> bool:
        """Whether the public exponent turns the result of ``reference_power`` into the base again.

        It has to do so modulo p and modulo q. Without a public exponent, any result is confirmed.
        """
        if not self.public_nbits or 0 in self.split(moduli):
            return True
        public = self.split_exponents(exponents)[2]
        result = self.reference_power(base, exponents, moduli)
        return all((pow(result, public, m) - base) % m == 0 for m in self.split(moduli))

    def joined(self, low: int, high: int) -> int:
        """Give the number that carries two halves.

        Raises
        ------
        ValueError
            If ``low`` has more than ``padded_nbits`` bits.
        """
        if low >> self.padded_nbits:
            needed, most = low.bit_length(), self.padded_nbits
            raise ValueError(f"low half of {needed} bits: at most {most} bits are allowed")
        return high << self.padded_nbits | low


def expected_power(base: int, exponent: int, modulus: int, halves: Halves | None = None) -> int:
    """Compute the expected result of an exponentiation, whose operands meet the input rules.

    It is 0 if a public exponent does not confirm the result (``Halves.is_confirmed``).

    Parameters
    ----------
    base, exponent, modulus
        Operands; with ``halves``, exponent and modulus are two halves each.
    halves
        Layout of the halves; None: the operands are plain numbers.
    """
    if halves:
        confirmed = halves.is_confirmed(base, exponent, modulus)
        return halves.reference_power(base, exponent, modulus) if confirmed else 0
    return pow(base, exponent, modulus)


def modulus_nbits(nbits: int, halves: Halves | None) -> int:
    """Width in bits of the modulus in a request: ``nbits``, or the width of two joined halves."""
    return halves.joined_nbits if halves else nbits


@dataclass(frozen=True)
class OfHalf(Formula):
    """Formula of a constant that depends on the modulus of one half, p or q."""

    of: Formula
    half: int
    halves: Halves

    def value(self, modulus: int) -> int:
        """Give the constant for the modulus of the half, p or q; ``modulus`` carries both."""
        return self.of.value(self.halves.split(modulus)[self.half])

    def most_nbits(self, modulus_nbits: int) -> int:
        """Give the width in bits that holds the constant for every modulus of the half."""
        return self.of.most_nbits(self.halves.nbits)

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return re.sub(r"\bm\b", "pq"[self.half], str(self.of))


@dataclass(frozen=True)
class Recombination(Formula):
    """``2**exponent / q mod p``, the constant of Garner's formula; 0 if p and q share a factor.

    p is half 0, q is half 1.
    """

    exponent: int
    halves: Halves

    def value(self, modulus: int) -> int:
        """Give the constant for p and q; ``modulus`` carries both."""
        p, q = self.halves.split(modulus)
        return pow(q, -1, p) * pow(2, self.exponent, p) % p if gcd(p, q) == 1 else 0

    def most_nbits(self, modulus_nbits: int) -> int:
        """Give the width of a half in bits: the constant is below p."""
        return self.halves.nbits

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"2^{self.exponent} / q mod p"
