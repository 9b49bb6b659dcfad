"""Energies of a small netlist for any activity: linear in toggles, and refused if incomplete."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.energy import EnergyItems
from rsaxcel.flow.power.slews import Slews
from tests.flow.power_netlists import analyse, near, read_netlist, uniform_activity, write_json

#: Points of the library's slew axis, in seconds.
FAST, SLOW = 0.0171859e-9, 0.0409838e-9


#: A small cloud with a flip-flop: nets 2 (clk), 3 (a), 4 (b), 5 (a NAND b), 6 (XOR with Q), 7 (Q).
NETS = range(3, 8)


@cache
def cloud():
    """Build it once; not a fixture, as Hypothesis would print it with every counterexample."""
    with TemporaryDirectory() as folder:
        path = write_json(
            Path(folder),
            inputs={"clk": 2, "a": 3, "b": 4},
            outputs={"q": 7},
            cells={
                "n": ("NAND2_X1", {"A1": 3, "A2": 4, "ZN": 5}),
                "x": ("XOR2_X1", {"A": 5, "B": 7, "Z": 6}),
                "f": ("DFF_X1", {"CK": 2, "D": 6, "Q": 7}),
            },
            nets={"n": 5, "x": 6},
        )
        netlist = read_netlist(path, clock="clk")
    pins = {"n": ("A1", "A2", "ZN"), "x": ("A", "B", "Z"), "f": ("CK", "D", "Q", "QN")}
    return netlist, Slews({(c, p): (SLOW, FAST) for c, names in pins.items() for p in names})


# Toggles in 100 cycles. Up to one in four, so that even twice the count leaves Q as often 1 as the
# probability says.
counts = st.lists(st.integers(0, 25), min_size=5, max_size=5)
highs = st.lists(st.floats(0.3, 0.7), min_size=5, max_size=5)


def cloud_energy(counts, highs, windows=1):
    netlist, slews = cloud()
    cycles = 100 * windows
    toggles = {2: 2 * cycles} | {b: windows * n for b, n in zip(NETS, counts, strict=True)}
    high = {2: 0.5} | dict(zip(NETS, highs, strict=True))
    return analyse(netlist, Activity(cycles, toggles, high), slews, period_ns=1.0).items


@settings(deadline=None, max_examples=50)
@given(counts=counts, highs=highs)
def test_energy_is_linear_in_toggles(counts, highs):
    """Twice the toggles in the same cycles: every item moves twice as far from its idle value."""
    idle = cloud_energy([0] * 5, highs)
    once = cloud_energy(counts, highs)
    twice = cloud_energy([2 * count for count in counts], highs)
    for item in EnergyItems.__dataclass_fields__:
        base = getattr(idle, item)
        first, second = getattr(once, item) - base, getattr(twice, item) - base
        rounding = 1e-12 * (base + getattr(twice, item))
        assert second == pytest.approx(2 * first, rel=1e-9, abs=rounding), item


@settings(deadline=None, max_examples=50)
@given(counts=counts, highs=highs)
def test_energy_grows_with_the_window(counts, highs):
    short = cloud_energy(counts, highs)
    long = cloud_energy(counts, highs, windows=3)
    for item in EnergyItems.__dataclass_fields__:
        assert getattr(long, item) == near(3 * getattr(short, item)), item


@settings(deadline=None, max_examples=50)
@given(highs=highs)
def test_no_toggles_leave_clock_and_leakage(highs):
    items = cloud_energy([0] * 5, highs)
    assert items.clock_pins_j > 0
    assert items.clock_nets_j > 0
    assert items.leakage_j > 0
    assert items.switching_j == items.input_nets_j == 0.0
    assert items.internal_combinational_j == items.internal_sequential_j == 0.0


def test_energy_per_operation_and_power():
    netlist, slews = cloud()
    activity = uniform_activity(netlist, toggles_per_cycle=0.2, cycles=400)
    energy = analyse(netlist, activity, slews, period_ns=2.5)
    assert energy.time_s == near(1e-6)
    total_j = energy.items.total_j
    assert energy.power_mw == near(total_j / 1e-6 * 1e3)
    assert sum(energy.items_mw().values()) == near(energy.power_mw)
    assert energy.energy_per_operation_nj(10) == near(total_j / 10 * 1e9)
    with pytest.raises(PowerError, match="operations must be at least 1, not 0"):
        energy.energy_per_operation_nj(0)


def test_missing_net_is_an_error():
    netlist, slews = cloud()
    activity = uniform_activity(netlist, toggles_per_cycle=0.2)
    toggles = {bit: count for bit, count in activity.toggles.items() if bit != 5}
    with pytest.raises(PowerError, match="the activity lacks the net n"):
        analyse(netlist, Activity(1, toggles, activity.high), slews, period_ns=1.0)


def test_period_must_be_positive():
    netlist, slews = cloud()
    activity = uniform_activity(netlist, toggles_per_cycle=0.2)
    with pytest.raises(PowerError, match="period_ns must be positive, not 0"):
        analyse(netlist, activity, slews, period_ns=0)
