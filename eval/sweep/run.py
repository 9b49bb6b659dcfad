"""Runs a sweep: a job for each measurement that is missing; keeps facts and failures."""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TextIO

from rsaxcel.circuit import Circuit
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.measure import cycles, flows
from rsaxcel.eval.measure.collect import collect, duration, in_order, kept
from rsaxcel.eval.measure.costs import LEDGER, cost_of
from rsaxcel.eval.measure.errors import Failure, JobOutcome
from rsaxcel.eval.measure.job import Job, Measurement, Progress, Workers, logged
from rsaxcel.eval.sweep.points import Point
from rsaxcel.eval.sweep.spec import CL_CYCLES, ENERGY, FPGA, RTL_CYCLES, SYNTHESIS, Spec
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import PLACED
from rsaxcel.store.errors import RsaxcelError, SetupError
from rsaxcel.store.folders import unwritable
from rsaxcel.store.places import make_folder
from rsaxcel.store.shown import choices_text

FOLDER = Path("build", "sweeps")  #: folder of the sweeps, relative to the current folder

#: File that lists the points without figures, each with its failed job, the reason and the log.
FAILURES = "failures.json"

_LOG = "sweep.log"
_LOGS = "logs"
_MOST_WIDTHS = 200


def _incomplete(failures: list[Failure], points: int, folder: Path) -> RsaxcelError:
    """Error for points without figures."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for failure in failures:
        reasons[failure.message].append(failure.name)
    listed = "; ".join(
        reason if len(x) == 1 else f"{reason} ({len(x)} times)" for reason, x in reasons.items()
    )
    lack = "points lack" if points != 1 else "point lacks"
    kind = SetupError if all(failure.setup for failure in failures) else FlowError
    return kind(f"{points} {lack} figures, see {folder / FAILURES}: {listed}")


def run_sweep(spec: Spec, points: list[Point], workers: Workers, progress: Progress) -> Path:
    """Measure the missing results of a sweep; write and return its folder.

    Files: ``facts.parquet``, ``facts.csv``, ``ledger.jsonl``, ``failures.json``, ``sweep.log`` and
    ``logs``. ``FlowError`` or ``SetupError`` for missing figures, after all others are written.
    """
    folder = FOLDER / spec.name
    try:
        make_folder(folder / _LOGS)
        ledger = (folder / LEDGER).open("a", encoding="utf-8")
    except OSError as error:
        raise unwritable(folder, error) from error
    asked = [(point, *x) for point in points for x in measurements_of(point)]
    about = {x.job.name: _about(point, measure) for point, measure, x in asked}
    with ledger, logged(folder / _LOG, progress) as tell:
        found, failures = collect(
            [x for _, _, x in asked],
            tell,
            workers=workers,
            note=lambda job, outcome: _note(ledger, folder, job, about[job.name], outcome),
        )
    Facts(found).write(folder)
    failed = {failure.name: failure for failure in failures}
    lacking = [
        {"point": point.name, "job": name, "reason": failed[name].told, "log": _log(folder, name)}
        for point, _, x in asked
        if (name := x.job.name) in failed
    ]
    (folder / FAILURES).write_text(json.dumps(lacking, indent=1) + "\n", encoding="utf-8")
    if failures:
        raise _incomplete(failures, len({x["point"] for x in lacking}), folder)
    return folder


def expected(points: list[Point], workers: Workers) -> str:
    """Text on the number of stored results of a sweep, and on the time that missing ones take."""
    # With many widths, the text has neither: the standard key of each width would have to be drawn.
    if (widths := len({x.configuration.nbits for x in points})) > _MOST_WIDTHS:
        return f"{widths} widths: results that are there are told for up to {_MOST_WIDTHS}"
    jobs = in_order(x for point in points for _, x in measurements_of(point))
    told: list[str] = []
    there = kept(jobs, told.append)
    seconds = sum(job.weight for job in jobs if job.name not in there)
    counted = f"{len(there)} of {len(jobs)} results are there"
    if not seconds or workers.scheduler:
        rest = f"the others take about {duration(seconds)} of a core" if seconds else ""
    else:
        count = workers.count
        many = f"{count} workers" if count > 1 else "one worker"
        rest = f"the others take about {duration(seconds / count)} with {many}"
    return "\n".join([*told, ", ".join(filter(None, [counted, rest]))])


def _note(
    ledger: TextIO, folder: Path, job: Job, about: Mapping[str, Any], outcome: JobOutcome
) -> None:
    """Write the outcome of a job to the ledger, and its log to a file."""
    log = _log_path(folder, job.name)
    if outcome.log:
        log.write_text(outcome.log, encoding="utf-8")
    line = {
        "time": time.strftime("%Y-%m-%d %H:%M:%S"),
        "job": job.name,
        **about,
        "done": outcome.error is None,
        "reason": str(outcome.error or ""),
        "seconds": round(outcome.seconds, 2),
        "core_seconds": round(outcome.core_seconds, 2),
        "memory_mb": round(outcome.memory_mb),
        "worker": outcome.worker,
    }
    ledger.write(json.dumps(line) + "\n")
    ledger.flush()


def _log_path(folder: Path, name: str) -> Path:
    return folder / _LOGS / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', name)[:200]}.log"


def _log(folder: Path, name: str) -> str:
    path = _log_path(folder, name)
    return str(path) if path.exists() else ""


_LEVELS = {CL_CYCLES: "cl", RTL_CYCLES: "rtl"}


def measurements_of(point: Point) -> list[tuple[str, Measurement]]:
    """Pairs of a measure and its measurement, as a specification asks for them at a point.

    A measure is one of ``eval.sweep.spec.MEASURES``, or "placed": energy at this stage.
    """
    return [(x, _diagnosed(y, x, point.configuration)) for x, y in _measurements(point)]


def _about(point: Point, measure: str) -> dict[str, Any]:
    """Describe a measurement for its line in the sweep's ledger."""
    configuration = point.configuration
    return {
        "measure": measure,
        "design": configuration.design_name,
        "nbits": configuration.nbits,
        "choices": choices_text(point.choices),
    }


def _measurements(point: Point) -> Iterable[tuple[str, Measurement]]:
    configuration, group = point.configuration, point.group
    design, nbits, choices = configuration.design_name, configuration.nbits, point.choices
    for measure, level in _LEVELS.items():
        if measure in group.measure:
            asked = level, point.exponents, group.operands
            yield measure, cycles.workload(design, nbits, *asked, **choices)
    where: dict[str, Any] = {"library": point.library, "clock_ns": point.clock_ns}
    if ENERGY in group.measure:
        for layout, activity in product(group.layouts, group.activities):
            clock = {"clock_ns": None} if layout.placed and group.own_clock else {}
            conditions = {**where, **clock, "operations": point.exponents}
            own = flows.flow(design, nbits, **conditions, **choices)
            timed = flows.at_activity(own, activity, group.timed_cycles)
            yield PLACED if layout.placed else ENERGY, flows.at_layout(timed, layout)
    elif SYNTHESIS in group.measure:
        yield SYNTHESIS, flows.outline(design, nbits, **where, **choices)
    if FPGA in group.measure:
        for family in group.families:
            yield FPGA, flows.fpga(design, nbits, family, **choices)


def _diagnosed(measurement: Measurement, measure: str, configuration: Circuit) -> Measurement:
    placed = measure == PLACED
    job, cost = measurement.job, cost_of(ENERGY if placed else measure, configuration)
    job = replace(
        job,
        function=partial(diagnosed, configuration, job.function),
        weight=cost.seconds * (flows.PLACED_WEIGHT if placed else 1.0),
        memory_mb=cost.memory_mb,
    )
    return replace(measurement, job=job)


def diagnosed(
    configuration: Circuit, function: Callable[..., Any], *arguments: Any, progress: Progress
) -> Any:
    """Run ``function(*arguments)``; check a circuit from outside for combinational loops first."""
    # Imported only here, because PyMTL3 is slow to import.
    from rsaxcel.diagnosis.check import check_target

    if configuration.is_foreign:
        check_target(configuration)
    return function(*arguments, progress=progress)
