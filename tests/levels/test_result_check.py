"""Designs that check their result by the public exponent (``check=public_exponent``)."""

import random
from functools import cache
from itertools import combinations

import pytest

from rsaxcel.fl.status import Status
from tests.levels.test_blinding import PRIMES
from tests.levels.test_clearing import Bench
from tests.shared.harness import (
    HALVES,
    built_once,
    check_levels,
    check_rows,
    configure,
    response_of,
)

CHECK = {"check": "public_exponent"}


def checked(name, nbits, **params):
    """Configure a design with the check."""
    return configure(name, nbits, **CHECK, **params)


def row_of(configuration, base, p, q, e, others=None):
    """Operands of a private operation; ``others`` replaces the private exponents."""
    halves = configuration.halves
    dp, dq = others or (pow(e, -1, p - 1), pow(e, -1, q - 1))
    return base, halves.joined_exponents(dp, dq, e), halves.joined(p, q)


def directed(configuration):
    """Yield operands with their status, each of which is good after the row before it."""
    nbits, half = configuration.nbits, configuration.halves.nbits
    p, q, wide_p = (7, 11, 13) if nbits < 64 else (2**31 - 1, 2**31 - 19, 2**32 - 5)
    e = 7 if nbits < 64 else 65537
    ok, detected = Status.OK, Status.FAULT_DETECTED
    for base in (0, 1, p, q, 2 * p, p * q - 1, p * q, (1 << nbits) - 1):
        yield row_of(configuration, base, p, q, e), ok
        yield row_of(configuration, base, q, p, e), ok
    right = pow(e, -1, p - 1), pow(e, -1, q - 1)
    yield row_of(configuration, 2, p, q, e + 2, right), detected
    yield row_of(configuration, 2, p, q, e), ok
    yield row_of(configuration, 2, p, q, e, (right[0] ^ 2, right[1])), detected
    yield row_of(configuration, 2, p, q, e, (right[0], right[1] ^ 2)), detected
    yield row_of(configuration, p, p, q, e, (right[0] ^ 2, right[1])), ok  # 0 modulo p in any case
    yield row_of(configuration, 2, 3, 5, 7), ok  # the shortest primes
    yield row_of(configuration, 2, 3, 5, 1, (0, 1)), detected
    yield row_of(configuration, 1, 3, 5, 1, (0, 0)), ok
    yield row_of(configuration, 2, wide_p, 5, 1, (1, 1)), ok
    yield row_of(configuration, 2, 5, 11, 3, (3, 7)), ok
    yield row_of(configuration, 2, p, q, (1 << configuration.halves.public_nbits) - 1, (1, 1)), None
    for even in (0, 2):
        yield row_of(configuration, 2, p, q, even, (1, 1)), Status.CONSTANTS_MISSING
    wide = 1 << configuration.halves.public_nbits | 1
    yield row_of(configuration, 2, p, q, wide, (1, 1)), Status.OPERAND_TOO_WIDE
    if half < configuration.halves.padded_nbits:
        yield row_of(configuration, 2, p, q, 1, (1 << half, 1)), Status.OPERAND_TOO_WIDE
    yield row_of(configuration, 2, p - 1, q, 1, (1, 1)), Status.MODULUS_EVEN
    yield row_of(configuration, 2, 1, q, 1, (1, 1)), Status.MODULUS_TOO_SMALL


def drawn(configuration, count):
    """Yield random operands of small primes, most of which pass the check."""
    rng = random.Random(f"check/{configuration.name}")
    primes = [x for x in PRIMES if x.bit_length() <= configuration.halves.nbits]
    for _ in range(count):
        p, q = rng.sample(primes, 2)
        e = rng.getrandbits(configuration.halves.public_nbits) | 1
        base = rng.getrandbits(configuration.nbits)
        try:
            yield row_of(configuration, base, p, q, e)
        except ValueError:  # e has no inverse
            yield row_of(configuration, base, p, q, e, (rng.randrange(p), rng.randrange(q)))


@built_once("check-{name}", "{nbits}")
@pytest.mark.parametrize("nbits", [8, 16, 32, 64])
@pytest.mark.parametrize("name", HALVES)
@pytest.mark.slow_cases(*(f"*-{nbits}" for nbits in (16, 64)), "crt_window-8", "*-32")
def test_all_levels(name, nbits):
    """Functional model, cycle model and circuit have the same responses, in the same cycles."""
    configuration = checked(name, nbits)
    told = [*directed(configuration)]
    rows = [*(row for row, _ in told), *drawn(configuration, 30)]
    expected = [response_of(configuration, row) for row in rows]
    for (row, status), (_, found) in zip(told, expected, strict=False):
        assert status in (None, found), row
    assert {Status.OK, Status.FAULT_DETECTED} <= {status for _, status in expected}
    check_levels(configuration, rows, expected)


@pytest.mark.slow
@pytest.mark.parametrize("nbits", [2, 3, 32], ids="public_nbits_{}".format)
def test_public_exponents_of_other_widths(nbits):
    """Public exponents have 2 to 32 bits."""
    configuration = checked("crt_window", 16, public_nbits=nbits)
    rows = [*drawn(configuration, 20), row_of(configuration, 9, 5, 11, 3)]
    batch = check_rows(configuration, rows)
    assert any(status == Status.OK for _, status in batch.responses)


@cache
def bench():
    """Drives the 8-bit circuit, and writes its registers."""
    return Bench(checked("crt_window", 8))


def flipped(path, bit, after):
    """Response of the 8-bit circuit if a bit of a register is inverted in a cycle.

    The cycle is counted from the acceptance, or backwards from the response.
    """
    driven = bench()
    configuration, top = driven.configuration, driven.top
    row = row_of(configuration, 5, 11, 13, 7)
    driven.ask(row)
    cycles = configuration.cycles(*row)
    for cycle in range(2 * cycles):
        top.sim_edge()
        if cycle == (after if after > 0 else cycles + after):
            driven.put({path: driven.contents()[path] ^ 1 << bit})
        driven.settle()
        if top.send.val:
            return int(top.send.msg.r), int(top.send.msg.status)
    return None


FLIPS = {
    "running sum": ("s.core.store.bank1.lane.running_sum.sum_reg", 7, 250),
    "message, read once": ("s.core.store.message_reg", 3, 120),
    "joined result": ("s.core.store.message_reg", 3, 600),
    "verdict": ("s.core.store.confirmation.no_reg[0]", 0, -1),
    "refusal": ("s.core.store.refused_reg", 0, -100),
}


@built_once("check-flips", 8)
@pytest.mark.slow_cases("running sum", "verdict", "refusal")
@pytest.mark.parametrize("flip", FLIPS.values(), ids=FLIPS.keys())
def test_a_flip_is_detected(flip):
    """A flip that would make the result wrong gives the status, and no result."""
    assert flipped(*flip) == (0, Status.FAULT_DETECTED)


@built_once("check-flips", 8)
def test_a_lane_that_misses_the_same_digit_twice_is_a_fault():
    """Lane 1 reads 0 in place of the message, for the exponentiation and for the check alike."""
    driven = bench()
    row = row_of(driven.configuration, 5, 11, 13, 7)
    driven.ask(row)
    store, source = driven.top.core.store, "s.core.store.bank1.in_flight.source_reg"
    kept: dict[str, int] = {}
    taken = 0
    while not driven.top.send.val:
        driven.top.sim_edge()
        driven.put(kept)
        driven.settle()
        kept = {}
        if store.bank0.takes:
            if taken in (0, 2):  # digit 0 of 2
                kept = {source: driven.contents()[source]}
                driven.put({source: 0})
                driven.settle()
                assert store.bank0.takes
                assert not store.bank1.takes
            taken += 1
    assert taken > 4
    assert (int(driven.top.send.msg.r), int(driven.top.send.msg.status)) == (
        0,
        Status.FAULT_DETECTED,
    )


@built_once("check-flips", 8)
def test_a_flip_of_the_verdict():
    """One flip-flop alone does not confirm a result: it takes both of each half."""
    driven = bench()
    driven.after_reset(1)
    flags = {x: n for x, n in driven.contents().items() if "confirmation.yes" in x}
    flags |= {x: n for x, n in driven.contents().items() if "confirmation.no" in x}
    assert sorted(flags.values()) == [0, 0, 1, 1]
    for changed in combinations(flags, 3):
        driven.put(flags | {x: flags[x] ^ 1 for x in changed})
        driven.settle()
        assert not driven.top.core.store.confirmed
    driven.put({x: value ^ 1 for x, value in flags.items()})
    driven.settle()
    assert driven.top.core.store.confirmed


@pytest.mark.slow_cases("crt_window")
@pytest.mark.parametrize("name", HALVES)
def test_windows_of_one_bit(name):
    """No table is filled."""
    configuration = checked(name, 16, window_nbits=1)
    rows = [*drawn(configuration, 6)]
    expected = [response_of(configuration, row) for row in rows]
    assert Status.OK in {status for _, status in expected}
    check_levels(configuration, rows, expected)
