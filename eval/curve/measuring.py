"""Measures a circuit at the constraints that the search for the smallest period asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import inf

from eval.curve.search import BRACKET, MOST_RUNS, Found, rounded, search
from eval.measure.flows import AS_FAST_AS_CAN_BE_NS
from eval.measure.job import Progress
from flow.conditions import TIMED, TIMED_CYCLES
from flow.constraint import PUBLISHED_WITHIN
from flow.errors import FlowError, NoRoom
from flow.kit import DEFAULT_LIBRARY
from flow.layout import NOT_PLACED, Layout
from flow.record import Record
from flow.run import find_record, run_flow, run_outline
from flow.subjects import Target

FACTORS = (1.1, 1.3, 1.6, 2.0, 3.0)
"""Multiples of the smallest period at which the curve has points besides the smallest period."""


@dataclass
class Measuring:
    """Runs the flow, and keeps the records.

    Parameters
    ----------
    target
        Design, multiplier or system.
    library, layout, activity, timed_cycles
        See ``flow.run.run_flow``.
    progress
        Called with a line for each step.
    records
        Record of each constraint that was measured, by the constraint in ns.
    made
        Number of records that no earlier run had made.
    """

    target: Target
    library: str = DEFAULT_LIBRARY
    layout: Layout = NOT_PLACED
    activity: str = TIMED
    timed_cycles: int = TIMED_CYCLES
    progress: Progress = lambda line: None
    records: dict[float, Record] = field(default_factory=dict)
    made: int = 0

    @cached_property
    def estimate_ns(self) -> float:
        """Smallest period after synthesis, under a constraint that no circuit meets, in ns."""
        self.progress("estimate of the smallest period")
        found = run_outline(self.target, self.library, AS_FAST_AS_CAN_BE_NS, progress=self.progress)
        return found.min_period_ns

    def record(self, clock_ns: float) -> Record:
        """Return the record of the flow at a constraint; errors as in ``run_flow``."""
        asked = self.target, self.library, clock_ns
        how = {
            "activity": self.activity,
            "timed_cycles": self.timed_cycles,
            "layout": self.layout,
        }

        def tell(line: str) -> None:
            self.progress(f"{line} at {clock_ns:g} ns")

        self.made += find_record(*asked, **how) is None
        # Also for a stored record, because the flow notes which results were asked for last.
        self.records[clock_ns] = run_flow(*asked, **how, progress=tell)
        return self.records[clock_ns]


@dataclass(frozen=True)
class Curve:
    """Records of a circuit from its smallest period to relaxed ones.

    Parameters
    ----------
    found
        What the search has found.
    smallest
        Constraint of the record with the smallest published period, in ns.
    factors
        Factor of each constraint that was not tried by the search, by the constraint in ns.
    records
        All records by constraint, in ascending order.
    """

    found: Found
    smallest: float
    factors: dict[float, float]
    records: dict[float, Record]

    @property
    def period_ns(self) -> float:
        """Smallest published period in ns."""
        return self.records[self.smallest].min_period_ns


def measure_curve(
    measuring: Measuring,
    *,
    within: float = PUBLISHED_WITHIN,
    bracket: float = BRACKET,
    most_runs: int = MOST_RUNS,
) -> Curve:
    """Search the smallest period of a circuit, then measure it at multiples of this period.

    Runs the flow at most ``most_runs`` times for the search and once for each of ``FACTORS``, after
    one synthesis for the estimate. Records of earlier runs are used again, so that an interrupted
    search is resumed by the same call.

    Parameters
    ----------
    measuring
        What runs the flow.
    within, bracket, most_runs
        See ``eval.curve.search.search``.

    Raises
    ------
    FlowError
        If a node fails, or no constraint led to a period close to it.
    ValueError, SetupError
        See ``flow.run.run_flow``.
    """
    full: list[NoRoom] = []

    def period_of(clock_ns: float) -> float:
        number = len(measuring.records) + len(full) + 1
        measuring.progress(f"search: run {number} of at most {most_runs}, {clock_ns:g} ns")
        try:
            return measuring.record(clock_ns).min_period_ns
        except NoRoom as error:
            measuring.progress(f"no room at {clock_ns:g} ns: {error}")
            full.append(error)
            return inf

    found = search(
        measuring.estimate_ns, period_of, within=within, bracket=bracket, most_runs=most_runs
    )
    if found.best is None:
        raise full[-1] if not measuring.records else FlowError(_unpublished(found))
    smallest_ns = found.periods[found.best]
    measuring.progress(f"search: {told(found)}")
    factors: dict[float, float] = {}
    for number, factor in enumerate(FACTORS, 1):
        clock_ns = rounded(factor * smallest_ns)
        measuring.progress(f"curve: run {number} of {len(FACTORS)}, {clock_ns:g} ns")
        measuring.record(clock_ns)
        factors[clock_ns] = factor
    count = len(measuring.records)
    measuring.progress(f"curve: {count - measuring.made} of {count} records were there before")
    return Curve(found, found.best, factors, dict(sorted(measuring.records.items())))


def told(found: Found) -> str:
    """Text on the smallest period, the runs and the bracket of a search."""
    if found.best is None:
        return _unpublished(found)
    runs = f"{len(found.periods)} runs"
    smallest = f"smallest period {found.periods[found.best]:.4g} ns at {found.best:g} ns"
    if found.is_narrow():
        return f"{smallest}, after {runs}; {found.lower:g} ns is missed"
    below = f"{found.lower:g} ns is missed" if found.lower else "no constraint is missed"
    return f"{smallest}, after {runs}; not settled: {below}"


def _unpublished(found: Found) -> str:
    pairs = ", ".join(f"{c:g} to {p:.4g}" for c, p in sorted(found.periods.items()))
    most = f"{found.within:.0%}"
    return f"no constraint lies within {most} of the period that it led to, in ns: {pairs}"
