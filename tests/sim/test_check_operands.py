"""Operands that `rsaxcel check` and `rank` draw: they show products that are rarely wrong."""

import pytest

from rsaxcel.fl.status import InputRules
from rsaxcel.sim.check.rows import draw


def radix_4(a: int, b: int, modulus: int, nbits: int) -> int:
    """Product by two bits of b in a step, reduced by comparisons; the one with 6m is wrong."""
    product = 0
    for low in reversed(range(0, nbits, 2)):
        product = 4 * product + (b >> low & 3) * a
        multiple = sum(product >= k * modulus for k in range(1, 6)) + (product > 6 * modulus)
        product = (product - multiple * modulus) & (1 << nbits) - 1
    return product


def power(base: int, exponent: int, modulus: int, nbits: int) -> int:
    """Power by ``radix_4``, from the lowest bit of the exponent."""
    result = 1 % modulus
    while exponent:
        if exponent & 1:
            result = radix_4(result, base, modulus, nbits)
        exponent >>= 1
        base = radix_4(base, base, modulus, nbits)
    return result


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_products_that_are_rarely_wrong(seed):
    """No power of 8 bits shows a comparison without its equality; the rows of 13 bits do."""
    for nbits, shown in ((8, False), (13, True)):
        rules = InputRules(nbits, odd_modulus=False)
        rows = [x for x in draw(rules, 1000, seed) if x[0] < x[2] and min(x) >= 0 and x[2] > 1]
        small = [(b, e, m) for b, e, m in rows if e <= 7 and m >> nbits == 0]
        assert any(power(*row, nbits) != pow(*row) for row in small) == shown
