"""Cycles in which gates have delays: all if that is cheap, otherwise a sample."""

from types import SimpleNamespace

import pytest

from rsaxcel.flow.gates.level import GateLevel
from rsaxcel.flow.layout import TIMED_CYCLES


@pytest.mark.parametrize(
    ("gates", "cycles", "asked", "period"),
    [
        (9_202, 1_022, TIMED_CYCLES, 1),  # mulrem_r2l, 32 bits: a sample missed its products
        (157_000, 33_843, TIMED_CYCLES, 67),  # crt_window, 1024 bits
        (9_202, 1_022, 100, 10),
        (9_202, 99, 100, 1),
    ],
)
def test_period_of_the_sample(gates, cycles, asked, period):
    netlist = SimpleNamespace(instances=range(gates))
    level = GateLevel(netlist, slews=SimpleNamespace(), timed_cycles=asked)
    assert level.measured("decrypt", cycles, lambda sample: sample).period == period
