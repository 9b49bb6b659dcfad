"""Points of an area-delay-energy curve: a table with marks, and the verdict of the search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rsaxcel.eval.curve.measuring import Curve
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.flows import earlier_facts
from rsaxcel.eval.facts.points import COLUMNS, tabulate
from rsaxcel.eval.facts.table import Facts
from rsaxcel.flow.earlier import Earlier
from rsaxcel.flow.layout import OUT_OF_REACH, judge

if TYPE_CHECKING:
    import pandas as pd

LEAST_DEPTH = 0.02  #: smallest distance of a knee below the chord, in the scale of knee_of


def knee_of(periods_ns: Sequence[float], areas_um2: Sequence[float]) -> int | None:
    """Return the index of the knee; None if the curve has no knee.

    The chord joins the points with the shortest and the longest period, scaled to (0, 1) and (1,
    0). The knee is the point deepest below it, as in Kneedle (Satopaa et al., 2011), if the area
    falls along the chord: depth = 1 - (T - T0) / (T1 - T0) - (A - A1) / (A0 - A1) >= LEAST_DEPTH.
    """
    ends = [f(range(len(periods_ns)), key=periods_ns.__getitem__) for f in (min, max)]
    (t0, a0), (t1, a1) = ((periods_ns[i], areas_um2[i]) for i in ends)
    if t1 == t0 or a0 <= a1:
        return None

    def depth(i: int) -> float:
        return 1 - (periods_ns[i] - t0) / (t1 - t0) - (areas_um2[i] - a1) / (a0 - a1)

    found = max(range(len(periods_ns)), key=depth)
    return found if depth(found) >= LEAST_DEPTH else None


SMALLEST, AREA_TIME, AREA_TIME_ENERGY, KNEE = MARKS = (
    "smallest period",
    "area x time",
    "area x time x energy",
    "knee",
)
"""Marks of points: smallest published period; smallest products; and ``eval.curve.points``."""

CURVE_COLUMNS = (*COLUMNS, "factor", "marks")


def tabulate_curve(curve: Curve) -> pd.DataFrame:
    """Tabulate the points of a curve, the shortest constraint first.

    Two columns are added. ``factor``: the constraint divided by the smallest period, for points
    after the search. ``marks``: those of ``MARKS``, separated by commas; none if the constraint is
    out of reach.
    """
    points = tabulate(_facts(curve))
    points = points.sort_values("clock_ns", kind="stable", ignore_index=True)
    points["factor"] = points.clock_ns.map(curve.factors)
    pairs = zip(points.clock_ns, points.min_period_ns, strict=True)
    points["constraint"] = [judge(*pair, curve.found.within) for pair in pairs]
    marks = _marks(points, curve.smallest)
    points["marks"] = [", ".join(x for x in MARKS if marks.get(x) == i) for i in points.index]
    return points


def area_column(points: pd.DataFrame) -> str:
    """Return the column of the area by which points are judged: of the core, if it is known."""
    return "core_area_um2" if points.core_area_um2.notna().all() else "area_um2"


def verdict_of(curve: Curve, points: pd.DataFrame) -> dict[str, Any]:
    """Return the result of the search, and the constraints of marked points, for JSON."""
    found = curve.found
    of_mark = {
        mark: float(clock_ns)
        for clock_ns, marks in zip(points.clock_ns, points.marks, strict=True)
        for mark in marks.split(", ")
    }
    return {
        "smallest_period_ns": curve.period_ns,
        "clock_ns": curve.smallest,
        "settled": found.is_narrow(),
        "missed_clock_ns": found.lower or None,
        "runs": len(found.periods),
        "within": found.within,
        "failed": [{"clock_ns": c, "reason": reason} for c, reason in curve.failed.items()],
        "knee_clock_ns": of_mark.get(KNEE),
        "area_time_clock_ns": of_mark[AREA_TIME],
        "area_time_energy_clock_ns": of_mark[AREA_TIME_ENERGY],
    }


def _facts(curve: Curve) -> Facts:
    found: list[Fact] = []
    for record in curve.records.values():
        found += earlier_facts(Earlier(record.design, record.nbits, record.params, record, 0.0))
    return Facts(found)


def _marks(points: pd.DataFrame, smallest: float) -> dict[str, int]:
    useful = points[points.constraint != OUT_OF_REACH]
    area = useful[area_column(points)]
    product = area * useful.period_ns
    found = {
        SMALLEST: points.index[points.clock_ns == smallest][0],
        AREA_TIME: product.idxmin(),
        AREA_TIME_ENERGY: (product * useful.energy_nj).idxmin(),
    }
    knee = knee_of(list(useful.period_ns), list(area))
    return found if knee is None else found | {KNEE: useful.index[knee]}
