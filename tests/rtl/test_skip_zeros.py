"""Skipped leading zeros of a quotient: all operands of small widths."""

import pytest

from rsaxcel.rtl.lib.divider import SkipZeros
from rsaxcel.sim.pymtl_engine import prepare


@pytest.mark.parametrize(
    ("dividend_nbits", "divisor_nbits", "group_nbits"), [(6, 6, 2), (6, 4, 3), (4, 6, 1)]
)
def test_every_division(dividend_nbits, divisor_nbits, group_nbits):
    """Exactly the leading groups of zeros in the quotient are skipped."""
    unit = SkipZeros(dividend_nbits, divisor_nbits, group_nbits)
    unit.elaborate()
    prepare(unit, None)
    groups = dividend_nbits // group_nbits
    for divisor in range(1, 1 << divisor_nbits):
        for dividend in range(1 << dividend_nbits):
            unit.dividend @= dividend
            unit.divisor @= divisor
            unit.sim_eval_combinational()
            digits = [dividend // divisor >> group_nbits * (groups - 1 - i) for i in range(groups)]
            assert [int(x) for x in unit.skips] == [int(x == 0) for x in digits]
            left = group_nbits * (groups - digits.count(0))
            if digits.count(0):
                assert unit.remainder == dividend >> left
                assert unit.low == (dividend << dividend_nbits - left) % (1 << dividend_nbits)
            else:
                assert (unit.remainder, unit.low) == (0, dividend)
