"""Operations of designs and multipliers, computed with Python's integers.

Expected results never come from a model under test; statuses come from the input rules, or from a
multiplier's contract.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import gcd

from rsaxcel.circuit import Circuit, Halves, ProductCircuit, expected_power, is_product
from rsaxcel.fl.keys import MIN_KEY_NBITS, Key, balanced_primes
from rsaxcel.fl.status import InputRules, Status
from rsaxcel.sim import corners
from rsaxcel.sim.corners import Operands

KeyOf = Callable[[int], Key]  #: returns the key of a number below NUM_KEYS

NUM_KEYS = 4
FAULT_SHARE = 1 / 50  #: share of random operands that break an input rule

KEY_SHARE = 1 / 8  #: share of random operands that come from an RSA key


class Operation(ABC):
    """Operation of one configuration: its operands, expected answers and random operands."""

    keys: tuple[str, ...]  #: names of the values in a vector
    optional: tuple[str, ...] = ()  #: random numbers in a vector that do not change the result

    def fill(self, values: Mapping[str, int]) -> Mapping[str, int]:
        """Return a vector's values, with missing optional ones drawn, always the same numbers."""
        return values

    @abstractmethod
    def operands(self, *values: int) -> Operands:
        """Return the circuit's operands from values in ``keys``' order.

        CRT joins exponents and moduli.
        """

    @abstractmethod
    def values(self, operands: Operands) -> tuple[int, ...]:
        """Return a vector's values in the order of ``keys``; the reverse of ``operands``."""

    @abstractmethod
    def status(self, operands: Operands) -> Status:
        """Return the status expected for operands, by the input rules or the contract."""

    def undefined(self, operands: Operands) -> str:
        """Say why operands have no defined result although they meet the input rules.

        The text is empty if the result is defined.
        """
        return ""

    @abstractmethod
    def result(self, operands: Operands) -> int:
        """Return the expected result of operands that meet the input rules."""

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Return all values of ``expect``, the result given in a vector, that count as correct."""
        return (self.result(operands),)

    @abstractmethod
    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw random operands, some of them with an RSA key; a few break an input rule."""

    @abstractmethod
    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw valid operands at ends of ranges, or with a product that is 0 mod the modulus."""


class _ThreeOperands(Operation):
    """Base class of operations with three operands, which equal the three values of a vector."""

    odd_modulus: bool
    constant_modulus: int
    exponent_nbits: int  #: 0: the operation is a product
    min_modulus = 2
    min_exponent = 0

    def operands(self, *values: int) -> Operands:
        first, second, modulus = values
        return first, second, modulus

    def values(self, operands: Operands) -> tuple[int, ...]:
        return operands

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        # Every number is drawn, even if it is not used, so that the numbers drawn later do not
        # depend on the design.
        is_power = self.exponent_nbits > 0
        modulus_nbits = draw.randint(2, nbits)
        modulus = draw.getrandbits(modulus_nbits) | 1 << (modulus_nbits - 1)
        if self.odd_modulus:
            modulus |= 1
        if modulus < self.min_modulus:
            modulus |= self.min_modulus
        second = draw.getrandbits(draw.randint(0, nbits))
        number, exponent = draw.choice(range(NUM_KEYS)), draw.choice(("e", "d"))
        if draw.random() < KEY_SHARE and nbits >= MIN_KEY_NBITS:
            modulus = key(number).n
            if is_power:
                second = getattr(key(number), exponent)
        modulus = self.constant_modulus or modulus
        # Not randrange: its number of draws depends on the modulus, and thus on the design.
        base = draw.getrandbits(nbits) % modulus
        if is_power:
            second = max(second & (1 << self.exponent_nbits) - 1, self.min_exponent)
        else:
            second %= modulus
        operands = [base, second, modulus]
        fault, where = draw.random(), draw.randrange(3)
        extra = draw.getrandbits(nbits)
        if fault < FAULT_SHARE / 4:
            operands[where] |= 1 << (nbits + extra % 8)
        elif fault < FAULT_SHARE / 2:
            operands[0] = max(modulus, extra)
        elif fault < FAULT_SHARE * 3 / 4:
            operands[2] = modulus & ~1
        elif fault < FAULT_SHARE:
            operands[2] = extra % 3
        base, second, modulus = operands
        return base, second, modulus

    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        rules = self.odd_modulus, self.constant_modulus, self.exponent_nbits
        least = self.min_modulus, self.min_exponent
        return corners.draw_corner(draw, nbits, *rules, *least)


class PowerOperation(_ThreeOperands):
    """Exponentiation ``base**exp mod n`` with given input rules."""

    keys = ("base", "exp", "n")

    def __init__(self, rules: InputRules) -> None:
        self._rules = rules
        self.odd_modulus = rules.odd_modulus
        self.constant_modulus = rules.constant_modulus
        self.exponent_nbits = rules.exponent_nbits or rules.nbits
        self.min_modulus, self.min_exponent = rules.min_modulus, rules.min_exponent

    def status(self, operands: Operands) -> Status:
        return self._rules.status(*operands)

    def result(self, operands: Operands) -> int:
        return expected_power(*operands)


class ProductOperation(_ThreeOperands):
    """Product ``a * b / R mod n``; R is 1 except in Montgomery multipliers."""

    keys = ("a", "b", "n")
    exponent_nbits = 0

    def __init__(self, circuit: ProductCircuit) -> None:
        self._circuit = circuit
        self._r = circuit.r
        self.odd_modulus = circuit.golden.odd_modulus
        self.constant_modulus = circuit.constant_modulus

    def status(self, operands: Operands) -> Status:
        return self._circuit.outcome(*operands).status

    def result(self, operands: Operands) -> int:
        a, b, modulus = operands
        return a * b * pow(self._r, -1, modulus) % modulus

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Accept ``a * b mod n``, too: most files expect it, also from Montgomery multipliers."""
        a, b, modulus = operands
        return (self.result(operands), a * b % modulus)


class RemainderOperation(Operation):
    """Remainder ``a mod n`` of a wide operand; as operands, b is 0."""

    keys = ("a", "n")

    def __init__(self, circuit: ProductCircuit) -> None:
        self._circuit = circuit
        self._golden = circuit.golden

    def operands(self, *values: int) -> Operands:
        a, modulus = values
        return a, 0, modulus

    def values(self, operands: Operands) -> tuple[int, ...]:
        a, _, modulus = operands
        return a, modulus

    def status(self, operands: Operands) -> Status:
        return self._circuit.outcome(*operands).status

    def result(self, operands: Operands) -> int:
        a, _, modulus = operands
        return a % modulus

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw an operand and a modulus, bit length first; a few operands are too large."""
        modulus_nbits = draw.randint(2, nbits)
        drawn = draw.getrandbits(modulus_nbits) | 1 << (modulus_nbits - 1)
        modulus = self._golden.constant_modulus or drawn
        limit = self._golden.operand_limit(modulus)
        a = draw.getrandbits(draw.randint(0, limit.bit_length())) % limit
        if draw.random() < FAULT_SHARE:
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


PUBLIC = "e"  #: name of the public exponent in a vector, for a design that checks its result

_CONFIRMED_SHARE = 3 / 4
_MOST_DRAWS = 100


class PowerOfHalves(Operation):
    """Exponentiation by CRT: r < p*q with r = base**dp (mod p) and r = base**dq (mod q).

    A design with a check takes the public exponent e, too, and refuses the result unless r**e is
    the base modulo p and q. Blinding or dummies take random numbers; a vector without random
    numbers gets some (``fill``).
    """

    keys: tuple[str, ...] = ("base", "p", "q", "dp", "dq")

    def __init__(self, rules: InputRules, halves: Halves) -> None:
        self._rules, self.halves = rules, halves
        self.optional = tuple(x.key for x in halves.numbers if not x.odd)
        self.keys = (*self.keys, *(PUBLIC if x.odd else x.key for x in halves.numbers))

    def fill(self, values: Mapping[str, int]) -> Mapping[str, int]:
        """Return the values, with drawn random numbers if there are none.

        ``ValueError`` if only some random numbers are there.
        """
        known = [name in values for name in self.optional]
        if all(known):
            return values
        if any(known):
            raise ValueError(f"{', '.join(self.optional)}: all of them, or none, are allowed")
        moduli, private = ([values[x] for x in names] for names in (("p", "q"), ("dp", "dq")))
        draw = random.Random(repr(sorted(values.items())))
        drawn = self.halves.draw(moduli, private, draw)
        return {**values, **dict(zip(self.optional, drawn, strict=True))}

    def operands(self, *values: int) -> Operands:
        """Return the base, one number with all exponents, and one number with both moduli.

        ``ValueError`` if ``p`` or ``dp`` (and ``dq``, if numbers stand above it) is wider than
        ``half_nbits``, rounded up to a multiple of 32.
        """
        base, p, q, dp, dq, *above = values
        for name, value in (("p", p), ("dp", dp), *([("dq", dq)] if above else [])):
            if value.bit_length() > self.halves.padded_nbits:
                bits = f"{value.bit_length()} bits; half_nbits={self.halves.nbits}"
                raise ValueError(f"{name!r} has {bits} takes up to {self.halves.padded_nbits}")
        return base, self.halves.joined_numbers(dp, dq, above), self.halves.joined(p, q)

    def values(self, operands: Operands) -> tuple[int, ...]:
        base, exponents, moduli = operands
        private, above = self.halves.split_numbers(exponents)
        return (base, *self.halves.split(moduli), *private, *above)

    def status(self, operands: Operands) -> Status:
        """Return the expected status, by the input rules, then by the check of the result."""
        status = self._rules.status(*operands)
        if status is Status.OK and not self.halves.is_confirmed(*operands):
            return Status.FAULT_DETECTED
        return status

    def undefined(self, operands: Operands) -> str:
        """Say that p and q share a factor, or that p*q is too wide; no circuit checks this."""
        p, q = self.halves.split(operands[2])
        if (factor := gcd(p, q)) > 1:
            return f"p and q share a factor, {factor:#x}"
        needed, most = (p * q).bit_length(), self._rules.nbits
        return f"p*q has {needed} bits, up to {most} are allowed" if needed > most else ""

    def result(self, operands: Operands) -> int:
        """Return the power, by ``pow`` and the CRT sum of Gauss; 0 if p and q share a factor."""
        return expected_power(*operands, self.halves)

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw a base, odd p and q without a common factor, and exponents.

        A few break an input rule.
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
        elif found and draw.random() < KEY_SHARE and fits((found.p, found.q), self.halves):
            p, q, dp, dq = found.halves(draw.choice((found.e, found.d)))
        base, fault, extra = draw.getrandbits(nbits), draw.random(), draw.getrandbits(nbits)
        if fault < FAULT_SHARE / 4:
            base |= 1 << nbits + extra % 8
        elif fault < FAULT_SHARE / 2:
            p &= ~1
        elif fault < FAULT_SHARE * 3 / 4:
            q = extra % 3
        elif fault < FAULT_SHARE:
            q |= 1 << half_nbits + extra % 8
        return self._drawn(draw, base, p, q, dp, dq, *public)

    def _drawn(
        self, draw: random.Random, base: int, p: int, q: int, dp: int, dq: int, public: int = 0
    ) -> Operands:
        moduli = self.halves.joined(p, q)
        return base, self.halves.blinded_exponents(moduli, dp, dq, public, draw), moduli

    def _draw_confirmed(
        self, draw: random.Random, nbits: int, drawn: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Draw a public exponent (a few even or unrelated), mostly with its primes."""
        p, q, dp, dq = drawn
        public = draw.getrandbits(self.halves.public_nbits)
        if draw.random() >= FAULT_SHARE:
            public |= 1
        if nbits >= MIN_KEY_NBITS and draw.random() < _CONFIRMED_SHARE:
            primes = balanced_primes(nbits, draw.randrange(NUM_KEYS))
            for _ in range(_MOST_DRAWS):
                key = Key.of_primes(*primes, draw.getrandbits(self.halves.public_nbits) | 1)
                if key:
                    return *key.halves(key.d), key.e
            p, q = primes
        return p, q, dp, dq, public

    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw p and q at ends of ranges, without a common factor.

        The base often is a multiple of p or q.
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
        return self._drawn(draw, base, p, q, dp, dq, *public)


def fits(primes: Sequence[int], halves: Halves, factor_nbits: int = 0) -> bool:
    """Whether no prime, times a factor of ``factor_nbits``, has more than ``halves.nbits`` bits."""
    return max(primes).bit_length() + factor_nbits <= halves.nbits


def prime_too_wide(primes: Sequence[int], halves: Halves, factor_nbits: int = 0) -> str:
    needed = max(primes).bit_length() + factor_nbits
    blinded = f" with its random factor of {factor_nbits}" if factor_nbits else ""
    return (
        f"{Status.OPERAND_TOO_WIDE}: a prime has {needed} bits{blinded}, half_nbits={halves.nbits}"
    )


def operation(circuit: Circuit) -> Operation:
    if is_product(circuit):
        return RemainderOperation(circuit) if circuit.golden.unary else ProductOperation(circuit)
    rules = circuit.rules
    assert rules is not None
    return PowerOfHalves(rules, rules.halves) if rules.halves else PowerOperation(rules)


def expected_response(to_do: Operation, operands: Operands) -> tuple[int, Status]:
    status = to_do.status(operands)
    return (to_do.result(operands) if status is Status.OK else 0), status


def named(to_do: Operation, operands: Operands) -> Mapping[str, int]:
    return dict(zip(to_do.keys, to_do.values(operands), strict=True))
