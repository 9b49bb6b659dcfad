"""Constants of secret halves: the processor computes the same values as Python, for all halves."""

import random
from math import gcd

import pytest

from rsaxcel.plan.halves import Halves, OfHalf, Recombination
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse, PowerOfTwo, ProductOf
from rsaxcel.proc.programs.build import build
from tests.proc.test_formulas import compute, declared

POWERS = (0, 1, 33, 100, 4000, (1 << 32) - 1)
"""Exponents of powers of two; the first ones are below the length of most halves."""


def computed(halves, p, q, powers, joined):
    """Run the driver; return powers modulo p, powers modulo q, and powers divided by q."""
    formulas = [OfHalf(PowerOfTwo(k), half, halves) for half in (0, 1) for k in powers]
    formulas += [Recombination(k, halves) for k in joined]
    constants = declared(formulas, halves.nbits)
    values = compute(constants, halves.joined(p, q), halves.joined_nbits // 32)
    assert len(values) == len(formulas)
    each = len(powers)
    return values[:each], values[each : 2 * each], values[2 * each :]


def check(halves, p, q, powers=POWERS):
    """Compare all constants of p and q with Python's ``pow``."""
    joined = [halves.nbits + k for k in (0, 1, 77)]
    of_p, of_q, of_both = computed(halves, p, q, powers, joined)
    assert of_p == [pow(2, k, p) for k in powers]
    assert of_q == [pow(2, k, q) for k in powers]
    inverse = pow(q, -1, p) if gcd(p, q) == 1 else 0
    assert of_both == [inverse * pow(2, k, p) % p for k in joined]


def drawn(draw, nbits):
    """Draw an odd number of 3 or more: random bits, few or many ones, or a random top."""
    low = draw.getrandbits(nbits)
    other = draw.choice((low, low & draw.getrandbits(nbits), low | draw.getrandbits(nbits), 0, -1))
    return max(3, other & (1 << nbits) - 1 | 1 << nbits - 1 | 1)


LENGTHS = [(100, 100), (2, 100), (100, 2), (33, 32), (32, 65), (96, 64), (64, 97), (31, 31), (2, 3)]


@pytest.mark.parametrize("lengths", LENGTHS, ids=[f"{p}-{q}" for p, q in LENGTHS])
def test_any_halves(lengths):
    """Halves of many lengths, with leading zero words, p above q and below."""
    halves, draw = Halves(100), random.Random(sum(lengths))
    for _ in range(6):
        check(halves, *(drawn(draw, n) for n in lengths))


SHARED = {
    "equal": (0xFFFFFFFFFFFFFFC5, 0xFFFFFFFFFFFFFFC5),
    "multiple": (1000003, 1000003 * 999983),
    "divisor": (1000003 * 999983, 999983),
    "nine": (9, 15),
    "word": (3 * 0xFFFFFFFB, 5 * 0xFFFFFFFB),
}


@pytest.mark.parametrize("pair", SHARED.values(), ids=SHARED)
def test_halves_that_share_a_factor(pair):
    """Such halves are no key; the driver ends with the constant 0, as the models do."""
    check(Halves(64), *pair, powers=(64,))


@pytest.mark.parametrize("nbits", [512, pytest.param(2048, marks=pytest.mark.slow)])
def test_long_halves(nbits):
    """Inverses that take the most division steps are not known; so many numbers are tried."""
    halves, draw = Halves(nbits), random.Random(nbits)
    for _ in range(3):
        check(halves, drawn(draw, nbits), drawn(draw, nbits), powers=(3 * nbits + 96,))
    check(halves, (1 << nbits) - 1, (1 << nbits) - 3, powers=(nbits,))


def test_a_constant_that_has_no_place():
    """If a constant is wider than declared, none is handed over."""
    halves = Halves(64)
    formulas = [OfHalf(PowerOfTwo(40), half, halves) for half in (0, 1)]
    modulus = halves.joined((1 << 50) - 27, (1 << 60) - 93)
    assert compute(declared(formulas, 41), modulus, 4) == [1 << 40] * 2
    assert compute(declared(formulas, 40), modulus, 4) == []


HALVES = Halves(64)
IMPOSSIBLE = {
    "other": ([OfHalf(NegatedInverse(32), 0, HALVES)], "constant c0: .* has no such operation"),
    "far": ([OfHalf(PowerOfTwo(1 << 32), 0, HALVES)], "exponent 4294967296: 0 to 4294967295 are"),
    "near": ([Recombination(63, HALVES)], "exponent 63: 64 to 2147483648 are allowed"),
    "whole": (
        [Recombination(64, HALVES), ProductOf(PowerOfTwo(1), PowerOfTwo(1))],
        "constant c1: .*: the modulus consists of two halves",
    ),
}


@pytest.mark.parametrize(("formulas", "message"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_refused_before_the_compiler(formulas, message):
    """Operations without a function for secret halves."""
    constants = [ModulusConstant(f"c{i}", 128, f, "") for i, f in enumerate(formulas)]
    with pytest.raises(ValueError, match=message):
        build("xcel", constants)
