"""Operations of designs and multipliers, computed with Python's integers.

Expected results never come from a model under test; statuses come from the input rules, or from a
multiplier's contract.
"""

import random
from collections.abc import Iterable, Mapping

from rsaxcel.circuit import Circuit, ProductCircuit, expected_power, is_product
from rsaxcel.fl.keys import MIN_KEY_NBITS
from rsaxcel.fl.status import InputRules, Status
from rsaxcel.sim import corners
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operation import FAULT_SHARE, KEY_SHARE, NUM_KEYS, KeyOf, Operation
from rsaxcel.sim.power_of_halves import PowerOfHalves


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
