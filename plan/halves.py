"""Two moduli or two exponents packed into one number, and constants of the two moduli."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import gcd
from random import Random
from typing import NamedTuple

from rsaxcel.plan.measures import PRIVATE, Added, Number
from rsaxcel.plan.modulus_constants import Formula

_WORD_NBITS = 32
_LEAST_NBITS = 3


class Exponents(NamedTuple):
    private: tuple[int, int]  #: private exponents of half 0 and of half 1
    public: int = 0  #: public exponent; 0: none
    blinds: tuple[int, ...] = ()  #: random numbers, in the order of Halves.blinds


class Part(NamedTuple):
    """Residue of a half that comes with the exponent of a request, at bit ``low``."""

    name: str
    half: int
    low: int
    nbits: int


@dataclass(frozen=True)
class Halves:
    """Layout of two numbers in one: half 0 in the low bits, each half padded to 32-bit words.

    Above the exponents stand the numbers that measures need, each padded to words.
    """

    nbits: int
    measures: tuple[Added, ...] = ()  #: additions of measures, in the order of their numbers

    def __repr__(self) -> str:
        # This text must stay as it is: modules in Verilog have it in their names, and so have the
        # keys of the flow's results.
        blinding = f"message={self.blinds_message}, exponent_nbits={self.multiple_nbits}"
        public = f"public_nbits={self.public_nbits}"
        return f"Halves(nbits={self.nbits}, {public}, blinding=Blinding({blinding}))"

    @property
    def padded_nbits(self) -> int:
        return _padded(self.nbits)

    @property
    def joined_nbits(self) -> int:
        return 2 * self.padded_nbits

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Numbers above the exponents of the halves, in order."""
        return tuple(number for added in self.measures for number in added.numbers(self.nbits))

    @property
    def blinds(self) -> tuple[Number, ...]:
        """Those of the ``numbers`` that are random."""
        return tuple(number for number in self.numbers if not number.odd)

    @property
    def public(self) -> Number | None:
        """Public exponent among the ``numbers``, to which the other exponents have to belong."""
        return next((number for number in self.numbers if number.odd), None)

    @property
    def public_nbits(self) -> int:
        """Width of the public exponent; 0: there is none."""
        return self.public.nbits if self.public else 0

    @property
    def multiple_nbits(self) -> int:
        """Width of a random multiple of p - 1 that is added to an exponent; 0: none is."""
        return sum(added.multiple_nbits for added in self.measures)

    @property
    def primes_only(self) -> str:
        """Say why no modulus may be a multiple of its prime; empty if it may."""
        return next((added.primes_only for added in self.measures if added.primes_only), "")

    @property
    def blinds_message(self) -> bool:
        return any(added.blinds_message for added in self.measures)

    @property
    def lows(self) -> tuple[int, ...]:
        """Lowest bit of each of the ``numbers`` in the exponent of a request."""
        widths = (_padded(number.nbits) for number in self.numbers)
        return tuple(accumulate(widths, initial=self.joined_nbits))[:-1]

    def low_of(self, name: str) -> int:
        """Lowest bit, in the exponent of a request, of a number of both halves."""
        keys = [number.key for number in self.numbers]
        return self.lows[keys.index(name)]

    @property
    def exponents_nbits(self) -> int:
        """Width of a request's exponent: two halves, and the numbers above them."""
        return self.joined_nbits + sum(_padded(number.nbits) for number in self.numbers)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Residues that come with the exponent of a request, where there is blinding."""
        found = []
        if self.multiple_nbits:
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
        values = [*zip(self.numbers, above, strict=True)]
        public = next((value for number, value in values if number.odd), 0)
        return Exponents(private, public, tuple(x for number, x in values if not number.odd))

    def joined_numbers(self, low: int, high: int, above: Sequence[int]) -> int:
        """Return the exponent of a request; missing numbers ``above`` are 0.

        ``ValueError`` if a number is wider than its place, and another one stands above it, or if
        a number has no place.
        """
        if len(above) > len(self.numbers):
            told = f"{len(above)} numbers above the exponents"
            raise ValueError(f"{told}: at most {len(self.numbers)} are allowed")
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
        """Return the exponent of a request (``joined_numbers``), with ``public`` if it has one."""
        drawn = iter(blinds)
        above = [public if number.odd else next(drawn, 0) for number in self.numbers]
        return self.joined_numbers(low, high, [*above, *drawn])

    def blinded_exponents(self, moduli: int, low: int, high: int, public: int, draw: Random) -> int:
        """Return the exponent of a request, with random numbers that leave the result unchanged.

        ``moduli`` carries p and q.
        """
        drawn = self.draw(self.split(moduli), (low, high), draw)
        # If a modulus is wider than a half, the request is refused; its numbers are cut to fit.
        blinds = [x & (1 << y.nbits) - 1 for x, y in zip(drawn, self.blinds, strict=True)]
        return self.joined_exponents(low, high, public, blinds)

    def draw(self, moduli: Sequence[int], private: Sequence[int], draw: Random) -> tuple[int, ...]:
        """Draw the random numbers of a request (``blinds``)."""
        return tuple(x for added in self.measures for x in added.draw(moduli, private, draw))

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
        """Compute the number below p * q that is ``base**e_p`` mod p and ``base**e_q`` mod q.

        Computed by `pow` and Gauss's sum, as a reference for Garner's formula in the models; 0 if p
        or q is 0, or they share a factor. With random numbers that were not drawn for these
        operands, the result is a circuit's, not the power.
        """
        p, q = self.split(moduli)
        if p == 0 or q == 0 or gcd(p, q) > 1:
            return 0
        of_p, of_q = (self._reference_half(base, exponents, m, i) for i, m in enumerate((p, q)))
        return (of_p * q * pow(q, -1, p) + of_q * p * pow(p, -1, q)) % (p * q)

    def _reference_half(self, base: int, exponents: int, modulus: int, half: int) -> int:
        exponent = self.split_numbers(exponents)[0][half]
        numbers, factors = self.numbers_of(exponents, half), 1
        for added in self.measures:
            base, exponent, factor = added.hidden(base, exponent, modulus, numbers)
            factors *= factor
        return pow(base, exponent, modulus) * factors % modulus

    def numbers_of(self, exponents: int, half: int | None = None) -> dict[str, int]:
        """Values of the ``numbers`` of a half, or (None) of both, by name."""
        above = self.split_numbers(exponents)[1]
        values = zip(self.numbers, above, strict=True)
        return {number.name: value for number, value in values if number.half in (None, half)}

    def is_confirmed(self, base: int, exponents: int, moduli: int) -> bool:
        """Whether all measures accept the result."""
        if not self.measures or 0 in self.split(moduli):
            return True
        result = self.reference_power(base, exponents, moduli)
        return all(
            added.confirms(result, base, modulus, self.numbers_of(exponents, half))
            for half, modulus in enumerate(self.split(moduli))
            for added in self.measures
        )

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
