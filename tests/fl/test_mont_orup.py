"""Quotient-pipelined products: the closed form, the recurrence, and their bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.fl.exponentiator import ExponentiatorFL
from rsaxcel.fl.multipliers import ORUP_PIPELINES, MontOrup
from rsaxcel.fl.status import InputRules
from rsaxcel.plan.domains import crt, montgomery
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.modulus_constants import HOST
from rsaxcel.plan.schedules import SCHEDULES, plan

DIGITS = (4, 6, 8, 10, 16, 32)
SCHEDULE = SCHEDULES["fixed_window"]


def lanes(draw, nbits: int) -> MontOrup:
    k = draw(st.sampled_from([k for k in DIGITS if k <= nbits + 1]))
    return MontOrup(nbits, k, draw(st.sampled_from(ORUP_PIPELINES)), 4)


@st.composite
def odd(draw, nbits: int) -> int:
    """Draw an odd number of 3 or more; its bit length is drawn first."""
    return max(3, draw(st.integers(0, (1 << draw(st.integers(2, nbits))) - 1)) | 1)


@st.composite
def products(draw):
    nbits = draw(st.integers(8, 96))
    lane = lanes(draw, nbits)
    modulus = draw(odd(nbits))
    most = lane.bound(modulus) - 1
    a, b = (draw(st.integers(-most, most) | st.sampled_from((-most, 0, most))) for _ in "ab")
    return lane, a, b, modulus


@given(products())
def test_products_within_their_bounds(drawn):
    """Products of residues, and of numbers below m, are right and within the bound."""
    lane, a, b, modulus = drawn
    for x, y in ((a, b), (a % modulus, b % modulus), (a % (1 << lane.nbits), b % modulus)):
        result = lane.product(x, y, modulus)
        assert (result * lane.r - x * y) % modulus == 0
        assert abs(result) < lane.bound(modulus) < 1 << lane.residue_nbits - 1


@given(products(), st.data())
def test_products_of_twice_the_digits(drawn, data):
    """Products of double length: of a message as wide as two moduli, and of two joined residues."""
    lane, low, high, modulus = drawn
    message = data.draw(st.integers(0, (1 << 2 * lane.nbits) - 1))
    b = data.draw(st.integers(0, modulus - 1))
    for a in (message, low + high * lane.r):
        result = lane.double_product(a, b, modulus)
        assert (result * lane.r**2 - a * b) % modulus == 0
        assert abs(result) < lane.bound(modulus)


@given(products(), st.data())
def test_products_as_integers(drawn, data):
    lane, _, _, modulus = drawn
    a = data.draw(st.integers(0, (1 << lane.nbits) - 1))
    tail = data.draw(st.integers(0, (1 << lane.nbits) - 1))
    assert lane.whole_product(a, modulus, tail) == a * modulus + tail


@given(products())
def test_last_product_and_reduction(drawn):
    """Any residue leaves the domain, and is reduced below the modulus."""
    lane, a, b, modulus = drawn
    residue = lane.product(a, b, modulus)
    last = lane.product(lane.final_factor, residue, modulus)
    assert abs(last) < lane.bound(modulus)
    result = lane.final_reduction(last, modulus)
    assert 0 <= result < modulus
    assert (result * lane.r - residue) % modulus == 0


@given(products())
def test_addend(drawn):
    lane, _, _, modulus = drawn
    assert lane.multiple(modulus) % modulus == 0
    assert lane.addend(modulus) << lane.spare_nbits == lane.multiple(modulus) + 1
    assert 0 < lane.addend(modulus) <= modulus


def test_numbers_out_of_their_bounds_are_told():
    lane = MontOrup(8, 4, "none", 4)
    with pytest.raises(ArithmeticError, match="product 0x"):
        lane.product(lane.r // 2 - 1, (1 << lane.residue_nbits - 1) - 1, 3)
    with pytest.raises(ArithmeticError, match="a 0x"):
        lane.product(lane.r // 2, 1, 201)
    with pytest.raises(ArithmeticError, match="b -0x"):
        lane.product(1, -(1 << lane.residue_nbits - 1), 201)
    for a, tail in ((1 << 8, 0), (-1, 0), (1, 1 << 8), (1, -1)):
        with pytest.raises(ArithmeticError, match="MontOrup"):
            lane.whole_product(a, 201, tail)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_bounds_within_exponentiations(data):
    """Residues and sums stay within their bounds in any exponentiation, with halves or without."""
    nbits = data.draw(st.integers(4, 40), "nbits")
    lane = lanes(data.draw, nbits)
    window, lane_count = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 2))
    log2_r = lane.r.bit_length() - 1
    exponents = [data.draw(st.integers(0, (1 << nbits) - 1)) for _ in "pq"]
    base = data.draw(st.integers(0, (1 << 2 * nbits) - 1))
    p, q = data.draw(odd(nbits)), data.draw(odd(nbits))
    halves = Halves(nbits)
    domain = crt(halves, log2_r, lane.final_factor, SCHEDULE.unit)
    programs = plan(domain, SCHEDULE, lane_count, nbits, window)
    rules = InputRules(2 * nbits, True, exponent_nbits=nbits, halves=halves)
    golden = ExponentiatorFL(rules, programs, lane, domain.constants, halves)
    joined = halves.joined(p, q)
    found = golden.power(base, halves.joined(*exponents), joined)
    assert found % q == pow(base, exponents[1], q)
    if golden.host_values(joined)[-1]:  # 0 where the moduli share a factor
        assert found % p == pow(base, exponents[0], p)
        assert found < p * q
    domain = montgomery(nbits, log2_r, "shared", HOST, HOST, SCHEDULE.unit, lane.final_factor)
    programs = plan(domain, SCHEDULE, 1, nbits, window)
    golden = ExponentiatorFL(InputRules(nbits, True), programs, lane, domain.constants)
    assert golden.power(base % p, exponents[0], p) == pow(base, exponents[0], p)


DELAYS = {1: "none", 2: "quotient"}
QUICK = [(3, 2, 1), (3, 2, 2), (4, 2, 1), (3, 4, 1)]
SLOW = [(4, 4, 1), (4, 2, 2), (5, 2, 1), (6, 2, 1), (5, 2, 2), (6, 2, 2), (5, 4, 1), (3, 4, 2)]


def recurrence(lane: MontOrup, a, b: int, modulus: int):
    """Return ``a * b / R`` for an array of a, and the greatest magnitude of the running sums.

    Asserts that quotient digits are signed digits, and that each division by the radix is exact.
    """
    k, d, radix = lane.digit_nbits, lane.quotient_delay, 1 << lane.digit_nbits
    quotients, most = [], 0
    total = left = np.zeros_like(a)
    for i in range(lane.digits + d + 1):
        digit = np.zeros_like(a)
        if i < lane.digits:  # a digit in two's complement plus the sign bit of the digit below
            digit = (a >> k * i) % radix
            digit -= radix * (digit >> k - 1)
            digit += a >> k * i - 1 & 1 if i else 0
        low = total % radix
        if i <= lane.digits:
            quotients.append(low - radix * (low >> k - 1))
            assert -radix // 2 <= quotients[-1].min() <= quotients[-1].max() < radix // 2
            low = quotients[-1]
        else:
            left = left + (low << k * (i - lane.digits - 1))
        assert ((total - low) % radix == 0).all()
        total = (total - low >> k) + digit * b
        if i >= d:
            total = total + quotients[i - d] * lane.addend(modulus)
        most = max(most, int(np.abs(total).max()))
    return (total << k * d) + left, most


def check_modulus(lane: MontOrup, modulus: int) -> tuple[float, float]:
    """Form all products; return the largest result and sum as shares of their bounds."""
    limit = lane.bound(modulus)
    a = np.arange(1 - limit, limit)
    largest = taken = 0.0
    # Negative b, too: (-a) * (-b) equals a * b, but has other digits.
    for b in range(1 - limit, limit):
        result, most = recurrence(lane, a, b, modulus)
        bound = lane.sum_bound(b, lane.addend(modulus))
        assert most < bound < 1 << lane.sum_nbits - 1
        assert not ((result * lane.r - a * b) % modulus).any()
        largest = max(largest, int(np.abs(result).max()) / limit)
        taken = max(taken, most / bound)
    assert largest < 1
    return largest, taken


@pytest.mark.parametrize(
    ("nbits", "k", "delay"),
    [*QUICK, *(pytest.param(*point, marks=pytest.mark.slow) for point in SLOW)],
)
def test_every_product(nbits, k, delay):
    lane = MontOrup(nbits, k, DELAYS[delay], 4)
    found = [check_modulus(lane, modulus) for modulus in range(3, 1 << nbits, 2)]
    largest, taken = map(max, zip(*found, strict=True))
    # The bounds are tight.
    assert largest > 0.8
    assert taken > 0.7


@pytest.mark.parametrize("delay", DELAYS)
def test_every_reduction(delay):
    """The final reduction of each residue divides by ``final_factor`` modulo m."""
    lane = MontOrup(4, 4, DELAYS[delay], 4)
    for modulus in range(3, 16, 2):
        inverse = pow(lane.final_factor, -1, modulus)
        residues = range(1 - lane.bound(modulus), lane.bound(modulus), 1 if delay == 1 else 61)
        for residue in residues:
            assert lane.final_reduction(residue, modulus) == residue * inverse % modulus
