"""Quotient-pipelined products: the closed form, the recurrence, and their bounds."""

from hypothesis import given
from hypothesis import strategies as st

from fl.multipliers.mont_orup import PIPELINES, MontOrup

DIGITS = (4, 6, 8, 10, 16, 32)


def recurrence(lane: MontOrup, a: int, b: int, modulus: int) -> tuple[int, int]:
    """Result of the iterations, digit by digit, and the greatest magnitude of their sum."""
    k, d, radix = lane.digit_nbits, lane.quotient_delay, 1 << lane.digit_nbits
    quotients: list[int] = []
    total = most = 0
    for i in range(lane.iterations):
        # Digits of two's complement, each with the sign of the one below added.
        digit = below = 0
        if i < lane.digits:
            digit = (a >> k * i) % radix
            digit -= radix * (digit >> k - 1)
            below = a >> k * i - 1 & 1 if i else 0
        low = total % radix
        applied = i < lane.iterations - d
        quotient = low - radix * (low >> k - 1) if applied else low
        quotients.append(quotient)
        total = (total - quotient >> k) + (digit + below) * b
        if i >= d:
            total += quotients[i - d] * lane.addend(modulus)
        most = max(most, abs(total))
    left = sum(q << k * j for j, q in enumerate(quotients[lane.iterations - d :]))
    return (total << k * d) + left, most


@st.composite
def products(draw):
    nbits = draw(st.integers(8, 96))
    k = draw(st.sampled_from([k for k in DIGITS if k <= nbits + 1]))
    lane = MontOrup(nbits, k, draw(st.sampled_from(PIPELINES)))
    modulus = max(3, draw(st.integers(0, (1 << draw(st.integers(2, nbits))) - 1)) | 1)
    most = lane.bound(modulus) - 1
    a, b = (draw(st.integers(-most, most) | st.sampled_from((-most, 0, most))) for _ in "ab")
    return lane, a, b, modulus


@given(products())
def test_products_within_their_bounds(drawn):
    lane, a, b, modulus = drawn
    result = lane.product(a, b, modulus)
    assert (result * lane.r - a * b) % modulus == 0
    assert abs(result) < lane.bound(modulus) < 1 << lane.residue_nbits - 1
    found, most = recurrence(lane, a, b, modulus)
    assert found == result
    assert most < 1 << lane.residue_nbits + lane.digit_nbits - 2


@given(products())
def test_last_product_and_reduction(drawn):
    """The result of any product leaves the domain, and gets below the modulus."""
    lane, a, b, modulus = drawn
    residue = lane.product(a, b, modulus)
    last = lane.product(lane.final_factor, residue, modulus)
    assert abs(last) < lane.bound(modulus)
    result = lane.final_reduction(last, modulus)
    assert 0 <= result < modulus
    assert (result * lane.r - residue) % modulus == 0


@given(products())
def test_numbers_below_the_modulus_enter(drawn):
    lane, a, b, modulus = drawn
    assert abs(lane.product(a % modulus, b % modulus, modulus)) < lane.bound(modulus)


@given(products())
def test_addend(drawn):
    lane, _, _, modulus = drawn
    assert lane.multiple(modulus) % modulus == 0
    assert lane.addend(modulus) << lane.spare_nbits == lane.multiple(modulus) + 1
    assert 0 < lane.addend(modulus) <= modulus
