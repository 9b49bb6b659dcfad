"""Operands that come, and results that leave, digit by digit (``bus=digit``)."""

import random

import pytest

from rsaxcel.fl.status import Status
from rsaxcel.sim.stalls import NO_STALLS, STALL_PROFILES
from tests.rtl.digit_bus_pins import Pins, digits_of
from tests.shared.harness import (
    SETUPS,
    built_once,
    check_batch,
    check_rows,
    configure,
    simulate,
    table,
    tables_of,
)

DESIGN = "digit_serial_r2l"
pytestmark = built_once(f"{DESIGN}-bus", 13)
SHAPES = [
    # (bits, digit, lanes): one digit; digits with none, one and many bits beyond the modulus; an
    # exponent with fewer digits than the other operands; one and two lanes
    (8, 64, 2),
    (14, 8, 2),
    (13, 8, 1),
    (16, 8, 2),
    (30, 16, 2),
    (64, 32, 1),
]
ROWS = 12


def on_bus(nbits: int, digit_nbits: int, lanes: int = 2, **params):
    """Configuration with a bus of one digit."""
    return configure(DESIGN, nbits, digit_nbits=digit_nbits, lanes=lanes, bus="digit", **params)


@pytest.mark.quick_cases("directed-13-8-1", "directed-14-8-2")
@pytest.mark.parametrize(("nbits", "digit_nbits", "lanes"), SHAPES)
@pytest.mark.parametrize("rows", tables_of(DESIGN))
def test_levels_agree(rows, nbits, digit_nbits, lanes):
    """Every row of the tables: results by Python, cycles of the circuit by the cycle model."""
    configuration = on_bus(nbits, digit_nbits, lanes)
    operands, expected = table(configuration, rows)
    check_rows(configuration, operands, expected)
    for level in ("fl", "cl"):
        check_rows(configuration, operands[:ROWS], expected[:ROWS], level, "pymtl")


@pytest.mark.quick_cases("random-None", "steady-1")
@pytest.mark.parametrize("in_flight", [1, None])
@pytest.mark.parametrize("stalls", STALL_PROFILES.values(), ids=lambda x: x.name)
def test_stalls(stalls, in_flight):
    """With stalls before any digit, every handshake of the circuit is the cycle model's."""
    configuration = on_bus(13, 8)
    operands, expected = table(configuration, "directed")
    operands, expected = [*operands[:2], *operands[-4:]], [*expected[:2], *expected[-4:]]
    batches = {}
    for level, engine in SETUPS:
        batches[level, engine] = batch = simulate(
            configuration, level, engine, operands, stalls, in_flight
        )
        check_batch(configuration, level, engine, operands, batch, expected, under=stalls.name)
    assert batches["rtl", "native"] == batches["rtl", "pymtl"] == batches["cl", "pymtl"]


@pytest.mark.parametrize(("level", "engine"), SETUPS)
def test_a_reset_drops_digits(level, engine):
    """A reset while digits come, while products run and while digits leave: the next is right."""
    configuration = on_bus(13, 8)
    operands = [(3, 5, 8191), (8190, 8191, 8191), (0, 0, 3)]
    expected = [(pow(*row), 0) for row in operands]
    undisturbed = simulate(configuration, level, engine, operands)
    for cycle in (2, undisturbed.accepted[1] + 1, undisturbed.taken[1] - 1):
        batch = simulate(configuration, level, engine, operands, reset_at=cycle)
        assert all(
            x == y or i in batch.dropped
            for i, (x, y) in enumerate(zip(batch.responses, expected, strict=True))
        )
        assert batch.responses[-1] == expected[-1]


def test_cycles():
    """Two cycles more than with whole operands; a digit of a request per cycle stands apart."""
    for nbits, digit_nbits in ((16, 8), (64, 16), (1024, 32), (1024, 256)):
        narrow = on_bus(nbits, digit_nbits)
        whole = configure(DESIGN, nbits, digit_nbits=digit_nbits)
        for row in ((2, 65537, (1 << nbits) - 1), (0, 0, 3), (1, 1, 3)):
            row = row if row[1] < 1 << nbits else (2, 3, row[2])
            assert narrow.cycles(*row) == whole.cycles(*row) + 2
        digits = -(-(nbits + 2) // digit_nbits)
        assert narrow.load_cycles == 3 * digits + -(-nbits // digit_nbits)
    # refused: status, then zeros
    assert on_bus(64, 16).cycles(3, 1, 3) == 3 + 5


def test_digits_on_the_buses():
    """Flags, R^2 mod m, modulus, exponent, base come; status and result leave."""
    nbits, size = 14, 8
    pins, rng = Pins(on_bus(nbits, size)), random.Random(1)
    full = (1 << nbits) - 1
    rows = [(2, 5, 3), (0, full, full), (full - 1, full, full), (full - 1, 0, full), (0, 0, 3)]
    rows += [(rng.getrandbits(12), rng.getrandbits(nbits), 1 << 13 | 4097 | 1)]
    for b, e, m in rows:
        r2 = pow(2, 2 * (nbits + 2), m)
        operands = [[0], *(digits_of(x, 2, size) for x in (r2, m, e, b))]
        pins.send([digit for operand in operands for digit in operand])
        assert pins.receive(3) == [0, *digits_of(pow(b, e, m), 2, size)]


def test_rules_on_the_bus():
    """Flags, and bits of a digit above the width of its operand, refuse a request."""
    nbits, size = 13, 8
    pins = Pins(on_bus(nbits, size))
    wide, missing = int(Status.OPERAND_TOO_WIDE), int(Status.CONSTANTS_MISSING)
    rows = [
        (2, 5, 7, 3, wide),
        (1, 5, 7, 3, missing),
        (0, 5, 7 | 1 << nbits, 3, wide),
        (0, 5 | 1 << nbits, 7, 3, wide),
        (0, 5, 7, 7, int(Status.BASE_TOO_LARGE)),
        (0, 5, 7, 1 << 15, int(Status.BASE_TOO_LARGE)),
        (0, 5, 8, 3, int(Status.MODULUS_EVEN)),
        (0, 5, 1, 0, int(Status.MODULUS_TOO_SMALL)),
    ]
    for flags, e, m, b, status in rows:
        operands = [[flags], *(digits_of(x, 2, size) for x in (4, m, e, b))]
        pins.send([digit for operand in operands for digit in operand])
        assert pins.receive(3) == [status, 0, 0]
    pins.send([0, *digits_of(pow(2, 30, 7), 2, size), 7, 0, 5, 0, 3, 0])
    assert pins.receive(3) == [0, pow(3, 5, 7), 0]


@pytest.mark.parametrize("schedule", ["l2r", "window", "sliding"])
def test_other_schedules(schedule):
    """Exponents that are scanned from the top, with windows wider than the words leave."""
    configuration = on_bus(13, 8, 1, schedule=schedule)
    rng = random.Random(schedule)
    moduli = [rng.getrandbits(13) | 1 << 12 | 1 for _ in range(6)]
    rows = [(rng.randrange(m), rng.getrandbits(13), m) for m in moduli]
    rows += [(8190, 8191, 8191), (0, 0, 3), (2, 1, 3)]
    batch = simulate(configuration, "rtl", "native", rows, NO_STALLS)
    cycles = [configuration.cycles(*row) for row in rows]
    expected = [(pow(*row), 0) for row in rows]
    check_batch(configuration, "rtl", "native", rows, batch, expected, cycles)
