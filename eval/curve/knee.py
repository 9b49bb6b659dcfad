"""Finds the knee of a curve of area over period: beyond it, a longer period saves little area."""

from __future__ import annotations

from collections.abc import Sequence

LEAST_DEPTH = 0.02  # smallest distance of a knee below the chord, in the scale of knee_of


def knee_of(periods_ns: Sequence[float], areas_um2: Sequence[float]) -> int | None:
    """Return the index of the knee; None if the curve has no knee."""
    # The chord joins the points with the shortest and the longest period, scaled to (0, 1) and (1,
    # 0). The knee is the point deepest below it, as in Kneedle (Satopaa et al., 2011), if the area
    # falls along the chord: depth = 1 - (T - T0) / (T1 - T0) - (A - A1) / (A0 - A1) >= LEAST_DEPTH.
    ends = [f(range(len(periods_ns)), key=periods_ns.__getitem__) for f in (min, max)]
    (t0, a0), (t1, a1) = ((periods_ns[i], areas_um2[i]) for i in ends)
    if t1 == t0 or a0 <= a1:
        return None

    def depth(i: int) -> float:
        return 1 - (periods_ns[i] - t0) / (t1 - t0) - (areas_um2[i] - a1) / (a0 - a1)

    found = max(range(len(periods_ns)), key=depth)
    return found if depth(found) >= LEAST_DEPTH else None
