"""Reads OpenSTA's reports: the slack of every endpoint, and the cells of the critical path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

BINS = 40
"""Bars of the histogram of slacks."""

# Load, slew, delay, time, edge, pin and cell; only a pin that drives a net has a load.
_POINT = re.compile(
    r"^\s*(?P<load>[\d.]+)?\s+(?P<slew>[\d.]+)\s+(?P<delay>-?[\d.]+)\s+(?P<time>-?[\d.]+)"
    r" (?P<edge>[v^]) (?P<pin>\S+) \((?P<cell>\w+)\)$"
)
_REQUIRED = re.compile(r"^\s*(-?[\d.]+)\s+data required time$", re.MULTILINE)
_END = re.compile(r"(-?[\d.]+) \((?:MET|VIOLATED)\)$")


def read_ends(path: str, ends: str) -> dict[str, Any]:
    """Read the report of the critical path and the report of all endpoints.

    Returns
    -------
    dict
        ``slacks``: number of endpoints, least slack in ns, width of a bar in ns, and number of
        endpoints in each bar. ``path``: the critical path, a mapping for each cell with pin, cell,
        edge, load in fF, slew, delay and time of arrival in ns. ``required_ns``: required time at
        its endpoint.

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
    """Count slacks in ns in bars of equal width, from the least slack on."""
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
