"""The digit-serial engine against a memory of the test's own, cycle by cycle."""

import random

import pytest
from pymtl3 import DefaultPassGroup

from rtl.multipliers.digit_serial import DigitSerial

SHAPES = [
    (8, 8),
    (8, 10),
    (13, 8),
    (14, 8),
    (15, 8),
    (16, 9),
    (29, 8),
    (30, 8),
    (31, 8),
    (32, 11),
    (62, 16),
    (64, 9),
]


class Bench:
    """An engine whose operands are read from lists of words.

    Products are given per lane as (a, b); a lane may be left out with None.
    """

    def __init__(self, nbits: int, digit_nbits: int, lanes: int):
        self.unit = DigitSerial(nbits, lanes, 1, digit_nbits)
        self.unit.elaborate()
        self.unit.apply(DefaultPassGroup())
        self.digit_nbits = digit_nbits
        self.words = -(-(nbits + 2) // digit_nbits)
        self.unit.sim_reset()

    def word(self, value: int, index) -> int:
        """Word of a number."""
        assert int(index) < self.words
        return value >> self.digit_nbits * int(index) & (1 << self.digit_nbits) - 1

    def run(self, products, modulus: int) -> tuple[list[int], int]:
        """Results, and cycles from the product's first to the one of the answer, both counted."""
        unit = self.unit
        memory = [list(p) if p else [0, 0] for p in products]
        results = [0] * len(products)
        offered = [p is not None for p in products]
        cycles = 0
        while True:
            for lane, port in enumerate(unit.lanes):
                port.offered @= offered[lane]
                port.slot @= offered[lane]
            unit.sim_eval_combinational()
            for lane, port in enumerate(unit.lanes):
                a, b = memory[lane] if int(port.read_slot) else (0, 0)
                port.a_word @= self.word(a, port.a_index)
                port.b_word @= self.word(b, port.b_index)
                port.m_word @= self.word(modulus, port.m_index)
            unit.sim_eval_combinational()
            cycles += 1
            done = [bool(port.answers) for port in unit.lanes]
            for lane, port in enumerate(unit.lanes):
                if port.accepts:
                    offered[lane] = False
                if port.write:
                    results[lane] |= int(port.write_word) << self.digit_nbits * int(
                        port.write_index
                    )
            unit.sim_tick()
            if any(done):
                assert done == [p is not None for p in products]
                return results, cycles
            assert cycles < 100_000


def expected(a, b, modulus, nbits):
    """Montgomery product without the final subtraction: the one number below 2m that it can be."""
    r = 1 << nbits + 2
    q = -a * b * pow(modulus, -1, r) % r
    return (a * b + q * modulus) // r


@pytest.mark.parametrize("lanes", [1, 2])
@pytest.mark.parametrize(("nbits", "digit_nbits"), SHAPES)
def test_products(nbits, digit_nbits, lanes):
    bench = Bench(nbits, digit_nbits, lanes)
    rng = random.Random(1)
    slots = max(4, bench.words)
    for modulus in (3, (1 << nbits) - 1, (1 << nbits - 1) + 1, rng.getrandbits(nbits) | 1 | 2):
        edges = [0, 1, modulus - 1, modulus, 2 * modulus - 1, rng.randrange(2 * modulus)]
        for b in edges:
            for a in edges:
                products = [(a, b), (rng.choice(edges), b)][:lanes]
                if lanes == 2 and rng.random() < 0.3:
                    products[rng.randrange(2)] = None
                results, cycles = bench.run(products, modulus)
                assert results == [expected(*p, modulus, nbits) if p else 0 for p in products]
                assert cycles == 2 * slots + 2 + (nbits + 3) * slots
