"""Measures designs: cycles by RTL simulation, everything else by the ASIC flow."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from statistics import fmean
from typing import Any

from designs import Configuration
from eval.engines import hang_cycles, open_component
from eval.report.results import POWER_PARTS, Failure, MeasureError, Operation, Result, SetupFailure
from eval.report.workload import Workload
from sim.cache import CacheError
from sim.native.toolchain import ToolError

Progress = Callable[[str], None]
Record = Mapping[str, Any]
Flow = Callable[[Configuration, Progress], Record]

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
    "switching_mw",
    "internal_mw",
    "clock_mw",
    "leakage_mw",
)


def measure(
    configurations: Mapping[str, Configuration],
    workload: Workload,
    flow: Flow,
    progress: Progress,
    stop: Callable[[], None] = lambda: None,
) -> tuple[dict[str, Result], list[Failure]]:
    """Measure designs side by side; one that fails does not touch the others.

    Parameters
    ----------
    configurations : mapping of str to Configuration
        What to measure, by design.
    workload : Workload
        Operations.
    flow : callable
        Gives the record of a configuration, reusing what it has; reports its steps.
    progress : callable
        Takes one line at a time, from any thread.
    stop : callable
        Makes the calls of ``flow`` that are under way end soon; called on an interrupt.
    """
    results: dict[str, Result] = {}
    failures: list[Failure] = []
    with ThreadPoolExecutor(max_workers=max(1, len(configurations))) as pool:
        records: dict[str, Future[Record]] = {
            name: pool.submit(flow, configuration, partial(_tell, progress, name))
            for name, configuration in configurations.items()
        }
        try:
            for name, configuration in configurations.items():
                try:
                    cycles = simulate(configuration, workload)
                    results[name] = combine(name, records[name].result(), cycles)
                except Exception as error:  # whatever it is, the other designs' results stay
                    setup = isinstance(error, SetupFailure | ToolError | CacheError)
                    failures.append(Failure(name, _one_line(error), setup))
                    if not setup:  # those that lack a tool end at once, and together
                        _tell(progress, name, f"failed: {_one_line(error)}")
        except BaseException:
            stop()
            raise
    return results, failures


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
        mean = fmean(batch.cycles)
        cycles[name] = int(mean) if mean.is_integer() else mean
    return cycles


def combine(design: str, record: Record, cycles: Mapping[str, float]) -> Result:
    """Check a record and join it with the simulated cycles.

    Raises
    ------
    MeasureError
        If the record lacks something, or its netlist took another number of cycles than the RTL.
    """
    missing = [key for key in _REQUIRED if key not in record]
    if missing:
        raise MeasureError(f"the flow's record has no {', '.join(missing)}")
    period_ns = max(record["clock_ns"], record["min_period_ns"])
    operations = {}
    for name, rtl_cycles in cycles.items():
        entry = record["operations"].get(name, {})
        missing = [key for key in _REQUIRED_OPERATION if key not in entry]
        if missing:
            raise MeasureError(f"the flow's record has no {', '.join(missing)} of {name}")
        if entry["cycles"] != rtl_cycles:
            raise MeasureError(
                f"{name} takes {entry['cycles']} cycles in the netlist, {rtl_cycles} in the RTL"
            )
        operations[name] = Operation(
            name,
            entry["exponent"],
            rtl_cycles,
            period_ns,
            entry["power_mw"],
            entry["energy_nj"],
            {part: entry[f"{part}_mw"] for part in POWER_PARTS},
        )
    return Result(design, record, operations)


def _tell(progress: Progress, design: str, text: str) -> None:
    progress(f"{design}: {text}")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
