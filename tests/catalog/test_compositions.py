"""Any schedule with any multiplier: functional model, cycle model and circuit agree."""

from functools import partial

import pytest

from rsaxcel import catalog
from rsaxcel.fl.contract import DigitMultiplier
from rsaxcel.plan.schedules import SCHEDULES
from tests.shared.compositions import compose, library, points, rotation, rows_of, run_all_levels
from tests.shared.harness import built_once

WIDE = (32, 64)


def test_lanes_that_fit():
    """One lane always fits; a second one fits if the schedule uses it.

    A second lane never fits a multiplier that multiplies its own last result.
    """
    every = points(8)
    for multiplier, entry in catalog.multipliers().items():
        keeps = issubclass(entry.classes.fl, DigitMultiplier)
        for name, schedule in SCHEDULES.items():
            assert (multiplier, name, 1) in every
            assert ((multiplier, name, 2) in every) == (schedule.lanes == 2 and not keeps)


def is_quick(point: tuple) -> bool:
    """Whether a composition is quick: a third, in which each schedule and multiplier occurs.

    Those with two lanes are slow: most designs of the registry have them.
    """
    multiplier, schedule, lanes = point
    turn = list(catalog.multipliers()).index(multiplier) + list(SCHEDULES).index(schedule)
    return lanes == 1 and turn % 3 == 0


def compiled_with(point: tuple) -> tuple:
    """What the compositions of a library have in common."""
    return point[0], point[2], is_quick(point)


@pytest.mark.parametrize(
    ("turn", "point"),
    [
        pytest.param(
            i,
            point,
            id="-".join(map(str, point)),
            marks=[] if is_quick(point) else [pytest.mark.slow],
        )
        for i, point in enumerate(points(8))
    ],
)
@built_once("{point[0]}-{point[2]}", 8)
def test_every_schedule_with_every_multiplier(turn, point):
    """Corners and seeded rows at 8 bits; the circuits of a multiplier are one library."""
    configuration = compose(point, 8)
    alike = tuple(x for x in points(8) if compiled_with(x) == compiled_with(point))
    run_rtl = partial(library(alike, 8).run, configuration)
    run_all_levels(configuration, rows_of(configuration, 6), turn, run_rtl)


def compiled_as_one(chosen: list, nbits: int) -> list[tuple]:
    """Groups of compositions; each group is compiled as one library.

    A composition with several executors has a library of its own: its executors would be simulated
    in every cycle of the others. So has one whose exponents have another width.
    """
    alone = [
        point
        for point in chosen
        if SCHEDULES[point[1]].counts or len(compose(point, nbits).programs) > 1
    ]
    together = tuple(point for point in chosen if point not in alone)
    return [together, *((point,) for point in alone)]


def wide_points() -> list:
    """Compositions of ``rotation``; all others are slow, in one library per multiplier."""
    groups = []
    for k, nbits in enumerate(WIDE):
        quick = rotation(nbits, k)
        marks = [pytest.mark.slow] if nbits > WIDE[0] else []
        groups += [(nbits, group, marks) for group in compiled_as_one(quick, nbits)]
        rest = [point for point in points(nbits) if point not in quick]
        for multiplier in catalog.multipliers():
            own = compiled_as_one([point for point in rest if point[0] == multiplier], nbits)
            groups += [(nbits, group, [pytest.mark.slow]) for group in own]
    return [
        pytest.param(
            turn,
            point,
            group,
            nbits,
            id="-".join(map(str, (*point, nbits))),
            marks=[built_once(f"compositions-{g}", nbits), *slow],
        )
        for g, (nbits, group, slow) in enumerate(groups)
        for turn, point in enumerate(group)
    ]


@pytest.mark.slow_cases("*-32")
@pytest.mark.parametrize(("turn", "point", "group", "nbits"), wide_points())
def test_wider(turn, point, group, nbits):
    """Each schedule with one multiplier, and each multiplier with one; all others are slow."""
    configuration = compose(point, nbits)
    run_rtl = partial(library(group, nbits).run, configuration)
    run_all_levels(configuration, rows_of(configuration, 2), turn, run_rtl)


@pytest.mark.parametrize("nbits", WIDE)
def test_the_rotation_leaves_nothing_out(nbits):
    multipliers, schedules, _ = zip(*rotation(nbits, 1), strict=True)
    assert set(multipliers) == set(catalog.multipliers())
    assert set(schedules) == set(SCHEDULES)
