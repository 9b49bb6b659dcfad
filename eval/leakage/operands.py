"""Operands of the classes of a fixed against random test, and of the test of time."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from catalog import Configuration
from flow.requests import Operands, workload_operands

EXPONENT, BASE, MODULUS, NONE = "exponent", "base", "modulus", "none"

TESTS = (EXPONENT, BASE, MODULUS)
"""Operands that the tests fix in one of their classes."""


@dataclass(frozen=True)
class Classes:
    """Operands of both classes of a test.

    Parameters
    ----------
    fixed, varied
        Functions that draw base, exponent and modulus of an operation of a class, from a random
        generator. In ``fixed`` the tested operand is always the same.
    told
        What both classes have in common, in words.
    """

    fixed: Callable[[random.Random], Operands]
    varied: Callable[[random.Random], Operands]
    told: str


def classes_of(configuration: Configuration, test: str, seed: int) -> Classes:
    """Return the classes of a test.

    In the test of the exponent, both classes have random bases. In the tests of base and modulus,
    both classes have one exponent. All but the test of the modulus have the modulus of the standard
    key. In the test of the modulus, bases have one bit less than moduli, so that their distribution
    is the same in both classes. In the test ``none``, both classes have random exponents. Random
    numbers of the request are new in each operation.

    Raises
    ------
    ValueError
        If the circuit has a constant modulus, and the test varies the modulus.
    """
    source = Source(configuration)
    request = source.request
    draw = random.Random(f"{seed}/fixed")
    base, exponent, modulus = source.base(draw), source.exponent(draw), source.any_modulus(draw)
    own = source.modulus
    if test in (EXPONENT, NONE):

        def varied(draw: random.Random) -> Operands:
            return request(draw, source.base(draw), source.exponent(draw), own)

        def fixed(draw: random.Random) -> Operands:
            return request(draw, source.base(draw), exponent, own)

        return Classes(varied if test == NONE else fixed, varied, "random bases, one modulus")
    if test == BASE:
        return Classes(
            lambda draw: request(draw, base, exponent, own),
            lambda draw: request(draw, source.base(draw), exponent, own),
            "one exponent, one modulus",
        )
    if configuration.constant_modulus:
        told = "the circuit has one modulus only; exponent and base are allowed"
        raise ValueError(f"test=modulus: {told}")
    return Classes(
        lambda draw: request(draw, source.short_base(draw), exponent, modulus),
        lambda draw: request(draw, source.short_base(draw), exponent, source.any_modulus(draw)),
        "random bases, one exponent",
    )


class Source:
    """Draws operands that meet the input rules of a configuration."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        _, exponent, self.modulus = workload_operands(configuration, 3, 1)[0]
        halves = configuration.halves
        self._below = self.modulus
        if halves:
            self._public = halves.split_exponents(exponent).public
            p, q = halves.split(self.modulus)
            self._below = p * q

    def base(self, draw: random.Random) -> int:
        """Draw a base below the standard modulus."""
        return draw.randrange(self._below)

    def request(self, draw: random.Random, base: int, exponent: int, modulus: int) -> Operands:
        """Return the operands of an operation, with new random numbers where it takes some."""
        halves = self._configuration.halves
        if halves and halves.blinds:
            exponent = halves.reblinded(exponent, modulus, draw)
        return base, exponent, modulus

    def short_base(self, draw: random.Random) -> int:
        """Draw a base that is below each modulus of ``any_modulus``."""
        return draw.getrandbits(self._configuration.nbits - 1)

    def exponent(self, draw: random.Random, nbits: int | None = None) -> int:
        """Draw an exponent of up to ``nbits`` bits, for each half; without it, of all bits.

        Without it, exponents of halves are odd.

        A design that checks its result gets the public exponent of the standard workload, which
        does not belong to the drawn ones: it refuses the result in the end.
        """
        halves = self._configuration.halves
        if halves is None:
            return draw.getrandbits(self.exponent_nbits if nbits is None else nbits)
        if nbits is None:  # odd, as in every RSA key: blinding cannot hide the lowest bit
            low, high = (draw.getrandbits(halves.nbits) | 1 for _ in "pq")
        else:
            low, high = (draw.getrandbits(nbits) for _ in "pq")
        return halves.joined_exponents(low, high, self._public)

    @property
    def exponent_nbits(self) -> int:
        """Bits of an exponent, or of an exponent for a half."""
        halves = self._configuration.halves
        return halves.nbits if halves else self._configuration.exponent_nbits

    def any_modulus(self, draw: random.Random) -> int:
        """Draw an odd modulus whose leading bit is 1, or two such numbers for two halves."""
        nbits = self._configuration.nbits
        drawn = draw.getrandbits(nbits) | 1 << (nbits - 1) | 1
        return self._configuration.usable_modulus(drawn)
