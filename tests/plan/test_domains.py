"""Domains for every combination of choices give the same results."""

import pytest

from rsaxcel.catalog.units import units_for
from rsaxcel.fl.exponentiator import ExponentiatorFL
from rsaxcel.fl.multipliers import MontMul
from rsaxcel.fl.status import InputRules
from rsaxcel.plan.domains import CONVERSIONS, PRODUCT, montgomery, plain, r_squared_constant
from rsaxcel.plan.modulus_constants import HOST
from rsaxcel.plan.schedules import SCHEDULES, plan

NBITS = 6
UNITS = units_for(r_squared_constant(NBITS, NBITS).formula, NBITS)


@pytest.mark.parametrize("conversions", CONVERSIONS)
@pytest.mark.parametrize("r_squared", [*UNITS, HOST])
@pytest.mark.parametrize("one", [PRODUCT, "division", HOST])
def test_every_combination(conversions, r_squared, one):
    """Dedicated or shared conversions, constants from any source: results equal ``pow``."""
    domain = montgomery(NBITS, NBITS, conversions, r_squared, one)
    assert domain.dedicated == (conversions == "dedicated")
    programs = plan(domain, SCHEDULES["r2l"], 2, NBITS)
    assert len(programs) == (3 if domain.dedicated else 1)
    model = ExponentiatorFL(InputRules(NBITS, True), programs, MontMul(NBITS), domain.constants)
    assert len(model.host_constants) == (r_squared, one).count(HOST)
    for m in range(3, 1 << NBITS, 2):
        for b in range(m):
            assert model.power(b, 0b101101, m) == pow(b, 0b101101, m)


def test_plain_converts_nothing():
    assert not plain().enter
    assert not plain().leave
    assert not plain().constants
