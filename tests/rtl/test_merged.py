"""One state machine for exponent and products (``control=merged``), on lanes with parameters."""

import pytest

from tests.shared.harness import check_rows, configure, table, tables_of


@pytest.mark.parametrize("bits_per_cycle", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_some_bits_in_a_cycle(bits_per_cycle):
    configuration = configure("ssmm_l2r", 12, bits_per_cycle=bits_per_cycle)
    for rows in tables_of("ssmm_l2r"):
        operands, expected = table(configuration, rows)
        check_rows(configuration, operands, expected, level="rtl", engine="native")


def test_the_design_has_the_choice_by_itself():
    """Another schedule has the usual control, and so have names of what is not as registered."""
    assert configure("interleaved_l2r", 8).name == "interleaved_l2r_8"
    assert configure("interleaved_l2r", 8, control="streams").params["control"] == "streams"
    assert "control" in configure("ssmm_r2l", 8, schedule="l2r", control="merged").params
    assert "merged" not in configure("interleaved_l2r", 8, schedule="ladder").params.values()
