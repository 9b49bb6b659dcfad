"""Reads from OpenSTA's reports the slack at every end of a path, and the longest path's cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

BINS = 40
"""Bars of the histogram of slacks."""

# Capacitance, slew, delay, time, edge, pin and cell; a net's load stands with what drives it.
_POINT = re.compile(
    r"^\s*(?P<load>[\d.]+)?\s+(?P<slew>[\d.]+)\s+(?P<delay>-?[\d.]+)\s+(?P<time>-?[\d.]+)"
    r" (?P<edge>[v^]) (?P<pin>\S+) \((?P<cell>\w+)\)$"
)
_REQUIRED = re.compile(r"^\s*(-?[\d.]+)\s+data required time$", re.MULTILINE)
_END = re.compile(r"(-?[\d.]+) \((?:MET|VIOLATED)\)$")


def read_ends(path: str, ends: str) -> dict[str, Any]:
    """Read the reports of the longest path and of all ends.

    Returns
    -------
    dict
        ``slacks``: how many ends there are, the least slack in ns, the width of a bar in ns, and
        how many ends each of the bars has. ``path``: the longest one, a mapping for each cell with
        pin, cell, edge, load in fF, slew, delay and time of arrival in ns. ``required_ns``: when
        its end has to be there.

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
    """Count slacks in bars of equal width, from the least one on."""
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
