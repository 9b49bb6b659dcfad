"""Timing of a unit as a row of elastic stages.

A stage holds one item, and accepts at most one in a cycle. With duration d, an item that enters in
cycle t is offered to the next stage (or the sink) from cycle t + d on, and leaves as soon as the
next stage is ready. A combinational unit has d = 0 and holds nothing. Stages *overlap* if a stage
can accept an item in the cycle in which the previous item leaves: pipeline registers do; a state
machine that first returns to idle does not.
"""

from collections.abc import Sequence
from typing import Protocol


class Timing(Protocol):
    """Timing of a unit."""

    overlaps: bool  #: whether stages overlap

    def durations(self, *operands: int) -> tuple[int, ...]:
        """Least number of cycles that these operands spend in each stage."""


class Steady:
    """Timing of a unit in which no operand changes the cycles."""

    def __init__(self, *durations: int):
        self._durations = durations

    def durations(self, *operands: int) -> tuple[int, ...]:
        return self._durations


def latency(durations: Sequence[int]) -> int:
    """Cycles from the acceptance of a request to its valid response, if the unit was empty."""
    return sum(durations)


def finish(items: Sequence[Sequence[int]], overlaps: bool) -> int:
    """Cycle in which the last of several items is valid at the end of the row.

    Items are offered back to back from cycle 0; each result is taken as soon as it is valid.
    """
    if len(items) == 1:
        return sum(items[0])
    turnaround = 0 if overlaps else 1
    free = [0] * len(items[0])  #: cycle from which a stage accepts the next item
    for durations in items:
        valid = 0
        for stage, duration in enumerate(durations):
            entered = max(valid, free[stage])
            if stage:
                free[stage - 1] = entered + turnaround
            valid = entered + duration
        # Even a combinational last stage gives at most one item per cycle.
        free[-1] = valid + max(turnaround, 1 - durations[-1])
    return valid
