"""Counts of units, stages and products of designs."""

import pytest

from rsaxcel.eval.measure.structure import STAGE, structure
from rsaxcel.flow.requests import default_exponents


def counted(design, nbits, **choices):
    measurement = structure(design, nbits, **choices)
    result = measurement.job.function(*measurement.job.arguments)
    return {(x.quantity, x.part, x.operation): x.value for x in measurement.facts(result)}


@pytest.mark.parametrize(("nbits", "stages"), [(32, 4), (32, 8), (16, 1)])
def test_an_unrolled_multiplier_has_its_stages_and_addreds(nbits, stages):
    found = counted("mont_r2l", nbits, stages=stages)
    assert found["pipeline_stages", "multiplier", ""] == stages
    assert found["add_reds", STAGE, ""] == nbits / stages
    assert found["product_cycles", "multiplier", "product"] == stages
    assert (found["loop_multipliers", "", ""], found["conversion_multipliers", "", ""]) == (2, 3)


def test_products_of_a_plain_loop_are_squares_and_products():
    found = counted("mulrem_r2l", 32, schedule="r2l_every_square", divider="aligning")
    for operation, exponent in default_exponents(32).items():
        expected = exponent.bit_length() + exponent.bit_count()
        assert found["products", "", operation] == expected
        assert found["exponent", "", operation] == str(exponent)
    assert (found["loop_multipliers", "", ""], found["conversion_multipliers", "", ""]) == (2, 0)
    assert not [x for x in found if x[0] in ("pipeline_stages", "add_reds", "product_cycles")]
