"""Reads OpenSTA's reports: slacks of endpoints, cells of the critical path, delays of wires."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BINS = 40

#: Line of a pin on the critical path: load, slew, delay, time, edge, pin and cell. Only a pin that
#: drives a net has a load.
_POINT = re.compile(
    r"^\s*(?P<load>[\d.]+)?\s+(?P<slew>[\d.]+)\s+(?P<delay>-?[\d.]+)\s+(?P<time>-?[\d.]+)"
    r" (?P<edge>[v^]) (?P<pin>\S+) \((?P<cell>\w+)\)$"
)
_REQUIRED = re.compile(r"^\s*(-?[\d.]+)\s+data required time$", re.MULTILINE)
_LAUNCH = re.compile(r"^\s*-?[\d.]+\s+(-?[\d.]+)\s+clock network delay", re.MULTILINE)
_SKEW = re.compile(r"^Clock clk\nLatency .*\n(?:.+\n){3}\s*[\d.]+\s+-?[\d.]+\s+(-?[\d.]+)", re.M)
_SLOW = re.compile(
    r"^(?P<pin>\S+)\s+(?P<limit>[\d.]+)\s+(?P<slew>[\d.]+)\s+-[\d.]+ \(VIOLATED\)$", re.MULTILINE
)
#: From a driver to an input pin: delays of the rising and of the falling edge, as min::max; a
#: single one for both edges.
_WIRE = re.compile(
    r"\(INTERCONNECT \S+ (?P<instance>\S+)/(?P<pin>\S+)"
    r" \((?P<rise>[^)]*)\)(?: \((?P<fall>[^)]*)\))?\)"
)
_EDGES = ("rise", "fall")
_TIMESCALE = re.compile(r"\(TIMESCALE 1 ?(\w+)\)")
_NS = {"ns": 1.0, "ps": 1e-3, "us": 1e3}
_END = re.compile(r"(-?[\d.]+) \((?:MET|VIOLATED)\)$")


def read_ends(path: str, ends: str) -> dict[str, Any]:
    """Read OpenSTA's reports of the critical path (``path``) and of all endpoints (``ends``).

    The result has ``slacks`` (see ``histogram``), ``required_ns``, and the cells of ``path``: pin,
    cell, edge, load in fF, slew, delay and arrival in ns. ``ValueError`` if there is no path.
    """
    # With several clocks, OpenSTA reports a path for each of them, the worst one first.
    path = re.split(r"^.*\bslack \(", path, maxsplit=1, flags=re.MULTILINE)[0]
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


def launch_ns(path: str) -> float:
    """Latency in ns of the clock that launches the first path in a report."""
    found = _LAUNCH.search(path)
    return float(found[1]) if found else 0.0


def skew_ns(report: str) -> float:
    """Skew in ns in a report of ``report_clock_skew``; 0 if no path joins two flip-flops."""
    found = _SKEW.search(report)
    return abs(float(found[1])) if found else 0.0


def slow_pins(report: str) -> dict[str, tuple[float, float]]:
    """Read slew and largest slew in ns, by pin, from ``report_check_types -max_transition``."""
    _, _, violators = report.partition("\nmax_transition")
    return {
        found["pin"].replace("\\", ""): (float(found["slew"]), float(found["limit"]))
        for found in _SLOW.finditer(violators)
    }


def wire_delays_ns(sdf: Path) -> dict[tuple[str, str], tuple[float, float]]:
    """Read rise and fall delay in ns of the wire to each pin, by instance and pin.

    None for delays of 0.
    """
    found = {}
    scale = 1.0
    with sdf.open() as file:
        for line in file:
            if unit := _TIMESCALE.search(line):
                scale = _NS[unit[1]]
            if match := _WIRE.search(line):
                rise, fall = (
                    scale * float((match[x] or match["rise"]).rpartition(":")[2]) for x in _EDGES
                )
                if rise or fall:
                    found[match["instance"].replace("\\", ""), match["pin"]] = rise, fall
    return found


def histogram(slacks: list[float], bins: int = BINS) -> dict[str, Any]:
    """Make a histogram of slacks in ns, with bars of equal width from the least slack on."""
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
