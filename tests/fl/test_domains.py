"""Domains are built from choices, and every combination of them computes the same."""

import pytest

from fl.domains import CONVERSIONS, PLAIN, R_SQUARED_UNITS, montgomery
from fl.exponentiator import Exponentiator
from fl.multipliers.mont_mul import MontMul
from fl.schedules import RIGHT_TO_LEFT, plan
from fl.status import InputRules
from fl.units import Unit


@pytest.mark.parametrize("conversions", CONVERSIONS)
@pytest.mark.parametrize("r_squared", R_SQUARED_UNITS)
def test_every_combination(conversions, r_squared):
    """Conversions in units of their own or shared, R^2 from either unit: results as ``pow``."""
    nbits = 6
    domain = montgomery(conversions=conversions, r_squared=r_squared)
    assert domain.name.count(r_squared) == 1
    assert domain.dedicated == (conversions == "dedicated")
    programs = plan(domain, RIGHT_TO_LEFT)
    assert len(programs) == (3 if domain.dedicated else 1)
    constants = Unit(domain.constants_unit).build("fl", nbits).values
    model = Exponentiator(InputRules(nbits, True), programs, MontMul(nbits), constants)
    for m in range(3, 1 << nbits, 2):
        for b in range(m):
            assert model.power(b, 0b101101, m) == pow(b, 0b101101, m)


def test_plain_converts_nothing():
    assert not PLAIN.enter
    assert not PLAIN.leave
    assert PLAIN.constants_unit is None


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"conversions": "both", "r_squared": "ssmm"}, "conversions=both: dedicated, shared"),
        (
            {"conversions": "shared", "r_squared": "table"},
            "r_squared=table: division, ssmm, doubling",
        ),
    ],
)
def test_unknown_choice(choice, message):
    with pytest.raises(ValueError, match=message):
        montgomery(**choice)
