"""Every product of residues at small widths, by the recurrence: results and bounds.

The tests form all pairs of residues for all odd moduli of a width. Digits of two bits, which no
design has, are the smallest for which the bounds were derived.
"""

import numpy as np
import pytest

from rsaxcel.fl.multipliers.mont_orup import MontOrup
from tests.fl.mont_orup_by_digits import MontOrupByDigits

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
    lane = MontOrup(nbits, k, DELAYS[delay])
    found = [check_modulus(lane, modulus) for modulus in range(3, 1 << nbits, 2)]
    largest, taken = map(max, zip(*found, strict=True))
    # The bounds are tight.
    assert largest > 0.8
    assert taken > 0.7


@pytest.mark.parametrize("delay", DELAYS)
def test_every_reduction(delay):
    """The final reduction of each residue divides by ``final_factor`` modulo m."""
    lane = MontOrup(4, 4, DELAYS[delay])
    for modulus in range(3, 16, 2):
        inverse = pow(lane.final_factor, -1, modulus)
        residues = range(1 - lane.bound(modulus), lane.bound(modulus), 1 if delay == 1 else 61)
        for residue in residues:
            assert lane.final_reduction(residue, modulus) == residue * inverse % modulus


@pytest.mark.parametrize("delay", DELAYS)
def test_the_golden_model_by_digits(delay):
    """MontOrupByDigits gives right products of all kinds for small operands."""
    lane = MontOrupByDigits(3, 2, DELAYS[delay])
    for modulus in (3, 5, 7):
        limit = lane.bound(modulus)
        corners = [x for x in range(1 - limit, limit) if x % 16 == 0 or abs(x) > limit - 4]
        for a in corners:
            for b in corners:
                assert (lane.product(a, b, modulus) * lane.r - a * b) % modulus == 0
        for message in range(1 << 2 * lane.nbits):
            for b in range(modulus):
                entered = lane.double_product(message, b, modulus)
                assert (entered * lane.r**2 - message * b) % modulus == 0
        for a in range(1 << lane.nbits):
            for tail in range(1 << lane.nbits):
                assert lane.whole_product(a, modulus, tail) == a * modulus + tail
