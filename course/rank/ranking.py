"""Measures the designs that pass the checks, and ranks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from rsaxcel import course
from rsaxcel.catalog.given import GivenDesign
from rsaxcel.circuit import Circuit
from rsaxcel.course.netlist import MOST_PROVEN_NBITS, refute
from rsaxcel.course.rank.assess import Assessment, DesignVerdict, assessment
from rsaxcel.course.rank.cores import HandedCore
from rsaxcel.course.rank.handed import Handed
from rsaxcel.course.rank.objectives import RankedFigure
from rsaxcel.course.rank.points import CASES, PROGRAMS
from rsaxcel.course.rank.sandbox import Limits, run
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.records import record_facts
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.measure.errors import Failure
from rsaxcel.eval.measure.flows import run_published
from rsaxcel.eval.measure.job import THIS_MACHINE, Job, Measurement, Progress, Workers
from rsaxcel.eval.measure.memo import memoize
from rsaxcel.flow.errors import WrongNetlist
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.layout import NOT_PLACED, Layout
from rsaxcel.flow.libraries import kit_digest, plain_kit
from rsaxcel.flow.nodes.power import power_period_ns
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.outline import DRAFT
from rsaxcel.flow.record import Record
from rsaxcel.flow.run import run_flow, stored_folders
from rsaxcel.flow.subjects import subject_of
from rsaxcel.flow.tools import find_timer
from rsaxcel.flow.yosys import yosys_version
from rsaxcel.sim.native.toolchain import find_toolchain
from rsaxcel.store.errors import UserError
from rsaxcel.store.packages import MODULES, up_to

_ROOT = Path(course.__file__).parents[1]
_WRONG = "wrong netlist"
Given = GivenDesign | HandedCore


@dataclass(frozen=True)
class RankingConditions:
    """Conditions of the measurement."""

    library: str  #: library of standard cells
    #: clock constraint; None: each design's published one (eval.measure.flows)
    clock_ns: float | None
    operation: str  #: operation whose cycles, time and energy count for the ranking
    activity: str  #: activity: "timed" or "zero"
    timed_cycles: int  #: cycles of each operation with gate delays
    limits: Limits
    layout: Layout = NOT_PLACED


def measurement(verdict: DesignVerdict, conditions: RankingConditions) -> Measurement:
    """Return a job that takes a checked design through the flow, with the facts of its result."""
    content = verdict.circuit or {}
    given: Given = (HandedCore if "core" in content else GivenDesign).from_json(content)
    arguments = given, conditions
    job = Job(measure_name(verdict.label), measure, arguments, given.nbits, find)
    return Measurement(job, partial(_facts, label=verdict.label))


@dataclass(frozen=True)
class Told:
    """Result of the flow besides facts: changed fields of a design's verdict."""

    label: str
    changed: dict[str, Any]


def _facts(found: dict[str, Any], label: str) -> Iterable[Any]:
    """Return the changed fields of a design's verdict, and the facts of its record."""
    if _WRONG in found:
        return [Told(label, {"kind": "netlist", "reason": found[_WRONG]})]
    record = Record.from_json(found)
    return [Told(label, {"netlist": record.checked or {}}), *record_facts(record, subject=label)]


def measure_name(label: str) -> str:
    return f"measure {label}"


def measure(given: Given, conditions: RankingConditions, progress: Progress) -> dict[str, Any]:
    """Run a circuit through the flow; return its record, or the fault of the netlist."""
    progress("flow")
    return dict(_kept(given, conditions, progress))


def find(given: Given, conditions: RankingConditions) -> dict[str, Any] | None:
    """Return the result of an earlier run; None if there is none."""
    found: dict[str, Any] | None = _kept(given, conditions, None)
    return found


def _kept(given: Given, conditions: RankingConditions, progress: Progress | None) -> Any:
    """Return the result of ``measure``, from the store if there is one for the same conditions."""
    how = {
        **asdict(conditions),
        "operation": None,  # one for all: a record has all operations of the workload
        "limits": None,
    }
    timer = find_timer(conditions.layout.timer).version()
    own = given.tools if isinstance(given, HandedCore) else []
    tools = [yosys_version(), timer, find_toolchain().versions, *own]
    of = {"circuit": given.key, **how, "tools": tools, "kit": kit_digest(conditions.library)}
    arguments = {"given": given.as_json(), "conditions": how}

    def measured(_: Progress) -> Any:
        return run(run_given, arguments, conditions.limits, "the flow")

    sources = [_ROOT / package for package in (*up_to("course"), *MODULES)]
    return memoize(f"flow {given.design_name}", of, sources, measured, progress)


def run_given(given: dict[str, Any], conditions: dict[str, Any]) -> dict[str, Any]:
    """Run a circuit through the flow, in a sandbox; return the result of ``measure``."""
    is_core = "core" in given
    design = HandedCore.from_json(given).circuit() if is_core else GivenDesign.from_json(given)
    try:
        record = _measured(design, conditions)
        if design.nbits <= MOST_PROVEN_NBITS:
            timed = Layout(timer=Layout(**conditions["layout"]).timer)
            job = circuit_job(design, record.library, record.clock_ns, layout=timed)
            netlist = stored_folders(job, DRAFT)[SynthesisNode.name] / "netlist.json"
            kit = Kit.read(plain_kit(record.library))
            refute(subject_of(design).verilog(), netlist, kit)
    except WrongNetlist as error:
        return {_WRONG: str(error)}
    if record.faults:
        return {_WRONG: f"results are wrong, the first for {record.faults['first']}"}
    return record.as_json()


def _measured(design: Circuit, conditions: dict[str, Any]) -> Record:
    layout = Layout(**conditions["layout"])
    library, clock_ns = conditions["library"], conditions["clock_ns"]
    how = {"activity": conditions["activity"], "timed_cycles": conditions["timed_cycles"]}

    def run_at(clock_ns: float, tell: Progress) -> Record:
        return run_flow(design, library, clock_ns, **how, layout=layout, progress=tell)

    if clock_ns is not None:
        return run_at(clock_ns, _say_nothing)
    return run_published(design, library, run_at, _say_nothing)


def _say_nothing(line: str) -> None:
    """Take a line of progress in a process that cannot show it."""


@dataclass(frozen=True)
class Ranked:
    """A line of the ranking."""

    rank: int | None  #: rank, 1 for the best; None: the baseline, or not ranked
    verdict: DesignVerdict
    figures: dict[str, float]  #: figures by key, such as area_um2; empty if not measured


def figures(
    verdict: DesignVerdict, facts: Iterable[Fact], conditions: RankingConditions
) -> dict[str, float]:
    """Derive a design's figures from facts and cycles; none if the flow has not measured it."""
    own = [x for x in facts if x.subject == verdict.label and not x.part]
    found = {x.quantity: x.value for x in own if x.operation in ("", conditions.operation)}
    if "area_um2" not in found:
        return {}
    area = float(found["area_um2"])
    clock_ns = float(found["clock_ns"])
    period = power_period_ns(clock_ns, float(found["min_period_ns"]))
    cycles = verdict.cycles[conditions.operation]
    time_us = cycles * period / 1e3
    core: dict[str, float] = {}
    if "core_area_um2" in found:
        core_um2 = float(found["core_area_um2"])
        core = {"core_area_um2": core_um2, "core_area_time_um2_ms": core_um2 * time_us / 1e3}
    return {
        "area_um2": area,
        **core,
        "clock_ns": clock_ns,
        "min_period_ns": float(found["min_period_ns"]),
        "period_ns": period,
        "cycles": cycles,
        "time_us": time_us,
        "area_time_um2_ms": area * time_us / 1e3,
        "energy_nj": float(found["energy_nj"]),
    }


def rank(
    handed: Sequence[Handed],
    tasks: Sequence[Assessment],
    conditions: RankingConditions,
    objective: RankedFigure,
    progress: Progress,
    workers: Workers = THIS_MACHINE,
) -> list[Ranked]:
    """Check designs, measure those that pass, and rank them; one may be of the registry.

    Designs are checked on this machine, which has their folders; ``workers`` measure circuits.
    """
    verdicts = _verdicts(handed, tasks, progress, replace(workers, scheduler=""))
    right = [x for x in verdicts if not x.kind]
    asked = [measurement(x, conditions) for x in right]
    facts, failures = collect(asked, progress, workers=workers)
    _refuse_setup(failures)
    failed = {x.name: x.message for x in failures}
    told = {x.label: x.changed for x in facts if isinstance(x, Told)}
    facts = [x for x in facts if not isinstance(x, Told)]
    found = []
    for verdict in verdicts:
        changed = told.get(verdict.label, {})
        if (reason := failed.get(measure_name(verdict.label))) is not None:
            changed = {"kind": "flow", "reason": reason}
        verdict = replace(verdict, **changed)
        found.append((_with_rubric(verdict), figures(verdict, facts, conditions)))
    baseline = ""
    for own, (verdict, _) in zip(handed, found, strict=True):
        if own.folder is None:
            baseline = verdict.label
            if verdict.kind:
                raise UserError(f"baseline {baseline}: {verdict.reason}")
    return ranked(found, objective, baseline)


def _with_rubric(verdict: DesignVerdict) -> DesignVerdict:
    """Refuse a design that was measured if one of its programs, or of the cases, is wrong."""
    wrong = [first for _, count, first in verdict.cases if count]
    if verdict.kind or not (verdict.programs or wrong):
        return verdict
    if verdict.programs:
        return replace(verdict, kind=PROGRAMS, reason=verdict.programs)
    return replace(verdict, kind=CASES, reason=wrong[0])


def _verdicts(
    handed: Sequence[Handed], tasks: Sequence[Assessment], progress: Progress, workers: Workers
) -> list[DesignVerdict]:
    asked = [assessment(x, task) for x, task in zip(handed, tasks, strict=True)]
    given, failures = collect(asked, progress, workers=workers)
    _refuse_setup(failures)
    failed = {x.name: x.message for x in failures}
    # results of the jobs that have not failed: verdicts in place of facts
    verdicts: Iterator[Any] = iter(given)
    return [
        DesignVerdict(own.label, kind="unknown", reason=failed[x.job.name], lacks=own.lacks)
        if x.job.name in failed
        else DesignVerdict(**next(verdicts))
        for own, x in zip(handed, asked, strict=True)
    ]


def _refuse_setup(failures: Sequence[Failure]) -> None:
    for failure in failures:
        if failure.setup:
            raise UserError(failure.message)


def ranked(
    found: Sequence[tuple[DesignVerdict, dict[str, float]]], objective: RankedFigure, baseline: str
) -> list[Ranked]:
    """Order verdicts with figures, the baseline (a label) among them; refused designs come last."""
    right = [(v, x) for v, x in found if not v.kind]
    wrong = [(v, x) for v, x in found if v.kind]
    places: list[Ranked] = []
    rank = 0
    for verdict, own in sorted(right, key=lambda item: item[1][objective.key]):
        rank += verdict.label != baseline
        # Designs with the same figure share a rank.
        same = (
            places and places[-1].rank and places[-1].figures[objective.key] == own[objective.key]
        )
        number = places[-1].rank if same else rank
        places.append(Ranked(None if verdict.label == baseline else number, verdict, own))
    return [*places, *(Ranked(None, verdict, own) for verdict, own in wrong)]
