"""The figures of an evaluation, as they are in ``summary.json`` and on its page."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rsaxcel.course.evaluate.measuring import EVALUATION, SOFTWARE, Conditions, Measured, compared
from rsaxcel.course.project import Limits, Project
from rsaxcel.eval.facts.quantities import POWERS, QUANTITIES, enough_digits
from rsaxcel.eval.report.page import git, made
from rsaxcel.flow.record import OperationRecord, Record
from rsaxcel.flow.requests import describe_workload
from rsaxcel.proc.elf import Image
from rsaxcel.proc.systems import OVERHEAD

VERSION = 1  #: of the keys

RATIOS = "speedup_ratio", "energy_ratio", "area_time_ratio"
#: Decimals where they are not those of the quantity.
_DIGITS = {"area_time_um2_ms": 3, **dict.fromkeys(RATIOS, 2)}


@dataclass(frozen=True)
class Run:
    """An operation, or a program less ``dummy``: what all programs need besides the power."""

    name: str
    operation: str  #: in the record of the design
    cycles: float
    time_us: float
    power_mw: float
    energy_nj: float
    area_time_um2_ms: float
    #: Time, energy and area by time of the baseline over those of this run; None: no power is
    #: formed, or there is no baseline.
    speedup_ratio: float | None = None
    energy_ratio: float | None = None
    area_time_ratio: float | None = None


@dataclass(frozen=True)
class Evaluation:
    """The designs of an evaluation with their runs, and what is wrong."""

    measured: Sequence[Measured]
    runs: Sequence[Sequence[Run]]  #: of each design
    baseline: str  #: name of the run to which ratios refer; empty: there is none
    limits: Mapping[str, Mapping[str, Any]]

    @property
    def wrong(self) -> list[str]:
        """Lines on wrong results, and on limits that are not kept."""
        found = [f"{x.design.title}: {told}" for x in self.measured for told in x.wrong]
        for key, limit in self.limits.items():
            if not limit["kept"]:
                found.append(f"{key} is {limit['measured']:g}, the limit is {limit['limit']:g}")
        return found


def evaluation_of(measured: Sequence[Measured], limits: Limits, limited: str) -> Evaluation:
    """Compute the runs of the designs and their ratios; ``limited``: circuit with the limits."""
    runs = [list(_runs(x)) for x in measured]
    software = [
        run
        for one, own in zip(measured, runs, strict=True)
        for run in own
        if one.design.role == SOFTWARE
    ]
    baseline = min(software, key=lambda x: x.time_us, default=None)
    if baseline:
        runs = [
            [_against(baseline, x) if _is_compared(one) else x for x in own]
            for one, own in zip(measured, runs, strict=True)
        ]
    circuit = next((x.record for x in measured if x.design.target.design_name == limited), None)
    kept = _limits(circuit, limits) if circuit else {}
    return Evaluation(measured, runs, baseline.name if baseline else "", kept)


def _is_compared(measured: Measured) -> bool:
    record, target = measured.record, measured.design.target
    return bool(record and not record.fault and target.exponent_nbits)


def _runs(measured: Measured) -> list[Run]:
    record, design = measured.record, measured.design
    if record is None:
        return []
    overhead = next((x for x in record.operations.values() if x.program == OVERHEAD), None)
    found = []
    for key, figures in record.operations.items():
        if figures.program == OVERHEAD:
            continue
        of = f", {design.programs[figures.program]}" if figures.program else ""
        of += ", wrong results" if record.fault else ""
        cycles = figures.cycles - (overhead.cycles if overhead else 0)
        energy_nj = figures.energy_nj - (overhead.energy_nj if overhead else 0)
        time_us = cycles * record.power_period_ns / 1e3
        area_time = record.area_um2 * time_us / 1e3
        run = Run(f"{design.title}{of}", key, cycles, time_us, 0.0, energy_nj, area_time)
        found.append(replace(run, power_mw=energy_nj / time_us))
    return found


def _against(baseline: Run, run: Run) -> Run:
    return replace(
        run,
        speedup_ratio=baseline.time_us / run.time_us,
        energy_ratio=baseline.energy_nj / run.energy_nj,
        area_time_ratio=baseline.area_time_um2_ms / run.area_time_um2_ms,
    )


def _limits(record: Record, limits: Limits) -> dict[str, dict[str, Any]]:
    asked = {x: getattr(limits, x) for x in Limits.__struct_fields__}
    return {
        key: {"limit": limit, "measured": (got := getattr(record, key)), "kept": got <= limit}
        for key, limit in asked.items()
        if limit is not None
    }


def text_of(key: str, value: float | None) -> str:
    """Text of a figure by its key; empty without one."""
    if value is None:
        return ""
    digits = _DIGITS[key] if key in _DIGITS else QUANTITIES[key].digits
    return f"{value:,.{enough_digits(value, digits)}f}"


def tree_of(project: Project) -> dict[str, Any]:
    """Return the commit of a project's repository, and whether its files are those of it."""
    commit = git(project.folder, "rev-parse", "HEAD")
    clean = bool(commit) and not git(project.folder, "status", "--porcelain", "--", ".")
    return {"git_commit": commit or None, "git_clean": clean}


def summary_of(
    project: Project,
    nbits: int,
    evaluation: Evaluation,
    conditions: Conditions,
    programs: Mapping[str, tuple[str, Image]],
    tree: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the content of ``summary.json``; all but ``provenance`` depends on files alone."""
    settings, own = project.settings, made()
    both = zip(evaluation.measured, evaluation.runs, strict=True)
    known = [x for x in evaluation.measured if x.record]
    tools: dict[str, str] = {}
    for one in known:
        assert one.record
        tools |= one.record.tools
    return {
        "version": VERSION,
        "project": settings.design,
        "kind": settings.kind,
        "language": settings.language,
        "nbits": nbits,
        "conditions": {
            "library": conditions.library.removeprefix(f"{project.folder}{os.sep}"),
            "clock_ns": conditions.clock_ns,
            "activity": conditions.activity,
            "exponent": f"{conditions.exponent:#x}",
            "workload": describe_workload(nbits, {EVALUATION: conditions.exponent}),
            **{x: y for x, y in asdict(conditions.layout).items() if y is not None},
        },
        "designs": [_design(x, runs) for x, runs in both],
        "baseline": evaluation.baseline or None,
        "limits": dict(evaluation.limits),
        "wrong": evaluation.wrong,
        "provenance": {
            **tree,
            "date": own["date"],
            "tools": {"rsaxcel": own["version"], **tools},
            "rsaxcel_commit": own.get("commit"),
            "programs": {
                file: {
                    "compiler": image.compiler,
                    "memory_sha256": hashlib.sha256(image.memory).hexdigest(),
                }
                for file, image in programs.values()
            },
            "drawn_after_synthesis": {
                x.design.title: x.record.checked for x in known if x.record and x.record.checked
            },
        },
    }


def _design(measured: Measured, runs: Sequence[Run]) -> dict[str, Any]:
    design, record = measured.design, measured.record
    about = {"role": design.role, "title": design.title, "wrong": list(measured.wrong)}
    if record is None:
        return about
    names = "design", "params", "stage", "corner", "area_um2", "core_area_um2", "cell_count"
    more = "flip_flop_count", "min_period_ns", "shell", "shell_area_um2"
    return {
        **about,
        **{x: getattr(record, x) for x in (*names, *more) if getattr(record, x) is not None},
        "notes": list(record.notes),
        "period_ns": record.power_period_ns,
        "critical_path": asdict(record.critical_path),
        "area_by_module_um2": dict(record.area_by_module),
        "operations": {key: _operation(x) for key, x in record.operations.items()},
        "runs": [{k: v for k, v in asdict(x).items() if v is not None} for x in runs],
        "checks": {
            "operations": sum(x.operations for x in record.operations.values()),
            "compared": compared(design),
        },
    }


def _operation(figures: OperationRecord) -> dict[str, Any]:
    """Figures of an operation or a whole program on the netlist, as the flow gives them."""
    parts = (f"{part}_mw" for part in POWERS)
    names = "program", "operations", "cycles", "instructions", "power_mw", *parts, "energy_nj"
    more = "energy_lower_nj", "glitch_factor", "timed_share", "glitch_error"
    return {x: y for x in (*names, *more) if (y := getattr(figures, x)) is not None}
