"""Reads OpenSTA's reports: the slack of every endpoint, and the cells of the critical path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

BINS = 40
"""Number of bars in the histogram of slacks."""

# Line of a pin on the critical path: load, slew, delay, time, edge, pin and cell. Only a pin that
# drives a net has a load.
_POINT = re.compile(
    r"^\s*(?P<load>[\d.]+)?\s+(?P<slew>[\d.]+)\s+(?P<delay>-?[\d.]+)\s+(?P<time>-?[\d.]+)"
    r" (?P<edge>[v^]) (?P<pin>\S+) \((?P<cell>\w+)\)$"
)
_REQUIRED = re.compile(r"^\s*(-?[\d.]+)\s+data required time$", re.MULTILINE)
_END = re.compile(r"(-?[\d.]+) \((?:MET|VIOLATED)\)$")


def read_ends(path: str, ends: str) -> dict[str, Any]:
    """Read OpenSTA's reports of the critical path (``path``) and of all endpoints (``ends``).

    Returns
    -------
    dict
        ``slacks``: histogram of the slacks of all endpoints, see ``histogram``. ``path``: cells of
        the critical path, each as a mapping with pin, cell, edge, load in fF, and slew, delay and
        time of arrival in ns. ``required_ns``: required time in ns at the end of the path.

    Raises
    ------
    ValueError
        If there is no path.
    """
    required, slacks = _REQUIRED.search(path), list(_slacks(ends))
    if not slacks or not required:
        raise ValueError("no path")
    return {
        "slacks": histogram(slacks),
        "path": [point for line in path.splitlines() if (point := _point(line))],
        "required_ns": float(required[1]),
    }


def _slacks(text: str) -> Iterator[float]:
    for line in text.splitlines():
        if found := _END.search(line):
            yield float(found[1])


def _point(line: str) -> dict[str, Any] | None:
    found = _POINT.match(line)
    if found is None:
        return None
    kept: dict[str, Any] = {name: found[name] for name in ("pin", "cell", "edge")}
    kept["load_ff"] = float(found["load"] or 0)
    return kept | {f"{name}_ns": float(found[name]) for name in ("slew", "delay", "time")}


def histogram(slacks: list[float], bins: int = BINS) -> dict[str, Any]:
    """Make a histogram of slacks in ns, with bars of equal width from the least slack on.

    The result has the number of endpoints (``ends``), the least slack (``least_ns``), the width of
    a bar (``bar_ns``) and the number of endpoints in each bar (``counts``).
    """
    least = min(slacks)
    width = (max(slacks) - least) / bins or 1.0
    counts = [0] * bins
    for slack in slacks:
        counts[min(int((slack - least) / width), bins - 1)] += 1
    return {
        "ends": len(slacks),
        "least_ns": round(least, 5),
        "bar_ns": round(width, 6),
        "counts": counts,
    }
