"""Designs that blind message and exponents by random numbers of the request (``blinding``)."""

import json
import random

import pytest

from rsaxcel.fl.status import Status
from rsaxcel.plan.measures import BLIND, UNBLIND, Blinding
from tests.shared.harness import (
    HALVES,
    built_once,
    check_levels,
    check_rows,
    configure,
    response_of,
)

TOKENS = ("message", "exponents", "both")
PRIMES = [x for x in range(3, 128) if all(x % y for y in range(2, x))]


def row_of(configuration, base, p, q, dp, dq, seed=0, e=0, **others):
    """Operands with random numbers; ``others`` replaces some, such as ``blind=(1, 1)``."""
    halves = configuration.halves
    moduli = halves.joined(p, q)
    (blinding,) = (x for x in halves.measures if isinstance(x, Blinding))
    drawn = blinding.draw((p, q), (dp, dq), random.Random(seed))
    places = blinding.numbers(halves.nbits)
    blinds = [
        others[x.name][x.half] if x.name in others else value
        for x, value in zip(places, drawn, strict=True)
    ]
    return base, halves.joined_exponents(dp, dq, e, blinds), moduli


def power(base, p, q, dp, dq):
    """Residues of the result modulo p and q, which know nothing of blinding."""
    return pow(base, dp, p), pow(base, dq, q)


def directed(configuration):
    """Yield operands with their status, and with the residues of the result if it is ok."""
    nbits, half = configuration.nbits, configuration.halves.nbits
    multiple_nbits, ok = configuration.halves.multiple_nbits, Status.OK
    p, q = (7, 11) if nbits < 64 else (2**31 - 1, 2**31 - 19)
    top = (1 << half) - 1
    for seed, base in enumerate((0, 1, p, q, 2 * p, p * q - 1, p * q, (1 << nbits) - 1)):
        for dp, dq in ((1, 2), (p - 2, q - 2), (top, top)):
            numbers = base, p, q, dp, dq
            yield row_of(configuration, *numbers, seed), ok, power(*numbers)
    yield row_of(configuration, 2, 3, 5, 1, 3), ok, (2, 3)
    yield row_of(configuration, 1, p, q, 0, 0), ok, (1, 1)
    zero = 0 if multiple_nbits else 1  # 0**(multiple * (p - 1)), not 0**0
    yield row_of(configuration, p, p, q, 0, 0), ok, (zero, 1)
    if multiple_nbits:
        most = (1 << multiple_nbits) - 1
        for multiple in ((1, 1), (most, 1), (most, most)):
            row = row_of(configuration, 3, p, q, top, 5, multiple=multiple)
            yield row, ok, power(3, p, q, top, 5)
        yield row_of(configuration, 3, p, q, 5, 5, multiple=(0, 1)), Status.CONSTANTS_MISSING, None
        yield row_of(configuration, 3, p, q, 5, 5, multiple=(1, 0)), Status.CONSTANTS_MISSING, None
        if multiple_nbits % 32:
            wide = (1, most + 1)
            yield row_of(configuration, 3, p, q, 5, 5, multiple=wide), Status.OPERAND_TOO_WIDE, None
    if BLIND in {number.name for number in configuration.halves.numbers}:
        yield row_of(configuration, 3, p, q, 5, 5, blind=(1, 1), unblind=(1, 1)), ok, None
        yield row_of(configuration, 3, p, q, 5, 5, blind=(top, 1), unblind=(top, top)), ok, None
        for name in (BLIND, UNBLIND):
            for zero in ((0, 1), (1, 0)):
                row = row_of(configuration, 3, p, q, 5, 5, **{name: zero})
                yield row, Status.CONSTANTS_MISSING, None
        if half % 32:
            row = row_of(configuration, 3, p, q, 5, 5, unblind=(top + 1, 1))
            yield row, Status.OPERAND_TOO_WIDE, None
    yield row_of(configuration, 2, p - 1, q, 1, 1), Status.MODULUS_EVEN, None
    yield row_of(configuration, 2, 1, q, 1, 1), Status.MODULUS_TOO_SMALL, None
    yield row_of(configuration, 2, p, q, 3, 3), ok, power(2, p, q, 3, 3)


def drawn(configuration, count):
    """Yield random operands with primes, and with the residues of the result."""
    rng = random.Random(f"blinding/{configuration.name}")
    primes = [x for x in PRIMES if x.bit_length() <= configuration.halves.nbits]
    for seed in range(count):
        p, q = rng.sample(primes, 2)
        base = rng.getrandbits(configuration.nbits)
        # With a blinded exponent 0, a base 0 modulo a prime gives 0, not 1 (``directed``).
        dp, dq = (rng.randrange(1, 1 << configuration.choices.exponent_nbits) for _ in "pq")
        numbers = base, p, q, dp, dq
        yield row_of(configuration, *numbers, seed), Status.OK, power(*numbers)


def expected_of(configuration, told):
    """Responses to operands, which have the status and the residues that are told of them."""
    expected = [response_of(configuration, row) for row, *_ in told]
    for (row, status, residues), (result, found) in zip(told, expected, strict=True):
        assert status == found, row
        if residues:
            p, q = configuration.halves.split(row[2])
            assert (result % p, result % q) == residues, row
    return expected


@built_once("{token}-{name}", "{nbits}")
@pytest.mark.parametrize("nbits", [8, 16, 32, 64])
@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("name", HALVES)
@pytest.mark.quick_cases("crt_window_shared-both-8")
def test_all_levels(name, token, nbits):
    """All levels have the same responses, in the same cycles; powers are right by ``pow``."""
    configuration = configure(name, nbits, blinding=token)
    told = [*directed(configuration), *drawn(configuration, 20)]
    rows = [row for row, *_ in told]
    check_levels(configuration, rows, expected_of(configuration, told))


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.quick_cases("crt_window")
def test_digits_above_the_exponent(name):
    """The last digit that a lane gives reaches above the register that is scanned."""
    configuration = configure(name, 16, blinding="exponents", blind_nbits=2)
    scan, digit_nbits = configuration.programs[0].scan, configuration.choices.contract.digit_nbits
    assert -(-scan.exponent_nbits // digit_nbits) * digit_nbits > scan.register_nbits
    told = [*directed(configuration), *drawn(configuration, 20)]
    check_levels(configuration, [row for row, *_ in told], expected_of(configuration, told))


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.quick_cases("crt_window")
def test_cycles_depend_on_nothing(name):
    """The cycles are the same for all operands and random numbers."""
    configuration = configure(name, 16, blinding="both")
    told = [*directed(configuration), *drawn(configuration, 10)]
    assert len({configuration.cycles(*row) for row, status, _ in told if not status}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("blind_nbits", [2, 20, 64], ids="blind_nbits_{}".format)
def test_multiples_of_other_widths(blind_nbits):
    """Random multiples that fill no digit, or whole words."""
    configuration = configure("crt_window", 128, blinding="exponents", blind_nbits=blind_nbits)
    told = [*directed(configuration), *drawn(configuration, 5)]
    check_rows(configuration, [row for row, *_ in told])


def test_the_exponent_that_is_scanned():
    """Random multiples change the exponent that the circuit scans, and factors its base."""
    configuration = configure("crt_window", 32, blinding="both")
    model, program = configuration.golden, configuration.programs[0]
    seen = set()
    for seed in range(8):
        row = row_of(configuration, 77, 11, 13, 5, 7, seed)
        states = model.begin(*row)
        formed = [step for step in model.run(program, states)]
        base = next(f.a for step in formed for f in step if f.product.dst == "b")
        assert base == 77  # the message, times the blinding factor
        assert [
            (s.exponent - d) % (m - 1) for s, d, m in zip(states, (5, 7), (11, 13), strict=True)
        ] == [0, 0]
        seen.add(tuple(s.exponent for s in states))
    assert len(seen) == 8


def test_vectors(rsaxcel, refused, vectors):
    """A vector has all random numbers or none; without them, they are drawn from the others."""
    plain = {"base": "5", "p": "b", "q": "d", "dp": "3", "dq": "5"}
    blinds = {"blind_p": "2", "blind_q": "3", "unblind_p": "1", "unblind_q": "1"}
    options = ("--nbits", 8, "--param", "blinding=message", "--level", "fl", "--json")
    for record, result in ((plain, 70), ({**plain, **blinds}, None)):
        finished = rsaxcel("sim", "crt_window", *options, "--vectors", vectors([record] * 2))
        first, second = (json.loads(line) for line in finished.out.splitlines())
        assert first["blind_p"] == second["blind_p"]
        assert first["match"]
        assert (int(first["result"], 16) == 70) == (result is not None)
    told = refused("sim", "crt_window", *options, "--vectors", vectors([{**plain, "blind_p": "2"}]))
    assert "all of them, or none, are allowed" in told
