"""What a design or a multiplier computes, by Python's own integers.

Results and statuses to expect come from here and from the input rules, never from a model.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import gcd
from typing import Any, Protocol

from catalog import MultiplierConfiguration
from fl.keys import MIN_KEY_NBITS, Key
from fl.status import InputRules, Status
from plan.halves import Halves
from sim import corners
from sim.corners import Operands

KeyOf = Callable[[int], Key]
"""A key by its number, below ``NUM_KEYS``."""

NUM_KEYS = 4
_FAULT_SHARE = 1 / 50
_KEY_SHARE = 1 / 8


class Operation(Protocol):
    """How to run and check one configuration.

    Attributes
    ----------
    keys : tuple of str
        Names of values in vectors.
    """

    keys: tuple[str, ...]

    def operands(self, *values: int) -> Operands:
        """Operands that such values are."""

    def values(self, operands: Operands) -> tuple[int, ...]:
        """Values that operands are made of."""

    def status(self, operands: Operands) -> Status:
        """Status to expect, by the input rules."""

    def undefined(self, operands: Operands) -> str:
        """Say why operands that break no rule have no result; empty where they have one."""

    def result(self, operands: Operands) -> int:
        """Give the result to expect of operands that break no rule."""

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Values of a vector's ``expect`` that stand for this result."""

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw operands; see ``sim.vectors.random_vectors``."""

    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw operands that break no rule: ends of ranges, products that are a multiple of m."""


class _Three:
    """Operations whose operands are values themselves."""

    odd_modulus: bool
    constant_modulus: int
    keys: tuple[str, ...]
    exponent_nbits: int

    def operands(self, *values: int) -> Operands:
        """Operands that such values are."""
        first, second, modulus = values
        return first, second, modulus

    def values(self, operands: Operands) -> tuple[int, ...]:
        """Values that operands are made of."""
        return operands

    def undefined(self, operands: Operands) -> str:
        """All have one."""
        return ""

    def _draw(self, draw: random.Random, nbits: int, key: KeyOf, is_power: bool) -> Operands:
        # Every draw takes place whatever is done with it: the next ones stay the same.
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
        # Not randrange, whose number of draws depends on the modulus, and so on the design.
        base = draw.getrandbits(nbits) % modulus
        if not is_power:
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
        """Draw a corner; see ``sim.corners``."""
        rules = self.odd_modulus, self.constant_modulus, self.exponent_nbits
        return corners.draw_corner(draw, nbits, *rules)


class Power(_Three):
    """``base**exp mod n``, of whoever has these input rules."""

    keys: tuple[str, ...] = ("base", "exp", "n")

    def __init__(self, rules: InputRules) -> None:
        self._rules = rules
        self.odd_modulus = rules.odd_modulus
        self.constant_modulus = rules.constant_modulus
        self.exponent_nbits = rules.exponent_nbits or rules.nbits

    def status(self, operands: Operands) -> Status:
        """Status to expect, by the input rules."""
        return self._rules.status(*operands)

    def result(self, operands: Operands) -> int:
        """Python's ``pow``."""
        return pow(*operands)

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Only the result itself."""
        return (pow(*operands),)

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw base, exponent and modulus."""
        return self._draw(draw, nbits, key, is_power=True)


class PowerOfHalves:
    """The number below p * q that is ``base**dp mod p`` and ``base**dq mod q``."""

    keys: tuple[str, ...] = ("base", "p", "q", "dp", "dq")

    def __init__(self, rules: InputRules, halves: Halves) -> None:
        self._rules, self.halves = rules, halves

    def operands(self, *values: int) -> Operands:
        """Operands that such values are.

        Raises
        ------
        ValueError
            If a number has no place beside its other half.
        """
        base, p, q, dp, dq = values
        for name, value in (("p", p), ("dp", dp)):
            if value.bit_length() > self.halves.padded_nbits:
                bits = f"{value.bit_length()} bits, half_nbits={self.halves.nbits}"
                raise ValueError(
                    f"{name!r} has {bits}, with which up to {self.halves.padded_nbits} can be given"
                )
        return base, self.halves.joined(dp, dq), self.halves.joined(p, q)

    def values(self, operands: Operands) -> tuple[int, ...]:
        """Values that operands are made of."""
        base, exponents, moduli = operands
        return (base, *self.halves.split(moduli), *self.halves.split(exponents))

    def status(self, operands: Operands) -> Status:
        """Status to expect, by the input rules."""
        return self._rules.status(*operands)

    def undefined(self, operands: Operands) -> str:
        """Check what no circuit does: that p and q share no factor, and that their product fits."""
        p, q = self.halves.split(operands[2])
        if (factor := gcd(p, q)) > 1:
            return f"p and q share a factor, {factor:#x}"
        needed, most = (p * q).bit_length(), self._rules.nbits
        return f"p q has {needed} bits, up to {most} are allowed" if needed > most else ""

    def result(self, operands: Operands) -> int:
        """Python's ``pow``, joined by Gauss's sum; 0 where p and q share a factor."""
        return self.halves.reference_power(*operands)

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Only the result itself."""
        return (self.result(operands),)

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw a base, two odd numbers without a common factor, and exponents."""
        half_nbits = self.halves.nbits
        found = key(draw.randrange(NUM_KEYS)) if nbits >= MIN_KEY_NBITS else None
        p = q = 1
        while p < 3 or q < 3 or gcd(p, q) > 1:
            sizes = draw.randint(2, half_nbits), draw.randint(2, nbits - half_nbits)
            p, q = (draw.getrandbits(size) | 1 << size - 1 | 1 for size in sizes)
        dp, dq = (draw.getrandbits(draw.randint(0, half_nbits)) for _ in "pq")
        if found and draw.random() < _KEY_SHARE and fits((found.p, found.q), self.halves):
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
        return self.operands(base, p, q, dp, dq)

    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw p and q at the ends of their ranges, a base that one of them divides or an end."""
        sizes = self.halves.nbits, nbits - self.halves.nbits
        ends = ([x | 1 for x in corners.moduli(size) if x >= 3] for size in sizes)
        p, q = draw.choice([pair for pair in product(*ends) if gcd(*pair) == 1])
        base = draw.choice(
            [*corners.residues(p * q), p, q, p * draw.randrange(q), (1 << nbits) - 1]
        )
        dp, dq = (draw.choice(corners.exponents(self.halves.nbits)) for _ in "pq")
        return self.operands(base, p, q, dp, dq)


class Product(_Three):
    """``a * b / R mod n``, where R is 1 unless the multiplier is a Montgomery multiplier."""

    keys: tuple[str, ...] = ("a", "b", "n")
    exponent_nbits = 0

    def __init__(self, configuration: MultiplierConfiguration) -> None:
        self._configuration = configuration
        self._r = configuration.r
        self.odd_modulus = configuration.golden.odd_modulus
        self.constant_modulus = configuration.constant_modulus

    def status(self, operands: Operands) -> Status:
        """Status to expect, by the input rules."""
        return self._configuration.outcome(*operands).status

    def result(self, operands: Operands) -> int:
        """Product with the multiplier's own factor 1/R."""
        a, b, modulus = operands
        return a * b * pow(self._r, -1, modulus) % modulus

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Give the result, and the plain product, which most vectors have."""
        a, b, modulus = operands
        return (self.result(operands), a * b % modulus)

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw a, b and a modulus."""
        return self._draw(draw, nbits, key, is_power=False)


def operation(configuration: Any) -> Operation:
    """Operation of a design's or a multiplier's configuration."""
    if isinstance(configuration, MultiplierConfiguration):
        return Product(configuration)
    rules: InputRules = configuration.rules
    return PowerOfHalves(rules, rules.halves) if rules.halves else Power(rules)


def named(to_do: Operation, operands: Operands) -> Mapping[str, int]:
    """Values of operands by the names that vectors have."""
    return dict(zip(to_do.keys, to_do.values(operands), strict=True))


def fits(primes: Sequence[int], halves: Halves) -> bool:
    """Whether the primes of a key do."""
    return max(primes).bit_length() <= halves.nbits


def prime_too_wide(primes: Sequence[int], halves: Halves) -> str:
    """Say what is wrong with primes that do not fit, and what takes them."""
    needed = max(primes).bit_length()
    return (
        f"{Status.OPERAND_TOO_WIDE}: a prime has {needed} bits, half_nbits={halves.nbits}; "
        f"--param half_nbits={needed} takes it"
    )
