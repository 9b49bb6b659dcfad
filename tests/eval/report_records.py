"""Made-up flow records: shaped like the flow's, with figures that no circuit has."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from designs import Configuration
from eval.report.measure import combine
from eval.report.published import published
from eval.report.results import Result
from eval.report.workload import standard_workload

_COMMON = {
    "nbits": 32,
    "library": "made-up-45nm",
    "corner": "typical 1.1 V 25 C",
    "clock_ns": 3.0,
    "stage": "synthesis",
    "tools": {"yosys": "0.0-made-up", "opensta": "0.1-made-up", "verilator": "0.2-made-up"},
}

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
        "power_mw": 3.5,
        "energy_nj": 7.77,
        "cycles": 801,
        "operations": {
            "encrypt": {
                "exponent": 65537,
                "cycles": 580,
                "power_mw": 3.5,
                "energy_nj": 6.125,
                "clock_mw": 1.5,
                "switching_mw": 0.8,
                "internal_mw": 0.9,
                "leakage_mw": 0.3,
            },
            "decrypt": {
                "exponent": 977851481,
                "cycles": 1022,
                "power_mw": 3.6,
                "energy_nj": 11.25,
                "clock_mw": 1.5,
                "switching_mw": 0.8,
                "internal_mw": 0.9,
                "leakage_mw": 0.4,
            },
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
            "convert_in.constants_unit": 1300.0,
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
        "power_mw": 8.8,
        "energy_nj": 5.5,
        "cycles": 170,
        "operations": {
            "encrypt": {
                "exponent": 65537,
                "cycles": 135,
                "power_mw": 8.5,
                "energy_nj": 4.625,
                "clock_mw": 6.0,
                "switching_mw": 1.0,
                "internal_mw": 0.5,
                "leakage_mw": 1.0,
            },
            "decrypt": {
                "exponent": 977851481,
                "cycles": 200,
                "power_mw": 9.0,
                "energy_nj": 7.125,
                "clock_mw": 6.0,
                "switching_mw": 1.25,
                "internal_mw": 0.75,
                "leakage_mw": 1.0,
            },
        },
    },
}


def record(design: str) -> dict[str, Any]:
    """Record of one of the standard designs, to be changed at will."""
    return deepcopy(_RECORDS[design])


def flow(configuration: Configuration, progress: Callable[[str], None]) -> dict[str, Any]:
    """Stand in for the flow: the record, with the cycles that the cycle model says."""
    progress("made up")
    made_up = record(configuration.design.name)
    workload = standard_workload(published())
    for operation in made_up["operations"].values():
        base, modulus = workload.bases["encrypt"][0], workload.key.n
        operation["cycles"] = configuration.cycles(base, operation["exponent"], modulus)
    return made_up


def results() -> dict[str, Result]:
    """Results of both designs, without any simulation."""
    return {name: result(name) for name in _RECORDS}


def result(design: str) -> Result:
    """Join a record with its own cycles."""
    made_up = record(design)
    cycles = {name: entry["cycles"] for name, entry in made_up["operations"].items()}
    return combine(design, made_up, cycles)
