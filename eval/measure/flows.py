"""Measures cells, clock and energy of designs and systems by the flow, and FPGA resources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import psutil

from rsaxcel import catalog
from rsaxcel.circuit import Circuit, Target
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.records import fpga_facts, outline_facts, record_facts
from rsaxcel.eval.measure.calls import loaded_energies
from rsaxcel.eval.measure.costs import cost_of
from rsaxcel.eval.measure.job import USUAL_MB, Job, Measurement, Progress
from rsaxcel.eval.measure.memo import texts
from rsaxcel.flow.errors import FlowError, NoRoom, ToolFailure
from rsaxcel.flow.fpga import RESOURCES, FpgaRecord, fpga_job, run_fpga
from rsaxcel.flow.graph import AnyNode, path_of, path_to
from rsaxcel.flow.job import FlowJob, circuit_job, energy_job
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import NOT_PLACED, SYNTHESIZED, TIGHT, TIMED, TIMED_CYCLES, Layout, judge
from rsaxcel.flow.nodes.fpga import FpgaNode
from rsaxcel.flow.nodes.timing import TimingNode
from rsaxcel.flow.outline import DRAFT, OUTLINE, Outline
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import default_exponents
from rsaxcel.flow.run import RECORD, run
from rsaxcel.flow.runner import Goal
from rsaxcel.flow.subjects import find_target
from rsaxcel.proc.systems import System
from rsaxcel.store.folders import find_json, keep_json
from rsaxcel.store.places import MEASUREMENTS
from rsaxcel.store.shown import choices_text


def cost_facts(
    found: Record | Outline, quantity: str, nbits: int, subject: str, choices: str = ""
) -> Iterator[Fact]:
    """Yield the processor time of a result as a fact, if it is known."""
    if cost := find_json(MEASUREMENTS.absolute(), _entry(found)):
        about: Any = {"nbits": nbits, "choices": choices, "library": found.library}
        stage = getattr(found, "stage", SYNTHESIZED)  # an outline has no stage: it is of a netlist
        about |= {"clock_ns": found.clock_ns, "stage": stage, "provenance": found.hash}
        yield Fact(subject, quantity, cost["cpu_seconds"], "measured", **about)


def _entry(found: Record | Outline) -> str:
    return f"cost-{found.hash}"


def _cpu_seconds() -> float:
    """Processor time in s of this process, of its child processes, and of theirs."""
    # The server from which Yosys's processes are forked still runs when Yosys has ended.
    own, used = psutil.Process(), 0.0
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            used += sum(process.cpu_times()[:4])
    return used


#: clock that no design meets: the flow makes all designs as fast as it can, for comparison
AS_FAST_AS_CAN_BE_NS = 0.5

#: Weight of a job (its rough duration relative to other jobs) per second of processor time. For
#: comparison: the weight of a job that measures cycles is the width of its design in bits.
_PER_SECOND = 6.0
_PROCESSOR_S = 30.0

PLACED_WEIGHT = 4.0  #: ratio of a job's weight if it places the circuit to its weight if not

_ASKED = ("target", "library", "clock_ns", "operations")  #: first arguments of ``_run``
_USUAL = TIMED, TIMED_CYCLES  #: arguments of ``_run`` after these; a layout follows


def flow(
    design: str,
    nbits: int,
    clock_ns: float | None = AS_FAST_AS_CAN_BE_NS,
    library: str = DEFAULT_LIBRARY,
    operations: Mapping[str, int] | None = None,
    **choices: Any,
) -> Measurement:
    """Measurement of area, clock, power and energy of an accelerator alone.

    ``clock_ns`` None: the constraint of a published period (``eval.measure.flows``), for placed
    circuits. ``operations``: exponents, by default e (65537 from 18 bits on, else 17) and d of the
    standard key. An exponent has at most ``nbits`` bits, or ``exponent_nbits``.
    """
    own: Any = {"subject": design, "choices": choices_text(choices)}

    def facts(record: Record) -> Iterator[Fact]:
        yield from record_facts(record, **own)
        yield from cost_facts(record, "flow_cpu_seconds", nbits, **own)

    job = _flow_job(design, nbits, clock_ns, choices, library, operations)
    return Measurement(job, facts)


def outline(
    design: str,
    nbits: int,
    library: str,
    clock_ns: float = AS_FAST_AS_CAN_BE_NS,
    draft: bool = False,
    **choices: Any,
) -> Measurement:
    """Area and longest path of a design, multiplier or system; ``draft``: only the period."""
    target = find_target(design, nbits, texts(choices))
    kind = "draft" if draft else "outline"
    label = f"{kind} {_named(design, nbits, choices)} at {clock_ns:g} ns in {library}"
    memory_mb, seconds = _cost("synthesis", target)
    arguments = target, library, clock_ns, draft
    job = Job(label, _run_outline, arguments, _PER_SECOND * seconds, _run_outline, memory_mb)
    own: Any = {"nbits": nbits, "subject": design, "choices": choices_text(choices)}

    def facts(found: Outline) -> Iterator[Fact]:
        yield from outline_facts(found, **own)
        if not draft:
            yield from cost_facts(found, "synthesis_cpu_seconds", **own)

    return Measurement(job, facts)


def system(
    name: str,
    nbits: int,
    clock_ns: float,
    programs: Mapping[str, str],
    library: str = DEFAULT_LIBRARY,
    **choices: Any,
) -> Measurement:
    """Measurement of a system's area and clock, and of its programs' power, energy and cycles.

    ``programs`` names the measured programs by the subjects of their facts.
    """
    facts = partial(_system_facts, name, programs, choices_text(choices))
    return Measurement(_flow_job(name, nbits, clock_ns, choices, library), facts)


def fpga(design: str, nbits: int, family: str, **choices: Any) -> Measurement:
    """Measurement of FPGA resources of a design or a multiplier; they are estimates."""
    configuration = catalog.find(design).configure(nbits, **texts(choices))
    name = f"{family} {configuration.name}"
    cost = cost_of("fpga", configuration)
    weight = _PER_SECOND * cost.seconds
    job = Job(name, run_fpga, (configuration, family), weight, _find_fpga, cost.memory_mb)
    return Measurement(job, partial(fpga_facts, subject=design, choices=choices_text(choices)))


def _flow_job(
    name: str,
    nbits: int,
    clock_ns: float | None,
    choices: Mapping[str, Any],
    library: str = DEFAULT_LIBRARY,
    operations: Mapping[str, int] | None = None,
) -> Job:
    arguments: tuple[Any, ...] = find_target(name, nbits, texts(choices)), library, clock_ns
    period = "a published period" if clock_ns is None else f"{clock_ns:g} ns"
    label = f"flow {_named(name, nbits, choices)} at {period}"
    if library != DEFAULT_LIBRARY:
        label += f" in {library}"
    if operations == default_exponents(nbits):
        operations = None
    if operations:
        label += f" with {choices_text({k: hex(v) for k, v in operations.items()})}"
    arguments = *arguments, operations
    memory_mb, seconds = _cost("energy", arguments[0])
    return Job(label, _run, arguments, _PER_SECOND * seconds, _run, memory_mb)


def _cost(measure: str, target: Target) -> tuple[float, float]:
    """Memory in MB and processor time in s of a measurement, see ``eval.measure.costs.cost_of``."""
    configuration = target.core
    memory_mb = USUAL_MB  # enough for a processor alone
    seconds = _PROCESSOR_S if isinstance(target, System) else 0.0
    if configuration:
        cost = cost_of(measure, configuration)
        memory_mb, seconds = max(memory_mb, cost.memory_mb), seconds + cost.seconds
    return memory_mb, seconds


def own_exponents(measurements: Iterable[Measurement]) -> dict[int, dict[str, set[int]]]:
    """Exponents in measurements that are not standard ones, by width and operation."""
    found: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for job in (x.job for x in measurements if x.job.function is _run):
        target, _, _, operations, *_ = job.arguments
        for name, exponent in (operations or {}).items():
            found[target.nbits][name].add(exponent)
    return found


def nodes_of(job: Job) -> tuple[AnyNode, ...]:
    """Nodes of the flow that a job runs, in order; none for a job that counts cycles."""
    if job.function is run_fpga:
        return path_to(FpgaNode)
    if job.function is _run_outline:
        return path_to(TimingNode)
    if job.function in (_run, loaded_energies):
        layouts = (x for x in job.arguments if isinstance(x, Layout))
        return path_of(next(layouts, NOT_PLACED).stage)
    return ()


def _named(name: str, nbits: int, choices: Mapping[str, Any]) -> str:
    return "_".join([name, str(nbits), *(f"{k}_{v}" for k, v in choices.items())])


def at_activity(
    measurement: Measurement, activity: str, timed_cycles: int = TIMED_CYCLES
) -> Measurement:
    """Return a copy with another activity (``timed``, ``zero``), if it measures energies."""
    job = measurement.job
    if job.function not in (_run, loaded_energies):
        return measurement
    other: tuple[Any, ...] = ()
    if activity != TIMED:
        other = (activity,)
    elif timed_cycles != TIMED_CYCLES and job.function is _run:
        other = activity, timed_cycles
    if not other:
        return measurement
    name = ", ".join((job.name, *map(str, other)))
    arguments = (*job.arguments, *other)
    # the job's arguments have a layout
    if job.function is _run and len(job.arguments) > len(_ASKED):
        *asked, _, _, layout = job.arguments
        arguments = (*asked, *other, *_USUAL[len(other) :], layout)
    return replace(measurement, job=replace(job, name=name, arguments=arguments))


def at_layout(measurement: Measurement, layout: Layout) -> Measurement:
    """Return a copy at another stage of the flow, if the job runs a whole flow (no outline)."""
    job = measurement.job
    if job.function is not _run or not layout.placed:
        return measurement
    usual = _USUAL[len(job.arguments) - len(_ASKED) :]
    arguments = (*job.arguments, *usual, layout)
    name, weight = f"{job.name}, {layout}", PLACED_WEIGHT * job.weight
    return replace(measurement, job=replace(job, name=name, arguments=arguments, weight=weight))


def _run(
    target: Target,
    library: str,
    clock_ns: float | None,
    operations: Mapping[str, int] | None,
    activity: str = TIMED,
    timed_cycles: int = TIMED_CYCLES,
    layout: Layout = NOT_PLACED,
    progress: Progress | None = None,
) -> Record | None:
    """Return a record; without ``progress``, the stored one, or None."""
    how: dict[str, Any] = {"activity": activity, "timed_cycles": timed_cycles, "layout": layout}

    def result(clock_ns: float, tell: Progress | None) -> Any:
        asked = energy_job(target, library, clock_ns, operations, **how)
        return _result(asked, RECORD, tell)

    if clock_ns is not None:
        return result(clock_ns, progress)
    if progress:
        return run_published(target, library, result, progress)
    estimate = run(_fast(target, library), OUTLINE, lookup=True)
    if estimate is None:
        return None
    return find_published(estimate.min_period_ns, partial(result, tell=None))


def run_published(
    target: Target, library: str, run_at: Callable[[float, Progress], Record], progress: Progress
) -> Record:
    """Return the record of a published period; see ``eval.measure.flows.published``."""
    estimate = run(_fast(target, library), OUTLINE, progress)

    def record_of(clock_ns: float) -> Record:
        return run_at(clock_ns, lambda line: progress(f"{line} at {clock_ns:g} ns"))

    return published(estimate.min_period_ns, record_of, progress)


def _result(job: FlowJob, goal: Goal[Any], progress: Progress | None) -> Any:
    """Find a result, or make it and keep the processor time that it takes.

    Without ``progress``, only find it. Nodes that an interrupted run finished are not included. No
    other thread may work at the same time, because its time would be included.
    """
    found = run(job, goal, lookup=True)
    if found is not None or progress is None:
        return found
    before = _cpu_seconds()
    found = run(job, goal, progress)
    spent = {"cpu_seconds": round(_cpu_seconds() - before, 3)}
    keep_json(MEASUREMENTS.absolute(), _entry(found), lambda: spent)
    return found


def _fast(target: Target, library: str) -> FlowJob:
    return circuit_job(target, library, AS_FAST_AS_CAN_BE_NS)


def _run_outline(
    target: Target, library: str, clock_ns: float, draft: bool, progress: Progress | None = None
) -> Outline | None:
    return _result(circuit_job(target, library, clock_ns), DRAFT if draft else OUTLINE, progress)


def _find_fpga(configuration: Circuit, family: str) -> FpgaRecord | None:
    return run(fpga_job(configuration, family), RESOURCES, lookup=True)


def _system_facts(
    name: str, programs: Mapping[str, str], choices: str, record: Record
) -> Iterator[Fact]:
    yield from record_facts(record, name, choices, program=programs.get(name, ""))
    for subject, program in programs.items():
        if subject != name:
            yield from record_facts(record, subject, choices, program=program, hardware=False)


FIRST = 1.1  #: ratio of the first constraint to the smallest period after synthesis

MOST_RUNS = 6  #: largest number of constraints that are tried

_AFTER_FAILURE = 1.05  #: ratio of the next constraint to one without a valid layout


def published(estimate_ns: float, run: Callable[[float], Record], progress: Progress) -> Record:
    """Run the flow until constraint and period are close; return the last, or closest, record.

    The first constraint is ``FIRST`` times the smallest period after synthesis. Each resulting
    period is the next constraint, until both are within 3 %: one to six runs, where a search takes
    up to eight.

    ``NoRoom``: another constraint would not help. ``FlowError``: no constraint gives a valid
    layout.
    """
    failures: list[FlowError] = []

    def record_of(clock_ns: float) -> Record | None:
        try:
            return run(clock_ns)
        except (ToolFailure, NoRoom):
            raise
        except FlowError as error:
            progress(f"failed at {clock_ns:g} ns: {error}")
            failures.append(error)
            return None

    found = _follow(estimate_ns, record_of)
    if found is None:
        raise failures[-1]
    return found


def find_published(estimate_ns: float, find: Callable[[float], Record | None]) -> Record | None:
    """Return the record that ``published`` would return; None if the flow would have to run."""
    found: list[Record | None] = []

    def record_of(clock_ns: float) -> Record | None:
        found.append(find(clock_ns))
        return found[-1]

    closest = _follow(estimate_ns, record_of)
    return None if None in found else closest


def _follow(estimate_ns: float, record_of: Callable[[float], Record | None]) -> Record | None:
    """Try constraints until one is close to its period; return the closest record."""
    records: dict[float, Record | None] = {}
    clock_ns = rounded(FIRST * estimate_ns)
    while len(records) < MOST_RUNS and clock_ns not in records:
        record = records[clock_ns] = record_of(clock_ns)
        if record is not None and judge(clock_ns, record.min_period_ns) == TIGHT:
            return record
        clock_ns = rounded(record.min_period_ns if record else clock_ns * _AFTER_FAILURE)
    made = [x for x in records.values() if x is not None]
    return min(made, key=_distance, default=None)


def rounded(clock_ns: float) -> float:
    """Round a constraint to four digits, so that it has a short text."""
    return float(f"{clock_ns:.4g}")


def _distance(record: Record) -> float:
    return abs(record.clock_ns / record.min_period_ns - 1)
