"""Operands of the classes of a fixed against random test, and of the test of time."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from rsaxcel.circuit import Circuit
from rsaxcel.fl.blinded_key import UNVARIED, Variation, blinded_key
from rsaxcel.fl.keys import MIN_KEY_NBITS, Key, balanced_key, draw_prime
from rsaxcel.flow.requests import workload_operands
from rsaxcel.sim.corners import Operands

EXPONENT, BASE, MODULUS, NONE = "exponent", "base", "modulus", "none"

TESTS = (EXPONENT, BASE, MODULUS)  #: operands, one of which a test fixes in one class


@dataclass(frozen=True)
class OperandClasses:
    """Operands of both classes of a test."""

    #: draws operands of the class in which the tested operand is always the same
    fixed: Callable[[random.Random], Operands]
    varied: Callable[[random.Random], Operands]
    told: str  #: common properties of both classes, in words


def check_test(configuration: Circuit, test: str) -> None:
    """Raise ``ValueError`` if a test varies the modulus of a circuit that has only one."""
    if test == MODULUS and configuration.constant_modulus:
        told = "the circuit has one modulus only; exponent and base are allowed"
        raise ValueError(f"test=modulus: {told}")


ENOUGH_NBITS = 32
"""Width of the random numbers by which p - 1 and q - 1 are multiplied, from 64 bits on."""


def unhidden_nbits(configuration: Circuit) -> tuple[int, ...]:
    """Low bits of each private exponent that blinding leaves as they are; none if not blinded.

    If 2**t divides m - 1, it divides every multiple that is added to the exponent.
    """
    halves = configuration.halves
    if not halves or not halves.multiple_nbits:
        return ()
    moduli = halves.split(OperandSource(configuration).modulus)
    return tuple(((m - 1) & -(m - 1)).bit_length() - 1 for m in moduli)


def classes_of(
    configuration: Circuit, test: str, seed: int, variation: Variation = UNVARIED
) -> OperandClasses:
    """Return the two classes of operands of a test.

    Base and modulus tests have one exponent, exponent tests random bases in both classes; ``none``:
    random exponents. All but the modulus test have the standard key's modulus, if not varied by
    ``variation``. In the modulus test, bases have one bit less than moduli, for one distribution in
    both classes.
    """
    check_test(configuration, test)
    source = source_of(configuration, variation)
    request = source.request
    new = f"; new {variation}" if variation else ""
    draw = random.Random(f"{seed}/fixed")
    base, exponent = source.base(draw), source.exponent(draw)
    modulus = source.any_modulus(draw, exponent)
    own = source.modulus
    if test in (EXPONENT, NONE):

        def varied(draw: random.Random) -> Operands:
            return request(draw, source.base(draw), source.exponent(draw), own)

        def fixed(draw: random.Random) -> Operands:
            return request(draw, source.base(draw), exponent, own)

        return OperandClasses(
            varied if test == NONE else fixed, varied, f"random bases, one modulus{new}"
        )
    if test == BASE:
        return OperandClasses(
            lambda draw: request(draw, base, exponent, own),
            lambda draw: request(draw, source.base(draw), exponent, own),
            f"one exponent, one modulus{new}",
        )

    def other(draw: random.Random) -> Operands:
        base, drawn = source.short_base(draw), source.any_modulus(draw, exponent)
        return request(draw, base, exponent, drawn)

    return OperandClasses(
        lambda draw: request(draw, source.short_base(draw), exponent, modulus),
        other,
        f"random bases, one {'public ' if variation.factor_nbits else ''}exponent{new}",
    )


class OperandSource:
    """Draws operands that meet the input rules; ``request`` may draw the order of the halves."""

    def __init__(self, configuration: Circuit, variation: Variation = UNVARIED) -> None:
        self._configuration, self._variation = configuration, variation
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
        """Return operands with new random numbers; halves may be in a drawn order."""
        halves = self._configuration.halves
        if halves and self._variation.draw_swap(draw):
            (low, high), public, _ = halves.split_exponents(exponent)
            exponent = halves.joined_exponents(high, low, public)
            modulus = halves.joined(*reversed(halves.split(modulus)))
        if halves and halves.blinds:
            exponent = halves.reblinded(exponent, modulus, draw)
        return base, exponent, modulus

    def short_base(self, draw: random.Random) -> int:
        """Draw a base that is below each modulus of ``any_modulus``."""
        return draw.getrandbits(self._configuration.nbits - 1)

    def exponent(self, draw: random.Random, nbits: int | None = None) -> int:
        """Draw an exponent (each half) of up to ``nbits`` bits; by default, odd and of all bits.

        The public exponent of a design that checks its result is the standard workload's. It does
        not belong to the drawn exponents, so that the design refuses the result in the end.
        """
        halves = self._configuration.halves
        if halves is None:
            drawn = draw.getrandbits(self.exponent_nbits if nbits is None else nbits)
            rules = self._configuration.rules
            return max(drawn, rules.min_exponent if rules else 0)
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

    def any_modulus(self, draw: random.Random, exponent: int = 0) -> int:
        """Draw an odd modulus whose leading bit is 1, or two for two halves; any exponent suits."""
        nbits = self._configuration.nbits
        drawn = draw.getrandbits(nbits) | 1 << (nbits - 1) | 1
        return self._configuration.usable_modulus(drawn)


class BlindedSource(OperandSource):
    """Draws operands whose moduli are multiples of the primes of a key (``fl.blinded_key``).

    The key is narrower than the configuration by both random primes. A modulus stands for two
    primes, an exponent for a public exponent, of which the private ones follow; ``request`` makes
    operands of them, with new random primes. So a fixed exponent is a fixed private exponent of the
    key.
    """

    def __init__(self, configuration: Circuit, variation: Variation) -> None:
        halves, nbits = configuration.halves, variation.factor_nbits
        assert halves is not None
        self._configuration, self._halves, self._variation = configuration, halves, variation
        self._key_nbits = configuration.nbits - 2 * nbits
        if self._key_nbits < MIN_KEY_NBITS:
            least = MIN_KEY_NBITS + 2 * nbits
            told = f"a key of {MIN_KEY_NBITS} bits and two random primes of {nbits}"
            raise ValueError(f"{told}; give --nbits {least}")
        key = balanced_key(self._key_nbits, public_nbits=halves.public_nbits)
        self._e, self._below = key.e, key.n
        self.modulus = halves.joined(key.p, key.q)

    def request(self, draw: random.Random, base: int, exponent: int, modulus: int) -> Operands:
        """Return the operands of an operation: moduli that vary, and their exponents."""
        halves = self._halves
        key = blinded_key(*halves.split(modulus), exponent, self._variation, draw)
        moduli = halves.joined(*key.moduli)
        public = exponent if halves.public_nbits else 0
        exponents = halves.blinded_exponents(moduli, *key.private, public, draw)
        return base, exponents, moduli

    def short_base(self, draw: random.Random) -> int:
        """Draw a base that is below each modulus of ``any_modulus``."""
        return draw.getrandbits(self._key_nbits - 2)

    def exponent(self, draw: random.Random, nbits: int | None = None) -> int:
        """Draw a public exponent, as wide as the key or, with a check, as the checked exponent."""
        nbits = self._halves.public_nbits or self._key_nbits
        while True:
            e = draw.getrandbits(nbits) | 1
            if Key.of_primes(*self._halves.split(self.modulus), e):
                return e

    def any_modulus(self, draw: random.Random, exponent: int = 0) -> int:
        """Draw two primes that suit a public exponent; 0: that of the standard key."""
        half_nbits = self._key_nbits // 2
        while True:
            p, q = draw_prime(draw, self._key_nbits - half_nbits), draw_prime(draw, half_nbits)
            if p != q and Key.of_primes(p, q, exponent or self._e):
                return self._halves.joined(p, q)


def source_of(configuration: Circuit, variation: Variation = UNVARIED) -> OperandSource:
    """Return the source of operands; moduli vary by ``variation`` if the design allows it."""
    if told := variation.refusal(configuration.halves):
        raise ValueError(told)
    return (BlindedSource if variation.factor_nbits else OperandSource)(configuration, variation)
