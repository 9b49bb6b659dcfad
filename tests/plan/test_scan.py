"""Scans: the digits of an exponent add up to the exponent."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsaxcel.plan.scan import Scan


@st.composite
def scanned(draw) -> tuple[int, int, int]:
    """Draw an exponent's width and value (bit length first), and a width of windows."""
    nbits = draw(st.integers(1, 70))
    length = draw(st.integers(0, nbits))
    return nbits, draw(st.integers(0, (1 << length) - 1)), draw(st.integers(2, 8))


@pytest.mark.parametrize("fixed", [False, True])
@given(case=scanned())
def test_bits_from_the_least_one(fixed, case):
    nbits, exponent, _ = case
    digits = list(Scan(nbits, fixed=fixed).digits(exponent))
    assert len(digits) == (nbits if fixed else exponent.bit_length())
    assert sum(digit.set << i for i, digit in enumerate(digits)) == exponent
    for i, digit in enumerate(digits):
        assert digit.more == any(above.set for above in digits[i + 1 :])
        assert digit.later == (i > 0)


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("windows", [False, True])
@given(case=scanned())
def test_digits_from_the_top(fixed, windows, case):
    """Leading zero digits are scanned in a fixed scan, otherwise passed over one by one."""
    nbits, exponent, width = case
    width = width if windows else 1
    digits = list(Scan(nbits, from_top=True, fixed=fixed, digit_nbits=width).digits(exponent))
    assert len(digits) == -(-nbits // width)
    value = 0
    for k, digit in enumerate(digits):
        if digit is None:
            assert not fixed
            assert value == 0
        else:
            assert digit.index < 1 << width
            assert digit.set == (digit.index > 0)
            assert digit.later == (k > 0 and digits[k - 1] is not None)
            assert fixed or value or digit.set
            value = value << width | digit.index
    assert value == exponent


@given(case=scanned())
def test_odd_powers_in_fixed_windows(case):
    """Squares and products by odd powers, as many for every digit, give the exponent's power."""
    nbits, exponent, width = case
    one = 1 << width - 1
    power = 0
    scan = Scan(nbits, from_top=True, fixed=True, digit_nbits=width, odd=True)
    for digit in scan.digits(exponent):
        indices = [digit.of_step(number).index for number in range(width + 1)]
        power *= 2  # the first step is a square
        for index in indices[1:]:
            power += power if index == one + 1 else 2 * index + 1 if index < one else 0
        assert indices[1:].count(one + 1) == width - 1
    assert power == exponent


@given(case=scanned())
def test_sliding_windows(case):
    """Windows cover each set bit once, begin and end with a 1, and are as few as possible."""
    nbits, exponent, width = case
    digits = list(Scan(nbits, from_top=True, sliding_nbits=width).digits(exponent))
    assert len(digits) == nbits
    assert digits.count(None) == nbits - exponent.bit_length()
    power, lowest, ends = 0, nbits, 0
    for k, digit in enumerate(digits):
        if digit is None:
            assert power == 0
            continue
        assert digit.later == (k > 0 and digits[k - 1] is not None)
        power *= 2  # a bit's square doubles the exponent of the result
        if digit.set:
            window, end = 2 * digit.index + 1, nbits - 1 - k
            length = window.bit_length()
            assert length <= width
            assert exponent >> end & (1 << length) - 1 == window
            assert end + length <= lowest
            power, lowest, ends = power + window, end, ends + 1
    assert power == exponent
    assert ends == _fewest_windows(exponent, width)


@given(exponent=st.integers(0, 2000))
def test_an_exponent_is_counted_down(exponent):
    digits = list(Scan(11, counts=True).digits(exponent))
    assert len(digits) == exponent
    assert all(digit.set for digit in digits)
    assert [digit.later for digit in digits] == [False, *[True] * exponent][:exponent]
    assert [digit.more for digit in digits] == [*[True] * exponent, False][1:][:exponent]


@pytest.mark.parametrize(
    ("counts", "exponent", "share", "leading"),
    [
        pytest.param(False, 0b110101, 1 / 2, 0b110, id="half of the bits"),
        pytest.param(False, 0b110101, 0.01, 0b11, id="the least bits"),
        pytest.param(False, 0b1, 0.01, 0b1, id="fewer bits than the least"),
        pytest.param(False, 0b110101, 7.5, 0b110101, id="all bits"),
        pytest.param(True, 53, 1 / 2, 26, id="half of the value"),
        pytest.param(True, 53, 0.01, 2, id="the least value"),
        pytest.param(True, 1, 0.01, 1, id="a smaller value than the least"),
        pytest.param(True, 53, 7.5, 53, id="the whole value"),
    ],
)
def test_a_share_of_the_steps(counts, exponent, share, leading):
    assert Scan(17, counts=counts).leading(exponent, share, 2) == leading


@cache
def _fewest_windows(exponent: int, width: int) -> int:
    """Try every length of the window that begins with the highest set bit."""
    if exponent == 0:
        return 0
    length = exponent.bit_length()
    lengths = range(1, min(width, length) + 1)
    return 1 + min(_fewest_windows(exponent & (1 << length - n) - 1, width) for n in lengths)
