"""Two moduli or two exponents packed into one number, and constants of the two moduli."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from math import gcd
from random import Random
from typing import NamedTuple

from rsaxcel.plan.measures.blinding import BLIND, MULTIPLE, PRIVATE, UNBLIND, UNBLINDED, Blinding
from rsaxcel.plan.measures.check import public_exponent
from rsaxcel.plan.measures.dummies import WITHOUT_DUMMIES, Dummies
from rsaxcel.plan.measures.measure import Number
from rsaxcel.plan.modulus_constants import Formula

_WORD_NBITS = 32
_LEAST_NBITS = 3


class Exponents(NamedTuple):
    private: tuple[int, int]  # private exponents of half 0 and of half 1
    public: int = 0  # public exponent; 0: none
    blinds: tuple[int, ...] = ()  # random numbers, in the order of Halves.blinds


class Part(NamedTuple):
    """Residue of a half that comes with the exponent of a request, at bit ``low``."""

    name: str
    half: int
    low: int
    nbits: int


@dataclass(frozen=True)
class Halves:
    """Layout of two numbers in one: half 0 in the low bits, each half padded to 32-bit words.

    Above the exponents stand the public exponent, the random numbers that blind, and that of the
    dummies, each padded to words.
    """

    nbits: int
    public_nbits: int = 0  # width of the public exponent; 0: none
    blinding: Blinding = UNBLINDED
    dummies: Dummies = field(default=WITHOUT_DUMMIES, repr=False)

    @property
    def padded_nbits(self) -> int:
        return _padded(self.nbits)

    @property
    def joined_nbits(self) -> int:
        return 2 * self.padded_nbits

    @property
    def blinds(self) -> tuple[Number, ...]:
        """Random numbers of a request, in order: those that blind, then the seed of the dummies."""
        return (*self.blinding.blinds(self.nbits), *self.dummies.blinds)

    @property
    def numbers(self) -> tuple[Number, ...]:
        """Numbers above the exponents of the halves: the public exponent, then random numbers."""
        public = (public_exponent(self.public_nbits),) if self.public_nbits else ()
        return (*public, *self.blinds)

    @property
    def lows(self) -> tuple[int, ...]:
        """Lowest bit of each of the ``numbers`` in the exponent of a request."""
        widths = (_padded(number.nbits) for number in self.numbers)
        return tuple(accumulate(widths, initial=self.joined_nbits))[:-1]

    @property
    def exponents_nbits(self) -> int:
        """Width of a request's exponent: two halves, and the numbers above them."""
        return self.joined_nbits + sum(_padded(number.nbits) for number in self.numbers)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Residues that come with the exponent of a request, where there is blinding."""
        found = []
        if self.blinding.exponent_nbits:
            found += [Part(PRIVATE, half, half * self.padded_nbits, self.nbits) for half in (0, 1)]
        found += [
            Part(number.name, number.half, low, number.nbits)
            for number, low in zip(self.numbers, self.lows, strict=True)
            if number.half is not None
        ]
        return tuple(found)

    def split_numbers(self, exponents: int) -> tuple[tuple[int, int], tuple[int, ...]]:
        """Split the exponent of a request: exponents of the halves, and the ``numbers``.

        The last number has all bits above the others.
        """
        lows = (0, self.padded_nbits, *self.lows)
        pairs = pairwise(lows)
        low, *above = (exponents >> begin & (1 << end - begin) - 1 for begin, end in pairs)
        high, *above = *above, exponents >> lows[-1]
        return (low, high), tuple(above)

    def split_exponents(self, exponents: int) -> Exponents:
        private, above = self.split_numbers(exponents)
        if self.public_nbits:
            return Exponents(private, above[0], above[1:])
        return Exponents(private, blinds=above)

    def joined_numbers(self, low: int, high: int, above: Sequence[int]) -> int:
        """Return the exponent of a request; missing numbers ``above`` are 0.

        ``ValueError`` if a number is wider than its place, and another one stands above it.
        """
        lows = (0, self.padded_nbits, *self.lows)
        names = ("low half", "high half", *map(str, self.numbers))
        numbers = (low, high, *above)
        result = 0
        for i, (name, number) in enumerate(zip(names, numbers, strict=False)):
            width = lows[i + 1] - lows[i] if i + 1 < len(lows) else number.bit_length()
            if number >> width:
                needed = number.bit_length()
                raise ValueError(f"{name} of {needed} bits: at most {width} bits are allowed")
            result |= number << lows[i]
        return result

    def joined_exponents(
        self, low: int, high: int, public: int = 0, blinds: Sequence[int] = ()
    ) -> int:
        """Return the exponent of a request (``joined_numbers``)."""
        return self.joined_numbers(low, high, [*([public] if self.public_nbits else []), *blinds])

    def blinded_exponents(self, moduli: int, low: int, high: int, public: int, draw: Random) -> int:
        """Return the exponent of a request, with random numbers that leave the result unchanged.

        ``moduli`` carries p and q.
        """
        drawn = self.draw(self.split(moduli), (low, high), draw)
        # If a modulus is wider than a half, the request is refused; its numbers are cut to fit.
        blinds = [x & (1 << y.nbits) - 1 for x, y in zip(drawn, self.blinds, strict=True)]
        return self.joined_exponents(low, high, public, blinds)

    def draw(self, moduli: Sequence[int], private: Sequence[int], draw: Random) -> tuple[int, ...]:
        """Draw the random numbers of a request (``blinds``); see ``Blinding.draw``."""
        return (*self.blinding.draw(moduli, private, draw), *self.dummies.draw(draw))

    def reblinded(self, exponents: int, moduli: int, draw: Random) -> int:
        """Return the exponent of a request with new random numbers (``blinded_exponents``)."""
        private, public, _ = self.split_exponents(exponents)
        return self.blinded_exponents(moduli, *private, public, draw)

    def split(self, number: int) -> tuple[int, int]:
        """Split a number into half 0 and half 1, which has all bits above half 0."""
        return number & (1 << self.padded_nbits) - 1, number >> self.padded_nbits

    def coprime_moduli(self, number: int) -> int:
        """Make two coprime odd moduli of 3 or more from the bits of a number, and join them.

        ``ValueError`` if a half has less than 3 bits, so that 3 is the only such modulus.
        """
        if self.nbits < _LEAST_NBITS:
            raise ValueError(f"half_nbits={self.nbits}: two coprime odd moduli need 3 bits each")
        ones = (1 << self.nbits) - 1
        p, q = (max(3, x & ones | 1) for x in (number, number >> self.nbits))
        while gcd(p, q) > 1:
            p = p - 2 if p > 3 else ones
        return self.joined(p, q)

    def reference_power(self, base: int, exponents: int, moduli: int) -> int:
        """Compute the number below p * q that is ``base**e_p`` mod p and ``base**e_q`` mod q."""
        # Computed by `pow` and Gauss's sum, as a reference for Garner's formula in the models; 0 if
        # p or q is 0, or they share a factor. With random numbers that were not drawn for these
        # operands, the result is a circuit's, not the power.
        p, q = self.split(moduli)
        if p == 0 or q == 0 or gcd(p, q) > 1:
            return 0
        of_p, of_q = (self._reference_half(base, exponents, m, i) for i, m in enumerate((p, q)))
        return (of_p * q * pow(q, -1, p) + of_q * p * pow(p, -1, q)) % (p * q)

    def _reference_half(self, base: int, exponents: int, modulus: int, half: int) -> int:
        split = self.split_exponents(exponents)
        drawn = zip(self.blinds, split.blinds, strict=True)
        blinds = {blind.name: value for blind, value in drawn if blind.half == half}
        exponent = split.private[half] + blinds.get(MULTIPLE, 0) * (modulus - 1)
        power = pow(base * blinds.get(BLIND, 1), exponent, modulus)
        return power * blinds.get(UNBLIND, 1) % modulus

    def is_confirmed(self, base: int, exponents: int, moduli: int) -> bool:
        """Whether the public exponent, if any, turns the result into the base again."""
        if not self.public_nbits or 0 in self.split(moduli):
            return True
        public = self.split_exponents(exponents).public
        result = self.reference_power(base, exponents, moduli)
        return all((pow(result, public, m) - base) % m == 0 for m in self.split(moduli))

    def joined(self, low: int, high: int) -> int:
        """Return the number that carries two halves; ``ValueError`` if ``low`` is too wide."""
        if low >> self.padded_nbits:
            needed, most = low.bit_length(), self.padded_nbits
            raise ValueError(f"low half of {needed} bits: at most {most} bits are allowed")
        return high << self.padded_nbits | low


def _padded(nbits: int) -> int:
    return -(-nbits // _WORD_NBITS) * _WORD_NBITS


def modulus_nbits(nbits: int, halves: Halves | None) -> int:
    return halves.joined_nbits if halves else nbits


@dataclass(frozen=True)
class OfHalf(Formula):
    """Formula of a constant that depends on the modulus of one half, p or q."""

    of: Formula
    half: int
    halves: Halves

    def value(self, modulus: int) -> int:
        return self.of.value(self.halves.split(modulus)[self.half])

    def most_nbits(self, modulus_nbits: int) -> int:
        """Return the width in bits that holds the constant for every modulus of the half."""
        return self.of.most_nbits(self.halves.nbits)

    def __str__(self) -> str:
        return re.sub(r"\bm\b", "pq"[self.half], str(self.of))


@dataclass(frozen=True)
class Recombination(Formula):
    """``2**exponent / q mod p``, the constant of Garner's formula; 0 if p and q share a factor.

    p is half 0, q is half 1.
    """

    exponent: int
    halves: Halves

    def value(self, modulus: int) -> int:
        p, q = self.halves.split(modulus)
        return pow(q, -1, p) * pow(2, self.exponent, p) % p if gcd(p, q) == 1 else 0

    def most_nbits(self, modulus_nbits: int) -> int:
        return self.halves.nbits

    def __str__(self) -> str:
        return f"2^{self.exponent} / q mod p"
