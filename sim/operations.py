"""Operations of designs and multipliers, computed with Python's integers.

Expected results come from this module, never from a model under test. Expected statuses come from
the input rules of a design, or from the contract of a multiplier (in its FL class).
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import gcd
from typing import Any, Protocol

from catalog import MultiplierConfiguration
from fl.keys import MIN_KEY_NBITS, Key, balanced_primes
from fl.status import InputRules, Status
from plan.halves import Halves, expected_power
from sim import corners
from sim.corners import Operands

KeyOf = Callable[[int], Key]
"""Function from a number below ``NUM_KEYS`` to a key."""

NUM_KEYS = 4
_FAULT_SHARE = 1 / 50
_KEY_SHARE = 1 / 8
_CONFIRMED_SHARE = 3 / 4
_MOST_DRAWS = 100
PUBLIC = "e"
"""Name of the public exponent in a vector, for a design that checks its result by it."""


class Operation(Protocol):
    """Operation of one configuration: its operands, expected answers and random operands.

    Attributes
    ----------
    keys : tuple of str
        Names of the values in a vector.
    """

    keys: tuple[str, ...]

    def operands(self, *values: int) -> Operands:
        """Return the operands that the circuit takes, given a vector's values in ``keys``' order.

        By CRT, the two exponents are joined to one operand, and so are the two moduli.
        """

    def values(self, operands: Operands) -> tuple[int, ...]:
        """Return a vector's values in the order of ``keys``, given the operands of a request.

        By CRT, the operands that ``operands`` joins are split again.
        """

    def status(self, operands: Operands) -> Status:
        """Return the status expected for operands, by the input rules or the contract."""

    def undefined(self, operands: Operands) -> str:
        """Say why operands have no defined result although they meet the input rules.

        The text is empty if the result is defined.
        """

    def result(self, operands: Operands) -> int:
        """Return the expected result of operands that meet the input rules."""

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Return all values of ``expect``, the result given in a vector, that count as correct."""

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw random operands, some of them with an RSA key; a few break an input rule."""

    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw operands at the ends of ranges, or whose product is a multiple of the modulus.

        The operands meet the input rules.
        """


class _ThreeOperands:
    """Base class of operations with three operands, which equal the three values of a vector."""

    odd_modulus: bool
    constant_modulus: int
    keys: tuple[str, ...]
    exponent_nbits: int

    def operands(self, *values: int) -> Operands:
        """Return the three values of a vector as operands, unchanged."""
        first, second, modulus = values
        return first, second, modulus

    def values(self, operands: Operands) -> tuple[int, ...]:
        """Return the operands as the values of a vector, unchanged."""
        return operands

    def undefined(self, operands: Operands) -> str:
        """Return an empty text: all operands that meet the input rules have a defined result."""
        return ""

    def _draw(self, draw: random.Random, nbits: int, key: KeyOf, is_power: bool) -> Operands:
        # Every number is drawn, even if it is not used, so that the numbers drawn later do not
        # depend on the design.
        modulus_nbits = draw.randint(2, nbits)
        modulus = draw.getrandbits(modulus_nbits) | 1 << (modulus_nbits - 1)
        if self.odd_modulus:
            modulus |= 1
        second = draw.getrandbits(draw.randint(0, nbits))
        number, exponent = draw.choice(range(NUM_KEYS)), draw.choice(("e", "d"))
        if draw.random() < _KEY_SHARE and nbits >= MIN_KEY_NBITS:
            modulus = key(number).n
            if is_power:
                second = getattr(key(number), exponent)
        modulus = self.constant_modulus or modulus
        # Not randrange: its number of draws depends on the modulus, and thus on the design.
        base = draw.getrandbits(nbits) % modulus
        if is_power:
            second &= (1 << self.exponent_nbits) - 1
        else:
            second %= modulus
        operands = [base, second, modulus]
        fault, where = draw.random(), draw.randrange(3)
        extra = draw.getrandbits(nbits)
        if fault < _FAULT_SHARE / 4:
            operands[where] |= 1 << (nbits + extra % 8)
        elif fault < _FAULT_SHARE / 2:
            operands[0] = max(modulus, extra)
        elif fault < _FAULT_SHARE * 3 / 4:
            operands[2] = modulus & ~1
        elif fault < _FAULT_SHARE:
            operands[2] = extra % 3
        base, second, modulus = operands
        return base, second, modulus

    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw operands of a corner case, such as the largest modulus; see ``sim.corners``."""
        rules = self.odd_modulus, self.constant_modulus, self.exponent_nbits
        return corners.draw_corner(draw, nbits, *rules)


class Power(_ThreeOperands):
    """Exponentiation ``base**exp mod n`` with given input rules."""

    keys: tuple[str, ...] = ("base", "exp", "n")

    def __init__(self, rules: InputRules) -> None:
        self._rules = rules
        self.odd_modulus = rules.odd_modulus
        self.constant_modulus = rules.constant_modulus
        self.exponent_nbits = rules.exponent_nbits or rules.nbits

    def status(self, operands: Operands) -> Status:
        """Return the expected status, by the input rules."""
        return self._rules.status(*operands)

    def result(self, operands: Operands) -> int:
        """Return the power, by Python's ``pow``."""
        return expected_power(*operands)

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Return the correct values of ``expect`` in a vector: only the result."""
        return (self.result(operands),)

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw base, exponent and modulus."""
        return self._draw(draw, nbits, key, is_power=True)


class PowerOfHalves:
    """Exponentiation by CRT.

    The result is the number r < p*q with r = base**dp (mod p) and r = base**dq (mod q). A design
    that checks it by the public exponent e takes e, too, and refuses the result if r**e is not the
    base.
    """

    keys: tuple[str, ...] = ("base", "p", "q", "dp", "dq")

    def __init__(self, rules: InputRules, halves: Halves) -> None:
        self._rules, self.halves = rules, halves
        if halves.public_nbits:
            self.keys = (*self.keys, PUBLIC)

    def operands(self, *values: int) -> Operands:
        """Return the base, one number with all exponents, and one number with both moduli.

        Raises
        ------
        ValueError
            If ``p`` or ``dp`` is wider than a half with its padding: the design's parameter
            ``half_nbits``, rounded up to a multiple of 32. With a public exponent, which stands
            above ``dq``, the same holds for ``dq``.
        """
        base, p, q, dp, dq, *public = values
        for name, value in (("p", p), ("dp", dp), *([("dq", dq)] if public else [])):
            if value.bit_length() > self.halves.padded_nbits:
                bits = f"{value.bit_length()} bits; half_nbits={self.halves.nbits}"
                raise ValueError(f"{name!r} has {bits} takes up to {self.halves.padded_nbits}")
        return base, self.halves.joined_exponents(dp, dq, *public), self.halves.joined(p, q)

    def values(self, operands: Operands) -> tuple[int, ...]:
        """Split operands into the values of a vector: base, p, q, dp, dq, and e if there is one."""
        base, exponents, moduli = operands
        split = self.halves.split_exponents(exponents)
        return (base, *self.halves.split(moduli), *split)[: len(self.keys)]

    def status(self, operands: Operands) -> Status:
        """Return the expected status, by the input rules, then by the check of the result."""
        status = self._rules.status(*operands)
        if status is Status.OK and not self.halves.is_confirmed(*operands):
            return Status.FAULT_DETECTED
        return status

    def undefined(self, operands: Operands) -> str:
        """Say that p and q share a factor, or that p*q is too wide; empty text if neither is true.

        No circuit checks these conditions.
        """
        p, q = self.halves.split(operands[2])
        if (factor := gcd(p, q)) > 1:
            return f"p and q share a factor, {factor:#x}"
        needed, most = (p * q).bit_length(), self._rules.nbits
        return f"p*q has {needed} bits, up to {most} are allowed" if needed > most else ""

    def result(self, operands: Operands) -> int:
        """Return the power, by ``pow`` and the CRT sum of Gauss; 0 if p and q share a factor."""
        return expected_power(*operands, self.halves)

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Return the correct values of ``expect`` in a vector: only the result."""
        return (self.result(operands),)

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw a base, odd p and q without a common factor, and exponents.

        A few operands break an input rule.
        """
        half_nbits = self.halves.nbits
        found = key(draw.randrange(NUM_KEYS)) if nbits >= MIN_KEY_NBITS else None
        p = q = 1
        while p < 3 or q < 3 or gcd(p, q) > 1:
            sizes = draw.randint(2, half_nbits), draw.randint(2, nbits - half_nbits)
            p, q = (draw.getrandbits(size) | 1 << size - 1 | 1 for size in sizes)
        dp, dq = (draw.getrandbits(draw.randint(0, half_nbits)) for _ in "pq")
        public: list[int] = []
        if self.halves.public_nbits:
            p, q, dp, dq, *public = self._draw_confirmed(draw, nbits, (p, q, dp, dq))
        elif found and draw.random() < _KEY_SHARE and fits((found.p, found.q), self.halves):
            p, q, dp, dq = found.halves(draw.choice((found.e, found.d)))
        base, fault, extra = draw.getrandbits(nbits), draw.random(), draw.getrandbits(nbits)
        if fault < _FAULT_SHARE / 4:
            base |= 1 << nbits + extra % 8
        elif fault < _FAULT_SHARE / 2:
            p &= ~1
        elif fault < _FAULT_SHARE * 3 / 4:
            q = extra % 3
        elif fault < _FAULT_SHARE:
            q |= 1 << half_nbits + extra % 8
        return self.operands(base, p, q, dp, dq, *public)

    def _draw_confirmed(
        self, draw: random.Random, nbits: int, drawn: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Draw a public exponent, and mostly primes with the exponents that belong to it.

        A few public exponents are even, or do not belong to the exponents.
        """
        p, q, dp, dq = drawn
        public = draw.getrandbits(self.halves.public_nbits)
        if draw.random() >= _FAULT_SHARE:
            public |= 1
        if nbits >= MIN_KEY_NBITS and draw.random() < _CONFIRMED_SHARE:
            p, q = balanced_primes(nbits, draw.randrange(NUM_KEYS))
            for _ in range(_MOST_DRAWS):
                e = draw.getrandbits(self.halves.public_nbits) | 1
                if gcd(e, (p - 1) * (q - 1)) == 1:
                    return p, q, pow(e, -1, p - 1), pow(e, -1, q - 1), e
        return p, q, dp, dq, public

    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw p and q at the ends of their ranges, without a common factor.

        The base is a multiple of p or q, or a corner of its range.
        """
        sizes = self.halves.nbits, nbits - self.halves.nbits
        ends = ([x | 1 for x in corners.moduli(size) if x >= 3] for size in sizes)
        p, q = draw.choice([pair for pair in product(*ends) if gcd(*pair) == 1])
        base = draw.choice(
            [*corners.residues(p * q), p, q, p * draw.randrange(q), (1 << nbits) - 1]
        )
        dp, dq = (draw.choice(corners.exponents(self.halves.nbits)) for _ in "pq")
        public = []
        if self.halves.public_nbits:
            public = [draw.choice(corners.exponents(self.halves.public_nbits)) | 1]
        return self.operands(base, p, q, dp, dq, *public)


class Product(_ThreeOperands):
    """Product ``a * b / R mod n``; R is 1 except in Montgomery multipliers."""

    keys: tuple[str, ...] = ("a", "b", "n")
    exponent_nbits = 0

    def __init__(self, configuration: MultiplierConfiguration) -> None:
        self._configuration = configuration
        self._r = configuration.r
        self.odd_modulus = configuration.golden.odd_modulus
        self.constant_modulus = configuration.constant_modulus

    def status(self, operands: Operands) -> Status:
        """Return the expected status, by the multiplier's contract."""
        return self._configuration.outcome(*operands).status

    def result(self, operands: Operands) -> int:
        """Return ``a * b / R mod n``, with the multiplier's R."""
        a, b, modulus = operands
        return a * b * pow(self._r, -1, modulus) % modulus

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Return the correct values of ``expect`` in a vector: the result, and ``a * b mod n``.

        They differ for Montgomery multipliers, but most files of vectors have ``a * b mod n``.
        """
        a, b, modulus = operands
        return (self.result(operands), a * b % modulus)

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw two operands and a modulus."""
        return self._draw(draw, nbits, key, is_power=False)


class Remainder:
    """Remainder ``a mod n`` of a wide operand; as operands, b is 0."""

    keys: tuple[str, ...] = ("a", "n")

    def __init__(self, configuration: MultiplierConfiguration) -> None:
        self._configuration = configuration
        self._golden = configuration.golden

    def operands(self, *values: int) -> Operands:
        """Return a and n as operands, with a 0 for b."""
        a, modulus = values
        return a, 0, modulus

    def values(self, operands: Operands) -> tuple[int, ...]:
        """Return a and n."""
        a, _, modulus = operands
        return a, modulus

    def status(self, operands: Operands) -> Status:
        """Return the expected status, by the contract."""
        return self._configuration.outcome(*operands).status

    def undefined(self, operands: Operands) -> str:
        """Return an empty text: all operands that meet the contract have a defined result."""
        return ""

    def result(self, operands: Operands) -> int:
        """Return ``a mod n``."""
        a, _, modulus = operands
        return a % modulus

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Return the correct values of ``expect`` in a vector: only the result."""
        return (self.result(operands),)

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw an operand and a modulus, bit length first; a few operands are too large."""
        modulus_nbits = draw.randint(2, nbits)
        drawn = draw.getrandbits(modulus_nbits) | 1 << (modulus_nbits - 1)
        modulus = self._golden.constant_modulus or drawn
        limit = self._golden.operand_limit(modulus)
        a = draw.getrandbits(draw.randint(0, limit.bit_length())) % limit
        if draw.random() < _FAULT_SHARE:
            a += limit
        return a, 0, modulus

    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw an operand at an end of its range or next to a multiple of the modulus."""
        drawn = draw.choice([x for x in corners.moduli(nbits) if x >= 2])
        modulus = self._golden.constant_modulus or drawn
        limit = self._golden.operand_limit(modulus)
        near = draw.randrange(1, limit // modulus) * modulus
        ends = (0, 1, modulus - 1, modulus, near - 1, near, near + 1, limit - 2, limit - 1)
        return draw.choice(ends), 0, modulus


def operation(configuration: Any) -> Operation:
    """Return what a configuration computes.

    It is a ``Remainder`` for a reducer, a ``Product`` for a multiplier, ``PowerOfHalves`` for a
    design with halves, else ``Power``.
    """
    if isinstance(configuration, MultiplierConfiguration):
        unary = configuration.golden.unary
        return Remainder(configuration) if unary else Product(configuration)
    rules: InputRules = configuration.rules
    return PowerOfHalves(rules, rules.halves) if rules.halves else Power(rules)


def expected_response(to_do: Operation, operands: Operands) -> tuple[int, Status]:
    """Return the expected result and status; the result is 0 unless the status is ok."""
    status = to_do.status(operands)
    return (to_do.result(operands) if status is Status.OK else 0), status


def named(to_do: Operation, operands: Operands) -> Mapping[str, int]:
    """Convert operands to the values of a vector, as a mapping from names such as ``base``."""
    return dict(zip(to_do.keys, to_do.values(operands), strict=True))


def fits(primes: Sequence[int], halves: Halves) -> bool:
    """Return whether the primes of a key fit: none of them has more than ``halves.nbits`` bits."""
    return max(primes).bit_length() <= halves.nbits


def prime_too_wide(primes: Sequence[int], halves: Halves) -> str:
    """Message that a prime of a key is too wide; it names the value of ``half_nbits`` that fits."""
    needed = max(primes).bit_length()
    return (
        f"{Status.OPERAND_TOO_WIDE}: a prime has {needed} bits, half_nbits={halves.nbits}; "
        f"--param half_nbits={needed} takes it"
    )
