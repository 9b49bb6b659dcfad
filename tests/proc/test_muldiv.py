"""Multiplication and division: all operations at the corners, cycles, back-pressure."""

import random
from itertools import product

import pytest

from rsaxcel.cl.lib import aligning_divider_cycles, divider_cycles
from rsaxcel.proc.pipeline.muldiv import MulDiv
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.proc.cases.arithmetic import expected

OPERATIONS = ("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu")
"""By ``funct3``."""


def rows(count):
    """Rows for every operation: corners, and random operands of any length."""
    draw = random.Random(1)
    corners = (0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF)
    pairs = list(product(corners, repeat=2))
    for _ in range(count):
        pairs.append(tuple(draw.getrandbits(draw.randint(1, 32)) for _ in range(2)))
    return [(funct3, *pair) for pair in pairs for funct3 in range(8)]


def answers(requests):
    return [(expected(OPERATIONS[funct3], a, b),) for funct3, a, b in requests]


def quotient_bits(funct3, a, b):
    """Significant bits of the quotient of absolute values; all bits for a divisor of 0."""
    if funct3 in (4, 6):
        a, b = (min(x, 2**32 - x) for x in (a, b))
    return (a // b).bit_length() if b else 32


@pytest.mark.parametrize(
    ("divider", "bits_per_cycle"),
    [("skipping", 2), ("skipping", 8), ("restoring", 1), ("aligning", 1), ("aligning", 8)],
)
def test_results_and_cycles(divider, bits_per_cycle):
    requests = rows(200)
    batch = open_engine("native", lambda: MulDiv(divider, bits_per_cycle)).run(requests)
    assert batch.responses == answers(requests)
    skip_nbits = 8 if divider == "skipping" else 0
    for request, cycles in zip(requests, batch.cycles, strict=True):
        if request[0] < 4:
            assert cycles == 1
        else:
            ones = (1 << quotient_bits(*request)) - 1
            if divider == "aligning":
                assert cycles == aligning_divider_cycles(ones, bits_per_cycle)
            else:
                assert cycles == divider_cycles(32, bits_per_cycle, skip_nbits, ones)


def test_a_product_per_cycle():
    requests = [row for row in rows(20) if row[0] < 4]
    batch = open_engine("pymtl", lambda: MulDiv("skipping", 2)).run(requests, in_flight=None)
    assert batch.responses == answers(requests)
    assert batch.accepted == list(range(len(requests)))


@pytest.mark.parametrize("stalls", STALL_PROFILES.values(), ids=STALL_PROFILES)
def test_stalls(stalls):
    requests = random.Random(2).sample(rows(30), 60)
    batch = open_engine("pymtl", lambda: MulDiv("skipping", 2)).run(
        requests, stalls=stalls, in_flight=None
    )
    assert batch.responses == answers(requests)


def test_reset_in_flight():
    requests = [(5, 0xFFFFFFFF, 1), (0, 3, 5), (5, 100, 7)]
    engine = open_engine("pymtl", lambda: MulDiv("skipping", 2))
    for cycle in range(1, 25):
        batch = engine.run(requests, reset_at=cycle)
        kept = [i for i in range(3) if i not in batch.dropped]
        assert [batch.responses[i] for i in kept] == [answers(requests)[i] for i in kept]
