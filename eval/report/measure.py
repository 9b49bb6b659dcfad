"""Measures subjects: cycles of accelerators by RTL simulation, everything else by the ASIC flow."""

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from statistics import fmean
from typing import Any

from catalog import Configuration
from eval.engines import hang_cycles, open_component
from eval.report.results import (
    POWER_PARTS,
    Failure,
    MeasureError,
    OperationFigures,
    Result,
    SetupFailure,
    SimulatedRun,
)
from eval.report.subjects import ReportSubject, find_hardware
from eval.report.workload import Workload
from flow.subjects import Target
from sim.native.toolchain import ToolError
from store.folders import CacheError

Progress = Callable[[str], None]
Record = Mapping[str, Any]
Flow = Callable[[Target, Progress], Record]

_REQUIRED = (
    "design",
    "nbits",
    "library",
    "corner",
    "clock_ns",
    "min_period_ns",
    "area_um2",
    "area_by_module",
    "critical_path",
    "operations",
    "tools",
    "hash",
)
_REQUIRED_OPERATION = (
    "exponent",
    "cycles",
    "power_mw",
    "energy_nj",
    *(f"{part}_mw" for part in POWER_PARTS),
)


def measure(
    subjects: Iterable[ReportSubject],
    workload: Workload,
    flow: Flow,
    progress: Progress,
    stop: Callable[[], None] = lambda: None,
) -> tuple[dict[str, Result], list[Failure]]:
    """Measure subjects, as many at a time as there are cores; one that fails stops no other.

    Parameters
    ----------
    subjects : iterable of Subject
        What to measure.
    workload : Workload
        Operations.
    flow : callable
        Gives the record of a design or system, reusing what it has; reports its steps.
    progress : callable
        Takes one line at a time, from any thread.
    stop : callable
        Makes the calls of ``flow`` that are under way end soon; called on an interrupt.

    Returns
    -------
    dict of str to Result, list of Failure
        In the order of the subjects.
    """
    subjects = tuple(subjects)
    hardware = find_hardware(subjects)
    found: dict[str, Result] = {}
    failures: list[Failure] = []
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        records: dict[str, Future[Record]] = {
            name: pool.submit(flow, piece, partial(tell, progress, name))
            for name, piece in hardware.items()
        }
        try:
            for name in dict.fromkeys(x.hardware for x in subjects):
                try:
                    cycles = _simulated(hardware[name], workload)
                    record = records[name].result()
                    for subject in (x for x in subjects if x.hardware == name):
                        found[subject.name] = combine(subject, record, workload.exponents, cycles)
                except Exception as error:  # whatever it is, the other results stay
                    setup = isinstance(error, SetupFailure | ToolError | CacheError)
                    failures.append(Failure(name, one_line(error), setup))
                    if not setup:  # those that lack a tool end at once, and together
                        tell(progress, name, f"failed: {one_line(error)}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            stop()
            raise
    return found, failures


def _simulated(piece: Target, workload: Workload) -> Mapping[str, float]:
    """Cycles to compare with; the flow compares those of systems, program by program."""
    return simulate(piece, workload) if isinstance(piece, Configuration) else {}


def simulate(configuration: Configuration, workload: Workload) -> dict[str, float]:
    """Cycles per operation, request accepted to response valid, from the RTL (native engine).

    Raises
    ------
    MeasureError
        If a result differs from Python's ``pow``.
    """
    engine = open_component(configuration, "rtl", "native")
    modulus = workload.key.n
    cycles = {}
    for name, exponent in workload.exponents.items():
        bases = workload.bases[name]
        batch = engine.run(
            [configuration.request(base, exponent, modulus) for base in bases],
            max_idle_cycles=hang_cycles(configuration),
        )
        for base, response in zip(bases, batch.responses, strict=True):
            expected = pow(base, exponent, modulus)
            if response != (expected, 0):
                raise MeasureError(
                    f"RTL gives {response} instead of ({expected}, 0) for "
                    f"{base}**{exponent} mod {modulus}"
                )
        mean = fmean(c for c in batch.cycles if c is not None)
        cycles[name] = int(mean) if mean.is_integer() else mean
    return cycles


def combine(
    subject: ReportSubject,
    record: Record,
    exponents: Mapping[str, int],
    simulated_cycles: Mapping[str, float],
) -> Result:
    """Check a record and take a subject's figures from it.

    Parameters
    ----------
    subject : Subject
        Whose figures.
    record : mapping
        The flow's record of its hardware.
    exponents : mapping of str to int
        Exponent by operation.
    simulated_cycles : mapping of str to float
        Cycles that the netlist must have taken, by operation, where they are known.

    Raises
    ------
    MeasureError
        If the record lacks something, is of other operations, or its netlist took another number of
        cycles.
    """
    missing = [key for key in _REQUIRED if key not in record]
    if missing:
        raise MeasureError(f"the flow's record has no {', '.join(missing)}")
    period_ns = max(record["clock_ns"], record["min_period_ns"])
    found = {}
    for name, exponent in exponents.items():
        plain = _run(record, subject, subject.entry(name), exponent)
        if plain.cycles != (expected := simulated_cycles.get(name, plain.cycles)):
            raise MeasureError(
                f"{name} takes {plain.cycles} cycles in the netlist, {expected} in the RTL"
            )
        dummy = subject.dummy_entry(name)
        less = _run(record, subject, dummy, exponent) if dummy else None
        found[name] = OperationFigures(name, exponent, period_ns, plain, less)
    return Result(subject, record, found)


def _run(record: Record, subject: ReportSubject, name: str, exponent: int) -> SimulatedRun:
    entry = record["operations"].get(name, {})
    required = (*_REQUIRED_OPERATION, *(("measured_cycles",) if subject.program else ()))
    missing = [key for key in required if key not in entry]
    if missing:
        raise MeasureError(f"the flow's record has no {', '.join(missing)} of {name}")
    if entry["exponent"] != exponent:
        raise MeasureError(f"the flow's {name} has exponent {entry['exponent']}, not {exponent}")
    return SimulatedRun(
        entry["cycles"],
        entry.get("measured_cycles", entry["cycles"]),
        entry["power_mw"],
        entry["energy_nj"],
        {part: entry[f"{part}_mw"] for part in POWER_PARTS},
    )


def tell(progress: Progress, name: str, text: str) -> None:
    """Say what a step belongs to."""
    progress(f"{name}: {text}")


def one_line(error: Exception) -> str:
    """Give an error's message, or its kind if it has none."""
    return " ".join(str(error).split()) or type(error).__name__
