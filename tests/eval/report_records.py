"""Made-up flow records: shaped like the flow's, with figures that no circuit has."""

from collections.abc import Callable, Collection, Sequence
from copy import deepcopy
from pathlib import Path
from statistics import fmean
from typing import Any

from catalog import Configuration
from eval.report.content import Content, assemble
from eval.report.measure import combine
from eval.report.published import published
from eval.report.results import Result
from eval.report.subjects import STANDARD_SUBJECTS, ReportSubject
from eval.report.workload import standard_workload
from flow.subjects import Target

_COMMON = {
    "nbits": 32,
    "library": "made-up-45nm",
    "corner": "typical 1.1 V 25 C",
    "clock_ns": 3.0,
    "stage": "synthesis",
    "tools": {"yosys": "0.0-made-up", "opensta": "0.1-made-up", "verilator": "0.2-made-up"},
}
EXPONENTS = {"encrypt": 65537, "decrypt": 977851481}


def _operation(
    exponent: int,
    cycles: float,
    power_mw: float,
    energy_nj: float,
    parts_mw: tuple[float, float, float, float],
    **more: Any,
) -> dict[str, Any]:
    """Make an entry; the parts are clock, switching, internal and leakage."""
    names = ("clock_mw", "switching_mw", "internal_mw", "leakage_mw")
    return {
        "exponent": exponent,
        "cycles": cycles,
        "power_mw": power_mw,
        "energy_nj": energy_nj,
        **dict(zip(names, parts_mw, strict=True)),
        **more,
    }


def _program(
    program: str,
    operation: str,
    cycles: float,
    measured_cycles: float,
    period_ns: float,
    parts_mw: tuple[float, float, float, float],
) -> dict[str, Any]:
    """Make an entry of a program, its energy from the parts of its power."""
    power_mw = sum(parts_mw)
    energy_nj = power_mw * cycles * period_ns / 1e3
    exponent = EXPONENTS[operation]
    more = {"program": program, "measured_cycles": measured_cycles}
    return _operation(exponent, cycles, power_mw, energy_nj, parts_mw, **more)


def _system(
    name: str,
    parts_um2: tuple[float, float],
    min_period_ns: float,
    programs: dict[str, dict[str, tuple[float, float]]],
    clock_mw: float,
) -> dict[str, Any]:
    """Make a record; ``programs`` gives cycles of program and call by program and operation."""
    period_ns = max(min_period_ns, _COMMON["clock_ns"])
    return {
        **_COMMON,
        "design": name,
        "params": {},
        "hash": f"{name} in hash",
        "min_period_ns": min_period_ns,
        "area_um2": sum(parts_um2),
        "area_by_module": dict(zip(("proc", "xcel"), parts_um2, strict=True)),
        "critical_path": {
            "start": f"proc.execute.{name}_reg[3]",
            "end": "proc.muldiv.divider.remainder_reg[6]",
            "delay_ns": min_period_ns - 0.125,
        },
        "operations": {
            f"{program}_{operation}": _program(
                program, operation, *cycles, period_ns, (clock_mw, 1.0, 0.5, 0.25)
            )
            for program, operations in programs.items()
            for operation, cycles in operations.items()
        },
    }


_DUMMY = {"encrypt": (80, 11), "decrypt": (80, 11)}

_RECORDS = {
    "mulrem_r2l": {
        **_COMMON,
        "design": "mulrem_r2l",
        "params": {"bits_per_cycle": 1},
        "hash": "aaaa1111",
        "min_period_ns": 2.75,
        "area_um2": 15000.0,
        "area_by_module": {
            "core": 14900.0,
            "core.sequencer": 150.0,
            "core.store": 13900.0,
            "core.store.lanes__0": 6500.0,
            "core.store.lanes__0.divider": 1100.0,
            "core.store.lanes__1": 6700.0,
            "core.store.lanes__1.divider": 1200.0,
        },
        "critical_path": {
            "start": "core.store.lanes__0.a_reg[3]/Q",
            "end": "core.store.lanes__0.divider.remainder_reg[31]/D",
            "delay_ns": 2.71,
        },
        "operations": {
            "encrypt": _operation(65537, 580, 3.5, 6.125, (1.5, 0.8, 0.9, 0.3)),
            "decrypt": _operation(977851481, 1022, 3.6, 11.25, (1.5, 0.8, 0.9, 0.4)),
        },
    },
    "mont_r2l": {
        **_COMMON,
        "design": "mont_r2l",
        "params": {"stages": 4, "add_red": "select"},
        "hash": "bbbb2222",
        "min_period_ns": 4.0,
        "area_um2": 80000.0,
        "area_by_module": {
            "convert_in": 33000.0,
            "convert_in.store.lanes__0": 15000.0,
            "convert_in.store.lanes__1": 15100.0,
            "convert_in.constant_units__0": 1300.0,
            "convert_in.constants_unit.divider": 1290.0,
            "core": 31500.0,
            "core.store.lanes__0": 15200.0,
            "core.store.lanes__1": 14900.0,
            "convert_out": 15500.0,
            "convert_out.store.lanes__0": 14800.0,
        },
        "critical_path": {
            "start": "core.store.lanes__0.sum_reg[0][1]/Q",
            "end": "core.store.lanes__0.sum_reg[1][32]/D",
            "delay_ns": 3.96,
        },
        "operations": {
            "encrypt": _operation(65537, 135, 8.5, 4.625, (6.0, 1.0, 0.5, 1.0)),
            "decrypt": _operation(977851481, 200, 9.0, 7.125, (6.0, 1.25, 0.75, 1.0)),
        },
    },
    "mont_r2l_shared": {
        **_COMMON,
        "design": "mont_r2l_shared",
        "params": {"stages": 4, "add_red": "select"},
        "hash": "cccc3333",
        "min_period_ns": 3.25,
        "area_um2": 20000.0,
        "area_by_module": {"core": 20000.0, "core.store.lanes__0": 15000.0},
        "critical_path": {
            "start": "core.sequencer.issue_reg[0]/Q",
            "end": "core.store.lanes__0.sum_reg[0][32]/D",
            "delay_ns": 3.2,
        },
        "operations": {
            "encrypt": _operation(65537, 140, 3.0, 1.375, (2.0, 0.5, 0.25, 0.25)),
            "decrypt": _operation(977851481, 220, 3.25, 2.375, (2.0, 0.75, 0.25, 0.25)),
        },
    },
    "proc_null": _system(
        "proc_null",
        (20000.0, 10.0),
        2.5,
        {
            "naive": {"encrypt": (1080, 1011), "decrypt": (2080, 2011)},
            "montgomery": {"encrypt": (580, 511), "decrypt": (880, 811)},
            "dummy": _DUMMY,
        },
        clock_mw=2.25,
    ),
    "proc_mulrem_r2l": _system(
        "proc_mulrem_r2l",
        (20000.0, 16000.0),
        2.5,
        {"xcel": {"encrypt": (680, 611), "decrypt": (1130, 1061)}, "dummy": _DUMMY},
        clock_mw=4.25,
    ),
    "proc_mont_r2l": _system(
        "proc_mont_r2l",
        (20000.0, 81000.0),
        4.0,
        {"xcel": {"encrypt": (240, 171), "decrypt": (305, 236)}, "dummy": _DUMMY},
        clock_mw=10.25,
    ),
    "proc_mont_r2l_shared": _system(
        "proc_mont_r2l_shared",
        (20000.0, 21000.0),
        3.0,
        {"xcel": {"encrypt": (250, 181), "decrypt": (330, 261)}, "dummy": _DUMMY},
        clock_mw=5.25,
    ),
}


def _other(hardware: str) -> dict[str, Any]:
    """Make a record of a design or system that is none of the standard ones."""
    if hardware.startswith("proc_"):
        programs = {"xcel": {"encrypt": (1280, 1211), "decrypt": (2480, 2411)}, "dummy": _DUMMY}
        return _system(hardware, (20000.0, 4000.0), 2.5, programs, clock_mw=3.25)
    return {
        **_COMMON,
        "design": hardware,
        "params": {},
        "hash": f"{hardware} in hash",
        "min_period_ns": 2.0,
        "area_um2": 3000.0,
        "area_by_module": {"core": 2900.0, "core.store.lanes__0": 2000.0},
        "critical_path": {"start": "core.a_reg[1]", "end": "core.b_reg[2]", "delay_ns": 1.875},
        "operations": {
            "encrypt": _operation(65537, 1160, 0.75, 2.25, (0.25, 0.25, 0.125, 0.125)),
            "decrypt": _operation(977851481, 2044, 0.75, 4.5, (0.25, 0.25, 0.125, 0.125)),
        },
    }


def record(hardware: str) -> dict[str, Any]:
    """Record of a design or system, to be changed at will."""
    return deepcopy(_RECORDS[hardware]) if hardware in _RECORDS else _other(hardware)


def subject(name: str) -> ReportSubject:
    """Standard subject by its name."""
    return next(x for x in STANDARD_SUBJECTS if x.name == name)


def flow(measured: Target, progress: Callable[[str], None]) -> dict[str, Any]:
    """Stand in for the flow: the record, of designs with the cycles that the cycle model says."""
    progress("made up")
    if not isinstance(measured, Configuration):
        return record(measured.name)
    made_up = record(measured.design.name)
    workload = standard_workload(published())
    for name, operation in made_up["operations"].items():
        exponent, modulus = operation["exponent"], workload.key.n
        operation["cycles"] = fmean(
            measured.cycles(base, exponent, modulus) for base in workload.bases[name]
        )
    return made_up


def results(added: Sequence[ReportSubject] = ()) -> dict[str, Result]:
    """Results of all subjects, without any simulation."""
    return {x.name: _result(x) for x in (*STANDARD_SUBJECTS, *added)}


def result(name: str) -> Result:
    """Take a standard subject's figures from its record."""
    return _result(subject(name))


def _result(found: ReportSubject) -> Result:
    return combine(found, record(found.hardware), EXPONENTS, {})


def content(
    folder: Path, added: Sequence[ReportSubject] = (), without: Collection[str] = ()
) -> Content:
    """Assemble all that a report shows, but for some subjects; the plots go to a folder."""
    everything = {name: x for name, x in results(added).items() if name not in without}
    workload = standard_workload(published())
    return assemble(everything, (), workload, published(), folder, added=added)
