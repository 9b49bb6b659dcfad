"""Carries of a lane's result: through segments, groups of segments, and all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsaxcel.rtl.multipliers.mont_orup.running_sum import CarryResolve
from rsaxcel.sim.pymtl_engine import prepare

SEGMENT = 4
ONES = (1 << SEGMENT) - 1


def adder(nbits: int) -> CarryResolve:
    top = CarryResolve(nbits, SEGMENT)
    top.elaborate()
    prepare(top, None)
    return top


# 2 segments; one group of 8, not full and full; two groups, of which the last is not full; 5 groups
ADDERS = {nbits: adder(nbits) for nbits in (5, 30, 32, 63, 150)}


@pytest.mark.parametrize("nbits", ADDERS)
@given(data=st.data())
def test_sums(nbits, data):
    """Most segments pass a carry on, so that carries run far."""
    top = ADDERS[nbits]
    x = y = 0
    for i in range(-(-nbits // SEGMENT)):
        low = data.draw(st.integers(0, ONES))
        other = data.draw(st.sampled_from([ONES - low, ONES - low, ONES - low, ONES, 0]))
        x |= low << SEGMENT * i
        y |= other << SEGMENT * i
    mask = (1 << nbits) - 1
    x, y = x & mask, y & mask
    top.sum @= x
    top.carry @= y
    top.first @= 1
    top.sim_settle()
    top.sums @= top.added
    top.sim_edge()
    top.first @= 0
    top.sum @= 0
    top.carry @= 0
    top.sim_settle()
    assert top.resolved == x + y & mask
