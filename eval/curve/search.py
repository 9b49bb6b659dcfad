"""Searches the smallest clock period of a circuit by bisection over the clock constraint.

The lower end of the bracket is the largest constraint missed, its upper end the smallest period of
a constraint met; the geometric mean comes next. Periods are noisy: a slightly different constraint
gives another placement. So misses above the upper end do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import floor, inf, log10, sqrt

from rsaxcel.flow.layout import PUBLISHED_WITHIN, TIGHT, judge

MOST_RUNS = 8  #: largest number of constraints that a search tries

BRACKET = 0.01  #: width of the bracket, relative to its lower end, at which a search ends

MET_WITHIN = 0.005
"""Fraction of a constraint by which a period may exceed it and still count as met."""

_DIGITS = 4  #: significant digits of a constraint


@dataclass(frozen=True)
class CurveResult:
    #: periods by constraint, in ns, in the order of the runs; infinite: no valid layout
    periods: Mapping[float, float]
    #: largest difference of a published period from its constraint, as a fraction
    within: float = PUBLISHED_WITHIN

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
        return {c: p for c, p in found if p < inf and judge(c, p, self.within) == TIGHT}

    @property
    def best(self) -> float | None:
        """Constraint of the smallest published period; None if there is none.

        Only constraints that were met count, unless none of them has a published period. Of two
        constraints with the same period, the one closer to the period counts.
        """
        found, met = self.published, self.met
        return min(found, key=lambda c: (c not in met, found[c], abs(c - found[c])), default=None)

    def is_narrow(self, bracket: float = BRACKET) -> bool:
        """Whether the bracket is so narrow that the search can end."""
        return self.upper < inf and self.upper <= self.lower * (1 + bracket)


def search(
    estimate_ns: float,
    period_of: Callable[[float], float],
    *,
    within: float = PUBLISHED_WITHIN,
    bracket: float = BRACKET,
    most_runs: int = MOST_RUNS,
) -> CurveResult:
    """Search the smallest period; ``period_of`` returns infinity if there is no valid layout."""
    periods: dict[float, float] = {}
    found = CurveResult(periods, within)
    clock_ns = rounded(estimate_ns)
    while len(periods) < most_runs:
        periods[clock_ns] = period_of(clock_ns)
        if found.is_narrow(bracket) and found.best is not None:
            break
        clock_ns = rounded(_next(found, bracket))
        if clock_ns in periods:
            break
    return found


def rounded(clock_ns: float) -> float:
    """Round a constraint, so that it has a short text."""
    return round(clock_ns, _DIGITS - 1 - floor(log10(clock_ns)))


def _next(found: CurveResult, bracket: float) -> float:
    periods, upper = found.periods, found.upper
    if upper == inf:  # nothing was met: go up, faster and faster
        reached = min(periods.values())
        step = bracket if reached < inf else found.within
        least = max(periods) * (1 + step * 2.0 ** (len(periods) - 1))
        return max(reached, least) if reached < inf else least
    met = found.met
    if found.is_narrow(bracket):  # nothing is published: tighten the constraint that was met
        loose = min(c for c in met if periods[c] == upper)
        return upper if upper not in periods else sqrt(upper * loose)
    # Below a reached period, go down faster and faster, but not below the middle of the bracket.
    steps = next((n for n, c in enumerate(reversed(periods)) if c not in met), len(periods))
    down = upper / (1 + bracket * 2.0**steps)
    return max(down, sqrt(found.lower * upper))
