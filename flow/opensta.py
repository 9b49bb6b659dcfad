"""Static timing analysis with OpenSTA: critical path, smallest period, all slews and slacks."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from rsaxcel.flow.endpoints import launch_ns, read_ends, skew_ns, slow_pins, wire_delays_ns
from rsaxcel.flow.errors import FlowError, ToolFailure
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.timer import PathPoint, PlacedTiming, PlacedWires, StaticTiming, Timer, endpoint
from rsaxcel.store.errors import SetupError
from rsaxcel.store.installing import missing
from rsaxcel.store.tools import OPENSTA

_SCRIPT = Path(__file__).with_name("opensta.tcl")
_WRITTEN = "timing written"


def analyse_timing(
    netlist: Path,
    top: str,
    kit: Kit,
    *,
    clock_ns: float,
    work_dir: Path,
    slews: Path | None = None,
    wires: PlacedWires | None = None,
) -> StaticTiming:
    """Find the critical path of a netlist, and so its smallest clock period, with OpenSTA.

    Inputs arrive at the clock edge from the kit's driving cell; outputs drive the kit's load and
    are due at the next edge. With ``slews``, this file gets all slews, and the result has all
    slacks.
    """
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
            timing, launch_ns=launch_ns(text), placed=_read_placed(placed.read_text(), text, sdf)
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
    sta = shutil.which("sta")
    if sta is None:
        raise SetupError(missing(OPENSTA))
    return sta


def opensta_version() -> str:
    """Version of OpenSTA; ``SetupError`` if it is missing or cannot be started."""
    sta = find_sta()
    return _version(sta, Path(sta).stat().st_mtime_ns)


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
            points.append(PathPoint(pin.strip(), float(arrival)))
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


class OpenSta(Timer):
    """OpenSTA, as an analyzer of the flow."""

    name = "opensta"

    def version(self) -> str:
        return opensta_version()

    def analyse(self, *netlist: Any, **options: Any) -> StaticTiming:
        return analyse_timing(*netlist, **options)
