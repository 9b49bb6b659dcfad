"""Smallest period by bisection, the curve of area, delay and energy, and its knee."""

import math
import random

import pytest

from rsaxcel import catalog
from rsaxcel.eval.curve import (
    BRACKET,
    FACTORS,
    KNEE,
    MARKS,
    MOST_RUNS,
    SMALLEST,
    CurveResult,
    CurveRuns,
    knee_of,
    measure_curve,
    search,
    tabulate_curve,
    verdict_of,
)
from rsaxcel.eval.measure.flows import rounded
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import LOOSE, NOT_PLACED, OUT_OF_REACH, TIGHT, judge
from rsaxcel.store.errors import SetupError
from tests.eval.made_up_flow import PLACED_LAYOUT, MadeUpFlow, saturated

TARGET = catalog.get("mulrem_r2l").configure(8)


def asked_of(period_of, estimate_ns, **settings):
    """Search; give the constraints that were tried, and what was found."""
    asked = []

    def counted(clock_ns):
        asked.append(clock_ns)
        return period_of(clock_ns)

    return asked, search(estimate_ns, counted, **settings)


@pytest.mark.parametrize("estimate", [0.6, 0.9, 1.0, 1.03, 1.3])
@pytest.mark.parametrize("far", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("used", [0.5, 0.9, 0.98])
def test_the_bisection_converges(estimate, far, used):
    limit_ns = 1.4
    asked, found = asked_of(saturated(limit_ns, far, used), estimate * limit_ns)
    assert len(asked) == len(set(asked)) <= MOST_RUNS
    assert found.is_narrow
    assert found.upper <= limit_ns * (1 + BRACKET)
    clock_ns = found.best
    assert found.periods[clock_ns] == pytest.approx(limit_ns, rel=BRACKET)
    assert judge(clock_ns, found.periods[clock_ns]) == TIGHT


def test_the_bisection_bears_noise():
    """With a noise of 1 % the result is within 3 % of the limit nearly always, and never wide."""
    errors, runs = [], []
    for seed in range(300):
        draw = random.Random(seed)
        limit_ns = draw.uniform(0.8, 5)
        plain = saturated(limit_ns, draw.uniform(0, 0.3), draw.uniform(0.5, 0.98))
        noise: dict[float, float] = {}

        def noisy(clock_ns, draw=draw, plain=plain, noise=noise):
            noise.setdefault(clock_ns, draw.uniform(0.99, 1.01))
            return plain(clock_ns) * noise[clock_ns]

        asked, found = asked_of(noisy, limit_ns * draw.uniform(0.8, 1.15))
        runs.append(len(asked))
        assert found.best is not None
        errors.append(abs(found.periods[found.best] / limit_ns - 1))
    assert max(runs) <= MOST_RUNS
    assert sum(runs) / len(runs) < 5
    assert sum(error > 0.03 for error in errors) <= 3
    assert max(errors) < 0.1


@pytest.mark.parametrize(
    "period_of",
    [
        lambda clock_ns: 0.99 * clock_ns,  # always met
        lambda clock_ns: 1.04 * clock_ns,  # never met
        lambda clock_ns: math.inf,  # never any room
        lambda clock_ns: 0.5 if clock_ns > 1 else 2.0,  # a jump: nothing is published
    ],
)
def test_the_number_of_runs_is_bounded(period_of):
    asked, found = asked_of(period_of, 1.2)
    assert len(asked) <= MOST_RUNS
    assert not (found.is_narrow and found.best)
    asked, _ = asked_of(period_of, 1.2, most_runs=3)
    assert len(asked) <= 3


def test_the_search_is_repeatable():
    first, second = (asked_of(saturated(2.345), 2.0) for _ in range(2))
    assert first == second


def test_a_miss_above_a_period_that_was_reached_does_not_count():
    found = CurveResult({1.5: 1.6, 1.6: 1.4, 1.4: 1.39, 1.3: 1.5})
    assert (found.lower, found.upper, found.best) == (1.3, 1.39, 1.4)
    assert not found.is_narrow


def test_of_equal_periods_the_closest_constraint_is_best():
    assert CurveResult({1.38: 1.4, 1.44: 1.4, 1.405: 1.4, 1.6: 1.4}).best == 1.405


def test_a_constraint_that_was_met_is_preferred():
    periods = {1.38: 1.4, 1.41: 1.405}
    assert CurveResult(periods).best == 1.41
    assert CurveResult({1.38: 1.4}).best == 1.38


def test_a_period_far_from_its_constraint_is_not_published():
    found = CurveResult({2.0: 1.4, 1.0: 1.38, 1.3: math.inf})
    assert (found.published, found.best) == ({}, None)


def test_constraints_have_four_digits():
    four = {0.123456: 0.1235, 1.23456: 1.235, 12.3456: 12.35, 123.456: 123.5}
    assert {x: rounded(x) for x in four} == four


def test_the_knee_is_the_point_farthest_below_the_chord():
    assert knee_of([1, 1.3, 2, 3], [1000, 600, 560, 500]) == 1
    assert knee_of([3, 1, 2, 1.3], [500, 1000, 560, 600]) == 3
    # In the scale of the chord, (2, 560) is 1 - 0.5 - 0.12 below it.
    assert knee_of([1, 2, 3], [1000, 560, 500]) == 1


@pytest.mark.parametrize(
    ("periods", "areas"),
    [
        ([1, 2, 3], [900, 700, 500]),  # a straight line
        ([1, 2, 3], [900, 890, 500]),  # above the chord
        ([1, 2, 3], [500, 400, 900]),  # area does not fall
        ([1], [500]),
    ],
)
def test_a_curve_may_have_no_knee(periods, areas):
    assert knee_of(periods, areas) is None


def measured(flow, layout=PLACED_LAYOUT, **settings):
    """Measure a curve with a made-up flow; give the lines of progress, the curve, the points."""
    lines = []
    curve = measure_curve(CurveRuns(TARGET, layout=layout, progress=lines.append), **settings)
    return lines, curve, tabulate_curve(curve)


def test_a_curve_has_points_at_multiples_of_the_smallest_period(monkeypatch):
    flow = MadeUpFlow(saturated(2.0)).use(monkeypatch)
    lines, curve, points = measured(flow)
    assert curve.period_ns == pytest.approx(2.0, rel=BRACKET)
    assert len(flow.made) == len(curve.found.periods) + len(FACTORS) <= MOST_RUNS + len(FACTORS)
    assert list(points.clock_ns) == sorted(flow.made)
    of_factor = points.dropna(subset="factor").set_index("factor")
    assert list(of_factor.index) == list(FACTORS)
    for factor, clock_ns in of_factor.clock_ns.items():
        assert clock_ns == pytest.approx(factor * curve.period_ns, rel=1e-3)
    assert {*of_factor.constraint} == {LOOSE}
    assert lines[0] == "search: estimate by synthesis"
    assert "search: run 1 of at most 8, 1.9 ns" in lines
    assert "place at 1.9 ns" in lines
    assert lines[-1] == f"curve: 0 of {len(flow.made)} records were there before"


def test_a_second_run_measures_nothing(monkeypatch):
    flow = MadeUpFlow(saturated(2.0)).use(monkeypatch)
    _, first, points = measured(flow)
    made = len(flow.made)
    lines, second, same = measured(flow)
    assert len(flow.made) == made
    assert lines[-1] == f"curve: {made} of {made} records were there before"
    assert second == first
    assert same.equals(points)


def test_an_interrupted_search_goes_on(monkeypatch):
    flow = MadeUpFlow(saturated(2.0)).use(monkeypatch)
    _, _, points = measured(flow)
    again = MadeUpFlow(saturated(2.0)).use(monkeypatch)
    again.store = {clock_ns: flow.store[clock_ns] for clock_ns in flow.made[:2]}
    _, _, same = measured(again)
    assert again.made == flow.made[2:]
    assert same.equals(points)


def test_marks_and_verdict(monkeypatch):
    _, curve, points = measured(MadeUpFlow(saturated(2.0, far=1.0)).use(monkeypatch))
    marked = {mark: points[[mark in x.split(", ") for x in points.marks]] for mark in MARKS}
    assert all(len(rows) == 1 for rows in marked.values())
    assert marked[SMALLEST].clock_ns.item() == curve.smallest
    product = points.core_area_um2 * points.period_ns
    useful = points.constraint != OUT_OF_REACH
    assert marked["area x time"].index.item() == product[useful].idxmin()
    verdict = verdict_of(curve, points)
    assert verdict["smallest_period_ns"] == curve.period_ns
    assert verdict["settled"] is True
    assert verdict["missed_clock_ns"] < verdict["clock_ns"] == curve.smallest
    assert verdict["knee_clock_ns"] == marked[KNEE].clock_ns.item()
    assert not points[~useful].marks.any()


def test_a_synthesized_curve_has_the_area_of_the_cells(monkeypatch):
    flow = MadeUpFlow(saturated(2.0), NOT_PLACED).use(monkeypatch)
    _, _, points = measured(flow, NOT_PLACED)
    assert points.core_area_um2.isna().all()
    product = points.area_um2 * points.period_ns
    (best,) = points.index[["area x time" in x.split(", ") for x in points.marks]]
    assert best == product[points.constraint != OUT_OF_REACH].idxmin()


def test_a_constraint_without_room_counts_as_missed(monkeypatch):
    plain = saturated(2.0)

    def period_of(clock_ns):
        return plain(clock_ns) if clock_ns >= 1.95 else math.inf

    lines, curve, points = measured(MadeUpFlow(period_of).use(monkeypatch))
    assert 1.9 in curve.failed
    assert any(line.startswith("failed at 1.9 ns: the cells do not fit") for line in lines)
    assert curve.period_ns == pytest.approx(2.0, rel=BRACKET)
    assert 1.9 not in set(points.clock_ns)
    (first, *_) = verdict_of(curve, points)["failed"]
    assert first == {"clock_ns": 1.9, "reason": "the cells do not fit into the core"}


def test_errors_of_every_run(monkeypatch):
    with pytest.raises(FlowError, match="the cells do not fit"):
        measured(MadeUpFlow(lambda clock_ns: math.inf).use(monkeypatch))
    flow = MadeUpFlow(lambda clock_ns: 1.05 * clock_ns).use(monkeypatch)
    with pytest.raises(FlowError, match=r"no constraint lies within 3% of the period .* 1\.9 to "):
        measured(flow)
    assert len(flow.made) == MOST_RUNS


def test_a_missing_tool_ends_the_search(monkeypatch):
    flow = MadeUpFlow(saturated(2.0)).use(monkeypatch)

    def fail(*asked, **how):
        raise SetupError("sta: not found")

    monkeypatch.setattr("rsaxcel.eval.curve.run", fail)
    with pytest.raises(SetupError):
        measured(flow)
