"""Finds the knee of a curve of area over period: beyond it, a longer period saves little area."""

from __future__ import annotations

from collections.abc import Sequence

LEAST_DEPTH = 0.02
"""Smallest distance of a knee below the chord, in the scale of ``knee_of``."""


def knee_of(periods_ns: Sequence[float], areas_um2: Sequence[float]) -> int | None:
    """Return the index of the knee; None if the curve has no knee.

    The chord joins the points with the shortest and the longest period. Periods and areas are
    scaled so that the chord falls from (0, 1) to (1, 0). The knee is the point with the largest
    distance below the chord, as in Kneedle (Satopaa et al., 2011). The curve has no knee if the
    area does not fall along the chord, or if no point is at least ``LEAST_DEPTH`` below it:

        depth = 1 - (T - T0) / (T1 - T0) - (A - A1) / (A0 - A1)

    Parameters
    ----------
    periods_ns, areas_um2
        Period and area of each point, in any order.
    """
    ends = [f(range(len(periods_ns)), key=periods_ns.__getitem__) for f in (min, max)]
    (t0, a0), (t1, a1) = ((periods_ns[i], areas_um2[i]) for i in ends)
    if t1 == t0 or a0 <= a1:
        return None

    def depth(i: int) -> float:
        return 1 - (periods_ns[i] - t0) / (t1 - t0) - (areas_um2[i] - a1) / (a0 - a1)

    found = max(range(len(periods_ns)), key=depth)
    return found if depth(found) >= LEAST_DEPTH else None
