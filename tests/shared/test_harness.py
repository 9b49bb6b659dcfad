"""Tests of the harness."""

import numpy as np
import pytest

from rsaxcel.sim.batch import Batch, SimulationTimeout
from tests.shared.harness import Comparison, built_once, check_batch, configure


@built_once("harness", 1)
def test_groups_of_tests_stay_together(request):
    """pytest-xdist finds a group by a suffix of the test's name, which pytest 9.2 drops."""
    if not request.config.getoption("loadgroup", default=False):
        pytest.skip("one process, or another distribution")
    assert request.node.nodeid.endswith("@harness-1")


def test_first_row_that_differs_is_told_with_its_command():
    """The first of all batches is reported; the command repeats all conditions of the run."""
    configuration = configure("mul_rem", 8, bits_per_cycle=4)
    columns = [np.array(c) for c in ((3, 4, 5), (6, 0x1F, 7), (7, 0xFD, 9))]
    comparison = Comparison(configuration, "rtl", "native")
    comparison.add(columns, [np.array([4, 124, 8])], [np.array([4, 124, 8])])
    comparison.check()
    comparison.add(columns, [np.array([4, 1, 9])], [np.array([4, 124, 8])])
    with pytest.raises(pytest.fail.Exception) as caught:
        comparison.check()
    assert str(caught.value).splitlines() == [
        "mul_rem (8 bits, bits_per_cycle=4, divider=preloaded, operands=direct), level rtl, engine "
        "native: 2 of 6 rows differ",
        "first: a=0x4 b=0x1f n=0xfd: result 0x1 instead of result 0x7c",
        """replay: echo '{"a": "4", "b": "1f", "n": "fd"}' | rsaxcel sim mul_rem --nbits 8 """
        "--param bits_per_cycle=4 --param divider=preloaded --param operands=direct --level rtl "
        "--vectors - --trace",
    ]


def test_wrong_status_and_cycles_are_told():
    """Rows of a design have operands of any width."""
    configuration = configure("mulrem_r2l", 32)
    rows, wide = [(2, 3, 7), (1 << 70, 3, 7)], "400000000000000000"
    expected, answers = [(1, 0), (0, 4)], [(1, 0), (0, 3)]
    batch = Batch(answers, [0, 10], [9, 20], [9, 20], 21)
    with pytest.raises(pytest.fail.Exception) as caught:
        check_batch(configuration, "cl", "pymtl", rows, batch, expected, [9, 10])
    assert str(caught.value).splitlines()[1:] == [
        f"first: base=0x{wide} exp=0x3 n=0x7: result 0x0, status base_too_large "
        "instead of result 0x0, status operand_too_wide",
        f"""replay: echo '{{"base": "{wide}", "exp": "3", "n": "7"}}' | rsaxcel sim mulrem_r2l """
        "--nbits 32 --param bits_per_cycle=1 --param divider=preloaded --param operands=direct "
        "--level cl --engine pymtl --vectors - --trace",
    ]
    with pytest.raises(pytest.fail.Exception, match="cycles 9, the cycle model says 8"):
        check_batch(configuration, "cl", "pymtl", rows, batch, answers, [8, 10])
    check_batch(configuration, "cl", "pymtl", rows, batch, answers, [9, 10])


def test_row_without_an_answer_is_told():
    """A hang names the row that waits."""
    comparison = Comparison(configure("ssmm", 8), "rtl", "native")
    with (
        pytest.raises(pytest.fail.Exception) as caught,
        comparison.hangs_told([[1, 2], [1, 3], [5, 7]]),
    ):
        raise SimulationTimeout("Dead", 12, 9, 2, 1, 2)
    head, first, command = str(caught.value).splitlines()
    assert head.endswith("engine native: no answer")
    assert first.startswith("first: a=0x2 b=0x3 n=0x7: Dead: no handshake for 9 cycles")
    assert '{"a": "2", "b": "3", "n": "7"}' in command
