"""Static timing analysis with OpenSTA: runs it, and reads its reports."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from rsaxcel.flow.errors import FlowError, ToolFailure
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.timer import PlacedTiming, PlacedWires, StaticTiming, Timer, endpoint, histogram
from rsaxcel.store.errors import SetupError
from rsaxcel.store.installing import program
from rsaxcel.store.tools import OPENSTA

_SCRIPT = Path(__file__).with_name("opensta.tcl")
_WRITTEN = "timing written"

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


class OpenSta(Timer):
    """OpenSTA, as an analyzer of the flow."""

    name = "opensta"

    def version(self) -> str:
        """Version of OpenSTA; ``SetupError`` if it is missing or cannot be started."""
        sta = find_sta()
        return _version(sta, Path(sta).stat().st_mtime_ns)

    def analyse(
        self,
        netlist: Path,
        top: str,
        kit: Kit,
        *,
        clock_ns: float,
        work_dir: Path,
        slews: Path | None = None,
        wires: PlacedWires | None = None,
    ) -> StaticTiming:
        sta = find_sta()
        work_dir.mkdir(parents=True, exist_ok=True)
        paths, ends, placed = (work_dir / f"{name}.txt" for name in ("paths", "ends", "placed"))
        paths.unlink(missing_ok=True)
        sdf = work_dir / "delays.sdf"
        variables = {
            "liberty": kit.liberty,
            "netlist": netlist.resolve(),
            "top": top,
            "clock_ns": clock_ns,
            "driving_cell": kit.driving_cell,
            "port_load_ff": kit.port_load_ff,
            "slews": slews.resolve() if slews else "",
            "paths": paths.resolve(),
            "ends": ends.resolve() if slews else "",
            "spef": wires.spef.resolve() if wires else "",
            "latency_ns": wires.latency_ns if wires else 0.0,
            "uncertainty_ns": wires.uncertainty_ns if wires else 0.0,
            "derate": wires.derate if wires else 0.0,
            "placed": placed.resolve(),
            "sdf": sdf.resolve(),
        }
        script = work_dir / "timing.tcl"
        settings = "".join(f"set {name} {{{value}}}\n" for name, value in variables.items())
        script.write_text(settings + _SCRIPT.read_text())
        log = work_dir / "opensta.log"
        with log.open("w") as output:
            subprocess.run(
                [sta, "-no_init", "-no_splash", "-exit", script.name],
                cwd=work_dir,
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        # OpenSTA's exit status is 0 even after an error, and most errors do not end the script.
        lines = log.read_text(errors="replace").splitlines()
        errors = [line for line in lines if line.startswith("Error")]
        if errors or _WRITTEN not in lines:
            reason = (errors or lines or ["no output"])[-1]
            raise ToolFailure(f"OpenSTA: {reason} (log: {log.resolve()})")
        try:
            if wires:
                _check_wires(wires.spef, lines)
            timing = _read_paths(paths, top, clock_ns)
            text = "\n".join(lines)
            if slews is not None:
                timing = replace(timing, ends=read_ends(text, ends.read_text()))
            if wires is None:
                return timing
            return replace(
                timing,
                launch_ns=launch_ns(text),
                placed=_read_placed(placed.read_text(), text, sdf),
            )
        except (OSError, ValueError, KeyError) as error:
            raise ToolFailure(f"OpenSTA: no timing in {paths} (log: {log.resolve()})") from error
        finally:
            sdf.unlink(missing_ok=True)  # the file is large


def _check_wires(spef: Path, lines: list[str]) -> None:
    """Raise ``FlowError`` if OpenSTA did not use all of the SPEF file: it only warns."""
    warnings = [x for x in lines if x.startswith("Warning:") and spef.name in x]
    if warnings:
        first = warnings[0].removeprefix("Warning:").strip()
        raise FlowError(f"wires that OpenSTA does not use: {len(warnings)}, the first: {first}")


def _read_placed(figures: str, log: str, sdf: Path) -> PlacedTiming:
    found: dict[str, list[str]] = {}
    for line in figures.splitlines():
        key, _, value = _plain(line).partition(" ")
        found.setdefault(key, []).append(value.strip())
    return PlacedTiming(
        hold_slack_ns=float(found["hold_slack"][0]),
        hold_end=found["hold_end"][0],
        skew_ns=skew_ns(log),
        slow_pins=slow_pins(log),
        arrivals_ns=wire_delays_ns(sdf),
    )


def find_sta() -> str:
    """Path of OpenSTA's program, ``sta``; ``SetupError`` if it is missing."""
    return program(OPENSTA)[0]


@cache
def _version(sta: str, _modified: int) -> str:
    try:
        run = subprocess.run(
            [sta, "-version"], capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise SetupError(f"cannot start {sta}: {error.strerror or error}") from error
    return run.stdout.strip()


def _read_paths(path: Path, top: str, clock_ns: float) -> StaticTiming:
    found: dict[str, str] = {}
    points = []
    for line in path.read_text().splitlines():
        key, _, value = _plain(line).partition(" ")
        if key == "slack" and "slack" in found:
            break  # the worst path comes first; all others are those of the ports' clock
        if key == "point":
            pin, _, arrival = value.rpartition(" ")
            points.append((pin.strip(), float(arrival)))
        else:
            found.setdefault(key, value)
    if "slack" not in found or not points:
        raise FlowError(f"OpenSTA found no path to time in {top}")
    return StaticTiming(
        clock_ns,
        float(found["slack"]),
        endpoint(found["start"]),
        endpoint(found["end"]),
        tuple(points),
    )


def _plain(name: str) -> str:
    return name.replace("\\", "").replace("{", "").replace("}", "")


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
