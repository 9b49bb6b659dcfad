"""Measures designs: cycles by RTL simulation, everything else by the ASIC flow."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from statistics import fmean
from typing import Any

from designs import Configuration
from eval.engines import hang_cycles, open_component
from eval.report.results import Failure, Operation, RecordError, Result
from eval.report.workload import Workload

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
_REQUIRED_OPERATION = ("exponent", "cycles", "power_mw", "energy_nj")


def measure(
    configurations: Mapping[str, Configuration],
    workload: Workload,
    flow: Flow,
    progress: Progress,
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
    """
    results: dict[str, Result] = {}
    failures: list[Failure] = []
    with ThreadPoolExecutor(max_workers=max(1, len(configurations))) as pool:
        records: dict[str, Future[Record]] = {
            name: pool.submit(
                flow, configuration, lambda text, name=name: progress(f"{name}: {text}")
            )
            for name, configuration in configurations.items()
        }
        for name, configuration in configurations.items():
            try:
                cycles = simulate(configuration, workload)
                results[name] = combine(name, records[name].result(), cycles)
            except Exception as error:  # whatever it is, the other designs' results stay
                failures.append(Failure(name, _one_line(error)))
                progress(f"{name}: failed: {_one_line(error)}")
    return results, failures


def simulate(configuration: Configuration, workload: Workload) -> dict[str, float]:
    """Cycles per operation, request accepted to response valid, from the RTL (native engine).

    Raises
    ------
    RecordError
        If a result differs from Python's ``pow``.
    """
    engine = open_component(configuration, "rtl", "native")
    cycles = {}
    for name, exponent in workload.exponents.items():
        batch = engine.run(
            [configuration.request(base, exponent, workload.key.n) for base in workload.bases],
            max_idle_cycles=hang_cycles(configuration),
        )
        for base, response in zip(workload.bases, batch.responses, strict=True):
            expected = pow(base, exponent, workload.key.n)
            if response != (expected, 0):
                raise RecordError(
                    f"RTL gives {response} instead of ({expected}, 0) for "
                    f"{base}**{exponent} mod {workload.key.n}"
                )
        cycles[name] = fmean(batch.cycles)
    return cycles


def combine(design: str, record: Record, cycles: Mapping[str, float]) -> Result:
    """Check a record and join it with the simulated cycles.

    Raises
    ------
    RecordError
        If the record lacks something, or its netlist took another number of cycles than the RTL.
    """
    missing = [key for key in _REQUIRED if key not in record]
    if missing:
        raise RecordError(f"the flow's record has no {', '.join(missing)}")
    period_ns = max(record["clock_ns"], record["min_period_ns"])
    operations = {}
    for name, rtl_cycles in cycles.items():
        entry = record["operations"].get(name, {})
        missing = [key for key in _REQUIRED_OPERATION if key not in entry]
        if missing:
            raise RecordError(f"the flow's record has no {', '.join(missing)} of {name}")
        if entry["cycles"] != rtl_cycles:
            raise RecordError(
                f"{name} takes {entry['cycles']} cycles in the netlist, {rtl_cycles} in the RTL"
            )
        operations[name] = Operation(
            name,
            entry["exponent"],
            rtl_cycles,
            period_ns,
            entry["power_mw"],
            entry["energy_nj"],
        )
    return Result(design, record, operations)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
