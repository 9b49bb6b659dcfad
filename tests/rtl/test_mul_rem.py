"""MulRem with operand registers; the exhaustive tests form all its products."""

import pytest

from rsaxcel import catalog
from rsaxcel.fl.multipliers.contract import REGISTERED
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import check_overlap

NBITS = 13


@pytest.mark.parametrize("stalls", STALL_PROFILES)
@pytest.mark.parametrize("divider", ["preloaded", "aligning"])
@pytest.mark.parametrize("name", ["mul_rem", "mulrem_r2l"])
def test_registered_operands(name, divider, stalls):
    """Results, and every handshake cycle, with many requests in flight."""
    configuration = catalog.find(name).configure(NBITS, divider=divider, operands=REGISTERED)
    check_overlap(configuration, STALL_PROFILES[stalls])


@pytest.mark.parametrize("name", ["mul_rem", "mulrem_r2l"])
def test_price_in_cycles(name):
    """Operand registers cost one cycle per product."""
    direct, registered = (
        catalog.find(name).configure(NBITS, operands=operands)
        for operands in ("direct", REGISTERED)
    )
    row = (5, 7, 11) if name == "mul_rem" else (5, 0b1000, 11)
    products = 1 if name == "mul_rem" else 4
    assert registered.cycles(*row) == direct.cycles(*row) + products
