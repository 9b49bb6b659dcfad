"""Results of one hand-in, in the form that Gradescope reads (``results.json``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rsaxcel.course.rank.hand_ins import HandIn
from rsaxcel.course.rank.points import Earned, total

_SHOWN = ("area_um2", "min_period_ns", "cycles", "time_us", "energy_nj")


def results(
    points: Sequence[Earned],
    figures: Mapping[str, float],
    hand_in: HandIn,
    objective: str,
    seconds: float,
) -> dict[str, Any]:
    """Return the results of a hand-in, with a test for each criterion, case and limit.

    A student sees all of it: of a hidden case, it has the number of rows alone.
    """
    score, most = total(points)
    told = [f"{hand_in.student}: {score:g} of {most:g} points."]
    told += [f"{x}: {figures[x]:,.4g}" for x in _SHOWN if x in figures]
    return {
        "score": score,
        "execution_time": round(seconds),
        "output": "\n".join(told),
        "output_format": "text",
        "test_output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": f"{x.name}: {x.title}",
                "score": x.points,
                "max_score": x.most,
                "status": "passed" if x.is_full else "failed",
                "output": x.reason,
                "visibility": "visible",
            }
            for x in points
        ],
        "leaderboard": [
            {"name": x, "value": round(figures[x], 4), "order": "asc"}
            for x in dict.fromkeys((objective, *_SHOWN))
            if x in figures
        ],
    }
