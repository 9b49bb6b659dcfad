"""Slack at every end of a path of a netlist, and the cells on the longest path, by OpenSTA."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from catalog import AnyConfiguration
from eval.measure.errors import MeasureError
from eval.measure.job import Job, Measurement, Progress
from eval.measure.memo import memoize
from flow.kit import find_kit
from flow.run import find_netlist, find_stages
from flow.subjects import Target, circuit_of
from flow.timing import STAGE, find_sta

BINS = 40
"""Bars of the histogram of slacks."""

_SCRIPT = Path(__file__).with_suffix(".tcl")
_ANALYSIS = Path(str(find_sta.__code__.co_filename)).with_suffix(".tcl")
_DONE = "ends written"
# Capacitance, slew, delay, time, edge, pin and cell; a net's load stands with what drives it.
_POINT = re.compile(
    r"^\s*(?P<load>[\d.]+)?\s+(?P<slew>[\d.]+)\s+(?P<delay>-?[\d.]+)\s+(?P<time>-?[\d.]+)"
    r" (?P<edge>[v^]) (?P<pin>\S+) \((?P<cell>\w+)\)$"
)
_REQUIRED = re.compile(r"^\s*(-?[\d.]+)\s+data required time$", re.MULTILINE)
_END = re.compile(r"(-?[\d.]+) \((?:MET|VIOLATED)\)$")


def measurement(target: Target | AnyConfiguration, library: str, clock_ns: float) -> Measurement:
    """Ask for what a card shows of the timing; gives no facts."""
    arguments = target, library, clock_ns
    name = f"paths of {target.name} at {clock_ns:g} ns in {library}"
    job = Job(name, endpoints, arguments, float(target.nbits), find_endpoints)
    return Measurement(job, lambda result: ())


def endpoints(
    target: Target | AnyConfiguration, library: str, clock_ns: float, progress: Progress
) -> Mapping[str, Any]:
    """Analyse the netlist that the flow has made, or give what was found before.

    Returns
    -------
    mapping
        ``slacks``: how many ends there are, the least slack in ns, the width of a bar in ns, and
        how many ends each of the bars has. ``path``: the longest one, a mapping for each cell with
        pin, cell, edge, load in fF, slew, delay and time of arrival in ns. ``required_ns``: when
        its end has to be there.

    Raises
    ------
    MeasureError
        If there is no netlist, or OpenSTA reports an error.
    """
    return _kept(target, library, clock_ns, progress)


def find_endpoints(
    target: Target | AnyConfiguration, library: str, clock_ns: float
) -> Mapping[str, Any] | None:
    """Give what ``endpoints`` has found before; None if it had to look."""
    return _kept(target, library, clock_ns, None)


def _kept(
    target: Target | AnyConfiguration, library: str, clock_ns: float, progress: Progress | None
) -> Any:
    stages = find_stages(target, library, clock_ns, last=STAGE.name)
    if STAGE.name not in stages:
        if progress is None:
            return None
        raise MeasureError(f"{target.name}: there is no netlist to analyse")
    # The name has the key of all that decides the netlist and its timing.
    inputs = {"timing": stages[STAGE.name].name, "bins": BINS}
    sources = [Path(__file__), _SCRIPT]
    analyse = partial(_analyse, target, library, clock_ns)
    return memoize(f"paths of {target.name}", inputs, sources, analyse, progress)


def _analyse(
    target: Target | AnyConfiguration, library: str, clock_ns: float, progress: Progress
) -> Mapping[str, Any]:
    found = find_netlist(target, library, clock_ns)
    if found is None:
        raise MeasureError(f"{target.name}: its netlist is gone")
    files, _ = found
    kit = find_kit(library)
    progress("slack at every end of a path")
    with tempfile.TemporaryDirectory(prefix="rsaxcel-") as folder:
        work = Path(folder)
        variables = {
            "liberty": kit.liberty,
            "netlist": files["netlist.v"].resolve(),
            "top": circuit_of(target).design,
            "clock_ns": clock_ns,
            "driving_cell": kit.driving_cell,
            "port_load_ff": kit.port_load_ff,
            "slews": "",
            "paths": work / "paths.txt",
            "analysis": _ANALYSIS,
            "ends": work / "ends.txt",
        }
        settings = "".join(f"set {name} {{{value}}}\n" for name, value in variables.items())
        (work / "ends.tcl").write_text(settings + _SCRIPT.read_text())
        run = subprocess.run(
            [find_sta(), "-no_init", "-no_splash", "-exit", "ends.tcl"],
            cwd=work,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            check=False,
        )
        lines = run.stdout.splitlines()
        errors = [line for line in lines if line.startswith("Error")]
        if errors or _DONE not in lines:
            raise MeasureError(f"OpenSTA: {(errors or lines or ['no output'])[-1]}")
        slacks = list(_slacks((work / "ends.txt").read_text()))
    required = _REQUIRED.search(run.stdout)
    if not slacks or not required:
        raise MeasureError(f"{target.name}: OpenSTA found no path")
    path = [point for line in lines if (point := _point(line))]
    return {"slacks": histogram(slacks), "path": path, "required_ns": float(required[1])}


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
