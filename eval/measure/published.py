"""Finds a published period of a circuit, without searching the smallest one.

The first constraint is ``FIRST`` times the smallest period after synthesis. Each resulting period
is the next constraint, until both are within 3 %: one to six runs, where a search takes up to
eight.
"""

from __future__ import annotations

from collections.abc import Callable

from rsaxcel.eval.curve.search import rounded
from rsaxcel.eval.measure.job import Progress
from rsaxcel.flow.errors import FlowError, NoRoom, ToolFailure
from rsaxcel.flow.layout import TIGHT, judge
from rsaxcel.flow.record import Record

FIRST = 1.1  #: ratio of the first constraint to the smallest period after synthesis

MOST_RUNS = 6  #: largest number of constraints that are tried

_AFTER_FAILURE = 1.05  #: ratio of the next constraint to one without a valid layout


def published(estimate_ns: float, run: Callable[[float], Record], progress: Progress) -> Record:
    """Run the flow until constraint and period are close; return the last, or closest, record.

    ``NoRoom``: another constraint would not help. ``FlowError``: no constraint gives a valid
    layout.
    """
    failures: list[FlowError] = []

    def record_of(clock_ns: float) -> Record | None:
        try:
            return run(clock_ns)
        except (ToolFailure, NoRoom):
            raise
        except FlowError as error:
            progress(f"failed at {clock_ns:g} ns: {error}")
            failures.append(error)
            return None

    found = _follow(estimate_ns, record_of)
    if found is None:
        raise failures[-1]
    return found


def find_published(estimate_ns: float, find: Callable[[float], Record | None]) -> Record | None:
    """Return the record that ``published`` would return; None if the flow would have to run."""
    found: list[Record | None] = []

    def record_of(clock_ns: float) -> Record | None:
        found.append(find(clock_ns))
        return found[-1]

    closest = _follow(estimate_ns, record_of)
    return None if None in found else closest


def _follow(estimate_ns: float, record_of: Callable[[float], Record | None]) -> Record | None:
    """Try constraints until one is close to its period; return the closest record."""
    records: dict[float, Record | None] = {}
    clock_ns = rounded(FIRST * estimate_ns)
    while len(records) < MOST_RUNS and clock_ns not in records:
        record = records[clock_ns] = record_of(clock_ns)
        if record is not None and judge(clock_ns, record.min_period_ns) == TIGHT:
            return record
        clock_ns = rounded(record.min_period_ns if record else clock_ns * _AFTER_FAILURE)
    made = [x for x in records.values() if x is not None]
    return min(made, key=_distance, default=None)


def _distance(record: Record) -> float:
    return abs(record.clock_ns / record.min_period_ns - 1)
