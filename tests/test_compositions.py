"""Any schedule with any multiplier: functional model, cycle model and circuit agree."""

from functools import partial

import pytest

import catalog
from catalog.fit import resolve
from fl.domains import CONVERSIONS, PRODUCT
from fl.modulus_constants import HOST
from fl.schedules import SCHEDULES, WINDOW_NBITS
from fl.status import Status
from fl.steps import ENTRY, NEXT, walk
from tests.compositions import (
    compose,
    engine_for,
    first_design,
    library,
    points,
    rotation,
    rows,
    run_all_levels,
)
from tests.harness import built_once

WIDE = (32, 64)


def test_lanes_that_fit():
    """One lane always does, a second one where the schedule keeps it busy."""
    every = points(8)
    for multiplier in catalog.multipliers():
        for name, schedule in SCHEDULES.items():
            assert (multiplier, name, 1) in every
            assert ((multiplier, name, 2) in every) == (schedule.lanes == 2)


@pytest.mark.parametrize(
    ("turn", "point"),
    [
        pytest.param(i, point, id="-".join(map(str, point)), marks=built_once(point[0], 8))
        for i, point in enumerate(points(8))
    ],
)
def test_every_schedule_with_every_multiplier(turn, point):
    """Corners and seeded rows at 8 bits; the circuits of a multiplier are compiled as one."""
    configuration = compose(point, 8)
    alike = tuple(p for p in points(8) if p[0] == point[0])
    run_rtl = partial(library(alike, 8).run, configuration)
    run_all_levels(configuration, rows(8, 6), turn, run_rtl)


def wide_points() -> list:
    """Pairs by rotation, compiled as one for each width; the rest is slow, one by multiplier."""
    chosen = []
    for k, nbits in enumerate(WIDE):
        quick = tuple(rotation(nbits, k))
        rest = [point for point in points(nbits) if point not in quick]
        groups = [quick, *(tuple(p for p in rest if p[0] == m) for m in catalog.multipliers())]
        for g, group in enumerate(groups):
            marks = [built_once(f"compositions-{g}", nbits), *([pytest.mark.slow] if g else [])]
            for i, point in enumerate(group):
                name = "-".join(map(str, (*point, nbits)))
                chosen.append(pytest.param(i, point, group, nbits, id=name, marks=marks))
    return chosen


@pytest.mark.parametrize(("turn", "point", "group", "nbits"), wide_points())
def test_wider(turn, point, group, nbits):
    """One multiplier for each schedule, one schedule for each multiplier; the other pairs slow."""
    configuration = compose(point, nbits)
    run_rtl = partial(library(group, nbits).run, configuration)
    run_all_levels(configuration, rows(nbits, 2), turn, run_rtl)


@pytest.mark.parametrize("nbits", WIDE)
def test_the_rotation_leaves_nothing_out(nbits):
    multipliers, schedules, _ = zip(*rotation(nbits, 1), strict=True)
    assert set(multipliers) == set(catalog.multipliers())
    assert set(schedules) == set(SCHEDULES)
