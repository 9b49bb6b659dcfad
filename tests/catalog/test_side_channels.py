"""Side channels: the cycles of every composition depend on base and exponent as declared."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel import catalog
from rsaxcel.course.testing.strategies import powers
from rsaxcel.plan.schedules import SCHEDULES
from tests.shared.compositions import compose, points
from tests.shared.harness import usable


def is_calm(configuration: catalog.Configuration) -> bool:
    """Whether cycles are declared to depend on neither base nor exponent."""
    return not (configuration.exponent_dependent or configuration.base_dependent)


POINTS = points(8)
FIXED = [name for name, schedule in SCHEDULES.items() if schedule.fixed]
CALM = [point for point in POINTS if is_calm(compose(point, 8))]
EXPONENT_FREE = [point for point in POINTS if not compose(point, 8).exponent_dependent]
STEADY = [point for point in POINTS if not compose(point, 8).base_dependent]
REGULAR = [name for name, d in catalog.DESIGNS.items() if not d.default.exponent_dependent]


def ids(points_: list) -> list[str]:
    return ["-".join(map(str, point)) for point in points_]


def test_what_is_declared():
    """The declarations follow from the schedule and from the multiplier's constant time."""
    for point in POINTS:
        multiplier, schedule, _ = point
        configuration = compose(point, 8)
        steady = catalog.multipliers()[multiplier].classes.fl.constant_time
        assert configuration.base_dependent != steady
        if steady or not SCHEDULES[schedule].fixed:
            assert configuration.exponent_dependent != SCHEDULES[schedule].fixed
    # The time of ssmm depends on b: in r2l_always, b is a power that no exponent changes.
    fixed = {s: compose(("ssmm", s, 1), 8).exponent_dependent for s in FIXED}
    by_base = {"r2l_always": False, "fixed_window": True}
    assert fixed == dict.fromkeys(("l2r_always", "ladder", "window"), True) | by_base
    assert "systolic_l2r_always" in REGULAR


def test_a_parameter_can_decide_it():
    """With the divider ``aligning``, cycles depend on the base, and are declared to."""
    for divider, depends in (("preloaded", False), ("restoring", False), ("aligning", True)):
        configuration = catalog.get("mulrem_r2l").configure(8, divider=divider)
        assert configuration.base_dependent == depends
        cycles = {configuration.cycles(base, 128, 251) for base in range(2, 251)}
        assert (len(cycles) > 1) == depends


@pytest.mark.parametrize("point", CALM, ids=ids(CALM))
@settings(max_examples=25, deadline=None)
@given(row=powers(8), other=powers(8))
def test_no_base_and_no_exponent_changes_the_cycles(point, row, other):
    """Cycles are equal for one modulus, and for all moduli if no unit computes a constant."""
    configuration = compose(point, 8)
    row, other = usable(configuration, row), usable(configuration, other)
    cycles = configuration.cycles(*row)
    assert configuration.cycles(other[0] % row[2], other[1], row[2]) == cycles
    if not configuration.programs[0].computed_constants:
        assert configuration.cycles(*other) == cycles


@pytest.mark.parametrize("point", EXPONENT_FREE, ids=ids(EXPONENT_FREE))
@settings(max_examples=15, deadline=None)
@given(row=powers(8), other=st.integers(0, 255))
def test_no_exponent_changes_the_cycles(point, row, other):
    configuration = compose(point, 8)
    row = usable(configuration, row)
    base, _, modulus = row
    assert configuration.cycles(base, other, modulus) == configuration.cycles(*row)


@pytest.mark.parametrize("point", STEADY, ids=ids(STEADY))
@settings(max_examples=15, deadline=None)
@given(row=powers(8), other=st.integers(0, 254))
def test_no_base_changes_the_cycles(point, row, other):
    configuration = compose(point, 8)
    row = usable(configuration, row)
    _, exponent, modulus = row
    assert configuration.cycles(other % modulus, exponent, modulus) == configuration.cycles(*row)


@pytest.mark.parametrize("point", POINTS, ids=ids(POINTS))
def test_what_is_declared_to_depend_does(point):
    """Where a dependence is declared, some bases or exponents take different cycles."""
    configuration = compose(point, 8)
    modulus = configuration.usable_modulus(201)
    if configuration.base_dependent:
        assert len({configuration.cycles(base, 7, modulus) for base in (0, 1, 2, 200)}) > 1
    if configuration.exponent_dependent:
        exponents = (0, 1, 2, 3, 0x55, 0x80, 0xFF)
        assert len({configuration.cycles(5, exponent, modulus) for exponent in exponents}) > 1
