"""The curve of area and energy over the clock period, from the smallest period to relaxed ones.

The smallest period is searched by bisection over the clock constraint. The lower end of the bracket
is the largest constraint missed, its upper end the smallest period of a constraint met; the
geometric mean comes next. Periods are noisy: a slightly different constraint gives another
placement. So misses above the upper end do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

from rsaxcel.circuit import Target
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.points import COLUMNS, earlier_facts, tabulate
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, rounded
from rsaxcel.eval.measure.job import Progress
from rsaxcel.flow.earlier import Earlier
from rsaxcel.flow.errors import FlowError, ToolFailure
from rsaxcel.flow.job import circuit_job, energy_job
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import (
    NOT_PLACED,
    OUT_OF_REACH,
    PUBLISHED_WITHIN,
    TIGHT,
    TIMED,
    TIMED_CYCLES,
    Layout,
    judge,
)
from rsaxcel.flow.outline import OUTLINE
from rsaxcel.flow.record import Record
from rsaxcel.flow.run import RECORD, run

if TYPE_CHECKING:
    import pandas as pd

MOST_RUNS = 8  #: largest number of constraints that a search tries

BRACKET = 0.01  #: width of the bracket, relative to its lower end, at which a search ends

#: Fraction of a constraint by which a period may exceed it and still count as met.
MET_WITHIN = 0.005


@dataclass(frozen=True)
class CurveResult:
    #: periods by constraint, in ns, in the order of the runs; infinite: no valid layout
    periods: Mapping[float, float]

    @property
    def met(self) -> list[float]:
        return [c for c, p in self.periods.items() if p <= c * (1 + MET_WITHIN)]

    @property
    def upper(self) -> float:
        """Upper end of the bracket in ns; infinite if no constraint was met."""
        return min((self.periods[c] for c in self.met), default=inf)

    @property
    def lower(self) -> float:
        """Lower end of the bracket in ns; 0 if no constraint below the upper end was missed."""
        missed = set(self.periods) - set(self.met)
        return max((c for c in missed if c <= self.upper), default=0.0)

    @property
    def published(self) -> dict[float, float]:
        """Periods close to their constraint, by constraint."""
        found = self.periods.items()
        return {c: p for c, p in found if p < inf and judge(c, p) == TIGHT}

    @property
    def best(self) -> float | None:
        """Constraint of the smallest published period; None if there is none.

        Only constraints that were met count, unless none of them has a published period. Of two
        constraints with the same period, the one closer to the period counts.
        """
        found, met = self.published, self.met
        return min(found, key=lambda c: (c not in met, found[c], abs(c - found[c])), default=None)

    @property
    def is_narrow(self) -> bool:
        """Whether the bracket is so narrow that the search can end."""
        return self.upper < inf and self.upper <= self.lower * (1 + BRACKET)


def search(
    estimate_ns: float, period_of: Callable[[float], float], most_runs: int = MOST_RUNS
) -> CurveResult:
    """Search the smallest period; ``period_of`` returns infinity if there is no valid layout."""
    periods: dict[float, float] = {}
    found = CurveResult(periods)
    clock_ns = rounded(estimate_ns)
    while len(periods) < most_runs:
        periods[clock_ns] = period_of(clock_ns)
        if found.is_narrow and found.best is not None:
            break
        clock_ns = rounded(_next(found))
        if clock_ns in periods:
            break
    return found


def _next(found: CurveResult) -> float:
    periods, upper = found.periods, found.upper
    if upper == inf:  # nothing was met: go up, faster and faster
        reached = min(periods.values())
        step = BRACKET if reached < inf else PUBLISHED_WITHIN
        least = max(periods) * (1 + step * 2.0 ** (len(periods) - 1))
        return max(reached, least) if reached < inf else least
    met = found.met
    if found.is_narrow:  # nothing is published: tighten the constraint that was met
        loose = min(c for c in met if periods[c] == upper)
        return upper if upper not in periods else sqrt(upper * loose)
    # Below a reached period, go down faster and faster, but not below the middle of the bracket.
    steps = next((n for n, c in enumerate(reversed(periods)) if c not in met), len(periods))
    down = upper / (1 + BRACKET * 2.0**steps)
    return max(down, sqrt(found.lower * upper))


#: Multiples of the smallest period at which the curve has points besides the smallest period.
FACTORS = (1.1, 1.3, 1.6, 2.0, 3.0)


@dataclass
class CurveRuns:
    """Runs the flow, and keeps the records."""

    target: Target
    library: str = DEFAULT_LIBRARY
    layout: Layout = NOT_PLACED
    activity: str = TIMED
    timed_cycles: int = TIMED_CYCLES
    progress: Progress = lambda line: None
    records: dict[float, Record] = field(default_factory=dict)  #: records by constraint in ns
    #: reasons why there is no valid layout, by constraint in ns
    failed: dict[float, str] = field(default_factory=dict)
    made: int = 0  #: number of records that no earlier run had made

    @cached_property
    def estimate_ns(self) -> float:
        """Smallest period after synthesis, under a constraint that no circuit meets, in ns."""
        asked = circuit_job(self.target, self.library, AS_FAST_AS_CAN_BE_NS)
        return run(asked, OUTLINE, self.progress).min_period_ns

    def period_ns(self, clock_ns: float) -> float:
        """Return the smallest period at a constraint; infinite if there is no valid layout."""
        try:
            self._run(clock_ns)
        except ToolFailure:
            raise
        except FlowError as error:
            self.failed[clock_ns] = str(error)
            self.progress(f"failed at {clock_ns:g} ns: {error}")
            return inf
        return self.records[clock_ns].min_period_ns

    def _run(self, clock_ns: float) -> None:
        how: Any = {"activity": self.activity, "timed_cycles": self.timed_cycles}
        asked = energy_job(self.target, self.library, clock_ns, layout=self.layout, **how)

        def tell(line: str) -> None:
            self.progress(f"{line} at {clock_ns:g} ns")

        is_new = run(asked, RECORD, lookup=True) is None
        # A stored record is asked for, too: the flow notes which results were asked for last.
        self.records[clock_ns] = run(asked, RECORD, tell)
        self.made += is_new


@dataclass(frozen=True)
class Curve:
    """Records of a circuit, from its smallest period to relaxed ones."""

    found: CurveResult
    smallest: float  #: constraint of the smallest published period, in ns
    #: multiple of the smallest period by constraint in ns; constraints of the search have none
    factors: dict[float, float]
    records: dict[float, Record]  #: records by constraint, ascending
    failed: dict[float, str]  #: reason of a failure by constraint

    @property
    def period_ns(self) -> float:
        return self.records[self.smallest].min_period_ns


def measure_curve(measuring: CurveRuns) -> Curve:
    """Search the smallest period of a circuit, then measure it at multiples of this period.

    The flow runs at most ``MOST_RUNS`` times for the search and once for each of ``FACTORS``.
    Records of earlier runs are used again, so that an interrupted search is resumed by the same
    call.
    """
    tell = measuring.progress

    def period_of(clock_ns: float) -> float:
        number = len(measuring.records) + len(measuring.failed) + 1
        tell(f"search: run {number} of at most {MOST_RUNS}, {clock_ns:g} ns")
        return measuring.period_ns(clock_ns)

    tell("search: estimate by synthesis")
    found = search(measuring.estimate_ns, period_of)
    tell(f"search: {told(found)}")
    if found.best is None:
        if not measuring.records:
            raise FlowError([*measuring.failed.values()][-1])
        raise FlowError(told(found))
    factors = {rounded(factor * found.periods[found.best]): factor for factor in FACTORS}
    for number, clock_ns in enumerate(factors, 1):
        tell(f"curve: run {number} of {len(FACTORS)}, {clock_ns:g} ns")
        measuring.period_ns(clock_ns)
    records = dict(sorted(measuring.records.items()))
    tell(f"curve: {len(records) - measuring.made} of {len(records)} records were there before")
    return Curve(found, found.best, factors, records, measuring.failed)


def told(found: CurveResult) -> str:
    """Text on the result of a search: smallest period, number of runs, lower end of the bracket."""
    if found.best is None:
        pairs = ", ".join(f"{c:g} to {p:.4g}" for c, p in sorted(found.periods.items()))
        return (
            f"no constraint lies within {PUBLISHED_WITHIN:.0%} of the period that it led to, "
            f"in ns: {pairs}"
        )
    smallest = f"smallest period {found.periods[found.best]:.4g} ns, at {found.best:g} ns"
    below = f"{found.lower:g} ns is missed" if found.lower else "no constraint is missed"
    end = "" if found.is_narrow else ", the search is not settled"
    return f"{smallest}, after {len(found.periods)} runs; {below}{end}"


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


#: Marks of points: smallest published period; smallest products; and the knee.
SMALLEST, AREA_TIME, AREA_TIME_ENERGY, KNEE = MARKS = (
    "smallest period",
    "area x time",
    "area x time x energy",
    "knee",
)

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
    points["constraint"] = [judge(*pair) for pair in pairs]
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
        "settled": found.is_narrow,
        "missed_clock_ns": found.lower or None,
        "runs": len(found.periods),
        "within": PUBLISHED_WITHIN,
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
