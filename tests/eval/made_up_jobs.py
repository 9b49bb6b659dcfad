"""Made-up results of all jobs of all studies, with figures that are easy to check by hand."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rsaxcel.eval.measure.errors import MeasureError
from rsaxcel.eval.measure.job import Job
from rsaxcel.eval.measure.structure import count_units
from rsaxcel.eval.studies import cilardo, morales_romero
from rsaxcel.flow.fpga import FpgaRecord
from rsaxcel.flow.outline import Outline
from tests.eval.made_up_records import EXPONENTS, digit_serial_cycles, flow, run


def _workload_cycles(
    configuration: Any, level: str, exponents: Mapping[str, int] | None = None, count: int = 1
) -> Mapping[str, float]:
    if exponents is not None:
        return {name: exponent.bit_length() for name, exponent in exponents.items()}
    return {
        name: x.cycles for name, x in flow(configuration, "freepdk-45nm", 3.0).operations.items()
    }


def _key_cycles(configuration: Any, handshakes: Mapping[str, Any], keys: int) -> dict[str, float]:
    square = configuration.nbits**2 * (0.75 if configuration.name.startswith("ssmm") else 1)
    return {"circuit": square, **{name: square + configuration.nbits for name in handshakes}}


def _product_cycles(short: Any, long: Any) -> Mapping[str, float]:
    nbits = short.nbits
    return {"product_cycles": nbits, "products": 2050, "cycles": 2050 * nbits + 7, "load_cycles": 9}


def _operation_cycles(configuration: Any, exponent: int) -> Mapping[str, float]:
    digits = "digit_nbits" in configuration.params
    return {"cycles": digit_serial_cycles(configuration) if digits else 1000, "load_cycles": 9}


def _loaded_energies(
    system: str, nbits: int, clock_ns: float, programs: Sequence[str], library: str
) -> Mapping[str, Any]:
    """Energies of 0.5 nJ for each letter of the program's name, twice as much for decryption."""
    found = {x: {"encrypt": len(x) / 2, "decrypt": len(x)} for x in programs}
    return {"activity": "timed", "energies_nj": found}


def _call_cycles(system: str, program: str, nbits: int, name: str) -> Mapping[str, Any]:
    """Cycles of a call: encryption one unit, decryption 100 units; a loaded key saves 3 cycles."""
    one = {"naive": 900, "montgomery": 600}.get(program, 30 if "montmul" in system else 20)
    cycles = one * (1 if name == "encrypt" else 100) - 3 * program.endswith("_loaded")
    return {"exponent": 3, "call_cycles": cycles + 5, "instructions": 7, "dummy_cycles": 5}


def _fpga(configuration: Any, family: str) -> FpgaRecord:
    """Resources in proportion to the width of a digit, or of the operands."""
    bits = configuration.params.get("digit_nbits", configuration.nbits)
    counts = {"luts": 10, "memory_luts": 2, "flip_flops": 5}
    if family == "cyclonev":
        counts = {"alms": 3 if configuration.name.startswith("ssmm") else 5, "flip_flops": 7}
    resources = {name: count * bits for name, count in counts.items()}
    resources |= {"memory_blocks": 0, "carry_bits": 7, "dsp": bits // 16}
    return FpgaRecord(
        design=configuration.name,
        nbits=configuration.nbits,
        params={},
        family=family,
        device="made-up FPGA",
        resources=resources,
        cells={},
        tools={"yosys": "0.1-made-up"},
        hash=f"hash of {configuration.name} for {family}",
    )


def _outline(target: Any, library: str, clock_ns: float, draft: bool) -> Outline:
    """Outline with 0.1 ns and 10 um2 per bit; times four at 180 nm, times two for ``direct``."""
    each = target.nbits * (4 if library == "osu018" else 1)
    each *= 2 if target.design_name == "direct" else 1
    own = f"hash of {target.name} in {library}"
    period_ns = each / 10
    delay_ns = None if draft else period_ns
    return Outline(library, "typical", clock_ns, period_ns, delay_ns, each * 10.0, each, own)


def _module_resources(configuration: Any, family: str) -> Mapping[str, Mapping[str, int]]:
    params = configuration.params
    digit_nbits = params["digit_nbits"]
    form = params.get("memory", params.get("bus", "wide"))
    return {
        path: {
            "logic_luts": digit_nbits,
            "dual_port_memory_luts": 3 * index,
            "flip_flops": 5 * digit_nbits,
        }
        for index, path in enumerate(cilardo.STAGES[form])
    }


_RESULTS: Mapping[str, Callable[..., Any]] = {
    "_run": run,
    "_run_outline": _outline,
    "square_cycles": lambda configuration, level: {"product_cycles": configuration.nbits},
    "bus_cycles": lambda configuration: {
        x: {"bare_cycles": 900, "padded_cycles": 1000} for x in EXPONENTS
    },
    "tree_counts": lambda configuration: {
        f"tree_{x}": n * configuration.nbits
        for x, n in {"bits": 4, "cells": 8, "units": 32, "delay_units": 2}.items()
    },
    "run_fpga": _fpga,
    "key_cycles": _key_cycles,
    "workload_cycles": _workload_cycles,
    "operation_cycles": _operation_cycles,
    "product_cycles": _product_cycles,
    "call_cycles": _call_cycles,
    "loaded_energies": _loaded_energies,
    "module_resources": _module_resources,
    # no measurements: properties of the design
    "elements": morales_romero.elements,
    "count_units": count_units,
}


def work(job: Job, progress: Callable[[str], None]) -> Any:
    """Stand in for the function that runs jobs."""
    progress("made up")
    return _RESULTS[job.function.__name__](*job.arguments)


def failing(*names: str, error: Exception | None = None) -> Callable[..., Any]:
    """Make a function that runs jobs, but raises an error for jobs with certain prefixes."""

    def some(job: Job, progress: Callable[[str], None]) -> Any:
        if job.name.startswith(names):
            raise error or MeasureError("no\nluck <&>")
        return work(job, progress)

    return some
