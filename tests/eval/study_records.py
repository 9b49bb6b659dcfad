"""Made-up findings of the studies: what no circuit has, so that tables are easy to check."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from eval.report.published import published
from eval.report.studies.cilardo import STUDY as CILARDO
from eval.report.studies.li_chu import STUDY
from eval.report.studies.morales_romero import STUDY as MORALES_ROMERO
from eval.report.studies.study import Job, Section, Study
from tests.eval.report_records import record

MAX_NBITS = 4096


def work(job: Job, progress: Callable[[str], None]) -> dict[str, Any]:
    """Stand in for what does the jobs."""
    progress("made up")
    kind, name, *_ = job.name.split()
    if kind == "flow":
        configuration = job.arguments[0]
        nbits = configuration.nbits
        # Shift-sub is half as large, with three quarters of the registers and of the cycles.
        half = name.startswith("ssmm")
        made_up = deepcopy(record("mulrem_r2l"))
        for operation in made_up["operations"].values():
            operation["simulated_cycles"] = operation["cycles"] / 4
        return made_up | {
            "design": configuration.design.name,
            "nbits": nbits,
            "hash": f"hash of {name}",
            "clock_ns": 3.0,
            "min_period_ns": 2.5 if nbits < 1024 else 4.0,
            "area_um2": nbits * (50.0 if half else 100.0),
            "flip_flop_count": nbits * (6 if half else 8),
        }
    if kind == "cyclonev":
        nbits = job.arguments[0].nbits
        alms = nbits * (3 if name.startswith("ssmm") else 5)
        return {"alms": alms, "flip_flops": 7 * nbits, "dsp": nbits // 4}
    if kind == "cycles":
        nbits = job.arguments[0].nbits
        square = nbits**2 * (3 if name.startswith("ssmm") else 4)
        rtl = {"encrypt": square - 8, "decrypt": square + 8}
        return {"circuit": square / 4, "document": square / 4 + nbits, "rtl": rtl}
    if kind == "xc7":
        # As many as the digit has bits, or the operands.
        bits = job.arguments[0].params.get("digit_nbits", job.arguments[0].nbits)
        return {
            "device": "made-up FPGA",
            "luts": 10 * bits,
            "memory_luts": 2 * bits,
            "memory_blocks": 0,
            "flip_flops": 5 * bits,
            "carry_bits": 7,
            "dsp": bits // 16,
        }
    if kind == "operation":
        configuration, exponent = job.arguments
        if name.startswith("systolic"):
            # A product takes as many cycles as the operands have bits.
            products = 2 * exponent.bit_length() + 2
            return {"cycles": products * configuration.nbits + 7, "load_cycles": 9}
        digit_nbits, lanes = configuration.params["digit_nbits"], configuration.choices.lanes
        return {"cycles": 3200 // digit_nbits * (3 - lanes), "load_cycles": 9}
    cycles = {"software_naive": 900, "software_montgomery": 600, "proc_montmul_r2l": 30}.get(
        name, 20
    )
    longer = 1 if kind == "encrypt" else 100
    return {"exponent": 3, "cycles": longer * cycles + 5, "instructions": 7, "dummy_cycles": 5}


def section(folder: Path, max_nbits: int = MAX_NBITS) -> Section:
    """Make the section on shift-sub products; the plots go to a folder."""
    return _section(STUDY, folder, max_nbits)


def digit_serial(folder: Path, max_nbits: int = MAX_NBITS) -> Section:
    """Make the section on digit-serial products."""
    return _section(CILARDO, folder, max_nbits)


def systolic(folder: Path, max_nbits: int = MAX_NBITS) -> Section:
    """Make the section on products in a systolic row."""
    return _section(MORALES_ROMERO, folder, max_nbits)


def findings_of(study: Study, max_nbits: int = MAX_NBITS) -> dict[str, Any]:
    """Results of all jobs of a study."""
    return {job.name: work(job, lambda line: None) for job in study.jobs(max_nbits)}


def _section(study: Study, folder: Path, max_nbits: int) -> Section:
    return study.section(findings_of(study, max_nbits), published(), folder, max_nbits)
