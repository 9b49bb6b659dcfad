"""Made-up records of the flow, with figures that are easy to check by hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rsaxcel.eval.studies import mcnay
from rsaxcel.flow.layout import NOT_PLACED, TIMED, TIMED_CYCLES, Layout
from rsaxcel.flow.power.breakdown import PARTS
from rsaxcel.flow.record import CriticalPath, OperationRecord, Record
from rsaxcel.proc.systems import System

EXPONENTS = {"encrypt": 65537, "decrypt": 977851481}
DUMMY = {"encrypt": (80, 11), "decrypt": (80, 11)}
"""Cycles of the whole dummy program and of its call, by operation."""

REST_MW = (1.0, 0.5, 0.25)
"""Power in mW of nets, inside of cells, and by leakage, of every circuit."""

GLITCH_FACTOR = 1.25
"""Glitch factor of every energy."""

GLITCHES: Any = {
    "glitch_modules": [{"module": "core.store", "energy_nj": 1.0, "share": 0.625}],
    "glitch_depth": 5.5,
    "glitch_chains": [
        {
            "source": "core.a_reg",
            "module": "core.store",
            "begin": "core.store.n7",
            "end": "core.b_reg",
            "gates": 11,
            "glitches_per_cycle": 0.75,
            "modules": ["core.store"],
            "energy_nj": 1.0,
            "share": 0.375,
        }
    ],
    "timed_share": 0.125,
}
"""Module and chain with most glitches, of every operation."""

Cycles = Mapping[str, Any]

# fmt: off
#: Designs of 32 bits: smallest period in ns, areas in um2, cycles, power of the clock in mW.
_DESIGNS: Mapping[str, tuple[float, Mapping[str, float], Cycles, float]] = {
    "mulrem_r2l": (2.75, {
        "": 15000.0, "core": 14900.0,
        "core.store.lanes__0": 6500.0, "core.store.lanes__0.divider": 1100.0,
        "core.store.lanes__1": 6700.0, "core.store.lanes__1.divider": 1200.0,
    }, {"encrypt": 580, "decrypt": 1022}, 1.25),
    "mont_r2l": (4.0, {
        "": 80000.0, "convert_in": 33000.0, "core": 31500.0, "convert_out": 15500.0,
        "convert_in.store.lanes__0": 15000.0, "convert_in.store.lanes__1": 15100.0,
        "convert_in.constant_units__0": 1300.0, "convert_in.constant_units__0.divider": 1290.0,
        "core.store.lanes__0": 15200.0, "core.store.lanes__1": 14900.0,
        "convert_out.store.lanes__0": 14800.0,
    }, {"encrypt": 135, "decrypt": 200}, 6.25),
    "mont_r2l_shared": (3.25, {
        "": 20000.0, "core": 20000.0, "core.store.lanes__0": 15000.0,
    }, {"encrypt": 140, "decrypt": 220}, 2.25),
    "any other": (2.0, {
        "": 3000.0, "core": 2900.0, "core.store.lanes__0": 2000.0,
    }, {"encrypt": 1160, "decrypt": 2044}, 0.25),
}
_PROC = {"proc": 20000.0}
#: Systems: smallest period, areas, cycles of all programs but the dummy, power of the clock.
_SYSTEMS: Mapping[str, tuple[float, Mapping[str, float], Mapping[str, Cycles], float]] = {
    "proc_null": (2.5, {**_PROC, "xcel": 10.0}, {
        "naive": {"encrypt": (1080, 1011), "decrypt": (2080, 2011)},
        "montgomery": {"encrypt": (580, 511), "decrypt": (880, 811)},
    }, 2.25),
    "proc_mulrem_r2l": (2.5, {**_PROC, "xcel": 16000.0}, {
        "xcel": {"encrypt": (680, 611), "decrypt": (1130, 1061)},
    }, 4.25),
    "proc_mont_r2l": (4.0, {**_PROC, "xcel": 81000.0, "xcel.exponentiator": 80500.0}, {
        "xcel": {"encrypt": (240, 171), "decrypt": (305, 236)},
    }, 10.25),
    "axi_mont_r2l": (5.0, {
        **_PROC, "bridge": 300.0, "accelerator": 84000.0, "accelerator.slave": 1000.0,
        "accelerator.accelerator": 83000.0, "accelerator.accelerator.exponentiator": 80600.0,
        "interrupt": 40.0,
    }, {
        "axi": {"encrypt": (300, 231), "decrypt": (370, 301)},
        "axi_interrupt": {"encrypt": (310, 241), "decrypt": (360, 291)},
    }, 14.25),
    "proc_systolic_l2r_always": (3.0, {
        **_PROC, "xcel": 90500.0, "xcel.exponentiator": 90000.0,
    }, {
        "xcel": {"encrypt": (1280, 1211), "decrypt": (2074, 2005)},
    }, 6.25),
    "axi_systolic_l2r_always": (3.0, {
        **_PROC, "bridge": 300.0, "accelerator": 94000.0, "accelerator.slave": 1000.0,
        "accelerator.accelerator": 93000.0, "accelerator.accelerator.exponentiator": 90000.0,
        "interrupt": 40.0,
    }, {
        "axi": {"encrypt": (1300, 1231), "decrypt": (2074, 2005)},
        "axi_interrupt": {"encrypt": (1310, 1241), "decrypt": (2074, 2005)},
    }, 7.25),
    "proc_cm_pm_r2l": (2.25, {**_PROC, "xcel": 17000.0, "xcel.exponentiator": 16500.0}, {
        "xcel": {"encrypt": (160, 91), "decrypt": (200, 131)},
    }, 3.25),
    "axi_cm_pm_r2l": (2.5, {
        **_PROC, "bridge": 300.0, "accelerator": 20000.0, "accelerator.slave": 1000.0,
        "accelerator.accelerator": 19000.0, "accelerator.accelerator.exponentiator": 16500.0,
        "interrupt": 40.0,
    }, {
        "axi": {"encrypt": (180, 111), "decrypt": (190, 121)},
        "axi_interrupt": {"encrypt": (177, 108), "decrypt": (190, 121)},
    }, 3.25),
    "proc_mont_r2l_shared": (3.0, {**_PROC, "xcel": 21000.0}, {
        "xcel": {"encrypt": (250, 181), "decrypt": (330, 261)},
    }, 5.25),
    "any other": (2.5, {**_PROC, "xcel": 4000.0}, {
        "xcel": {"encrypt": (1280, 1211), "decrypt": (2480, 2411)},
    }, 3.25),
}
# fmt: on


def operation(
    exponent: int, cycles: float, period_ns: float, clock_mw: float, **more: Any
) -> OperationRecord:
    """Make the record of an operation; its power is the sum of parts, its energy follows."""
    power_mw = clock_mw + sum(REST_MW)
    switching_mw, internal_mw, leakage_mw = REST_MW
    energy_nj = power_mw * cycles * period_ns / 1e3
    return OperationRecord(
        operations=1,
        exponent=exponent,
        cycles=cycles,
        cycles_counted=int(cycles),
        toggles_per_net_and_cycle=0.25,
        power_mw=power_mw,
        energy_nj=energy_nj,
        energy_lower_nj=energy_nj / GLITCH_FACTOR,
        energy_upper_nj=energy_nj * GLITCH_FACTOR,
        glitch_factor=GLITCH_FACTOR,
        switching_mw=switching_mw,
        internal_mw=internal_mw,
        clock_mw=clock_mw,
        leakage_mw=leakage_mw,
        energy_parts_nj={part: _part_nj(part, energy_nj) for part in PARTS},
        by_module={},
        **GLITCHES,
        **more,
    )


def _part_nj(part: str, energy_nj: float) -> float:
    """Divide the energy without glitches equally among its parts, and the energy of glitches."""
    alike = [x for x in PARTS if x.endswith("_glitches") == part.endswith("_glitches")]
    useful = 1 / GLITCH_FACTOR
    return energy_nj * (1 - useful if part.endswith("_glitches") else useful) / len(alike)


def record(
    name: str,
    nbits: int,
    clock_ns: float,
    min_period_ns: float,
    areas: Mapping[str, float],
    operations: Mapping[str, OperationRecord],
    flip_flops: int = 8,
) -> Record:
    """Make a record."""
    path = CriticalPath(f"{name}.a_reg[3]", f"{name}.b_reg[6]", min_period_ns - 0.125)
    return Record(
        design=name,
        nbits=nbits,
        params={},
        library="freepdk-45nm",
        corner="typical",
        stage="synthesized",
        clock_ns=clock_ns,
        min_period_ns=min_period_ns,
        slack_ns=clock_ns - min_period_ns,
        critical_path=path,
        area_um2=areas[""],
        area_by_module={path: area for path, area in areas.items() if path},
        cell_count=9,
        flip_flop_count=flip_flops,
        clock_gate_count=3,
        adders="ripple",
        power_period_ns=max(clock_ns, min_period_ns),
        activity="timed",
        operations=operations,
        glitches="none",
        tools={"yosys": "0.0-made-up"},
        hash=f"hash of {name}_{nbits}",
    )


def _system(target: System, clock_ns: float) -> Record:
    period_ns, parts, programs, clock_mw = _SYSTEMS.get(target.design_name, _SYSTEMS["any other"])
    if target.design_name not in _SYSTEMS:
        programs = {x: programs["xcel"] for x in target.kind.programs}
    used_ns = max(period_ns, clock_ns)
    operations = {
        f"{program}_{name}": operation(
            EXPONENTS[name], whole, used_ns, clock_mw, program=program, measured_cycles=call
        )
        for program, runs in {**programs, "dummy": DUMMY}.items()
        for name, (whole, call) in runs.items()
    }
    areas = {"": sum(x for path, x in parts.items() if "." not in path), **parts}
    return record(target.design_name, target.nbits, clock_ns, period_ns, areas, operations)


def run(
    target: Any,
    library: str,
    clock_ns: float | None,
    operations: Any = None,
    _activity: str = TIMED,
    _timed_cycles: int = TIMED_CYCLES,
    layout: Layout = NOT_PLACED,
) -> Record:
    """Stand in for the job that runs the flow; without a clock, the constraint is the period.

    A placed circuit has a tenth more cell area, a period longer by a fifth, and twice the core.
    """
    if not layout.placed:
        assert clock_ns is not None
        return flow(target, library, clock_ns, operations)
    plain = flow(target, library, clock_ns or 0.5, operations)
    period_ns = 1.2 * plain.min_period_ns
    return replace(
        plain,
        stage=layout.stage,
        clock_ns=clock_ns or period_ns,
        min_period_ns=period_ns,
        area_um2=1.1 * plain.area_um2,
        core_area_um2=2.2 * plain.area_um2,
        utilisation=0.5,
        physical={"wire_length_mm": 1.0, "clock_buffers": 2, "hold_buffers": 1},
        hash=f"placed {plain.hash}",
    )


def flow(target: Any, library: str, clock_ns: float, _operations: Any = None) -> Record:
    """Stand in for the flow.

    Designs of other widths than 32 bits take 4 ns from 1024 bits on, 2.5 ns below, and 100 um2 and
    8 flip-flops per bit; shift-sub has half the area and three quarters of the flip-flops. Of the
    area of a compressor tree's design, 64 um2 per bit are the multiplier's.
    """
    if isinstance(target, System):
        return _system(target, clock_ns)
    name, nbits = target.design_name, target.nbits
    if nbits == mcnay.NBITS:
        period_ns, areas, cycles, clock_mw = _DESIGNS.get(name, _DESIGNS["any other"])
        used_ns = max(period_ns, clock_ns)
        operations = {x: operation(EXPONENTS[x], n, used_ns, clock_mw) for x, n in cycles.items()}
        return record(name, nbits, clock_ns, period_ns, areas, operations)
    half, period_ns = name.startswith("ssmm"), 4.0 if nbits >= 1024 else 2.5
    areas = {"": nbits * (50.0 if half else 100.0)}
    if name.startswith("cm_"):
        areas["core.store.lanes__0"] = nbits * 64.0
    digit_nbits = target.params.get("digit_nbits")
    cycles = {"encrypt": 400, "decrypt": 1000}
    if digit_nbits:
        cycles["encrypt"] = digit_serial_cycles(target)
    operations = {
        x: operation(EXPONENTS[x], n, period_ns, 1.25, simulated_cycles=n / 4)
        for x, n in cycles.items()
    }
    flip_flops = nbits * (6 if half else 8)
    return record(target.name, nbits, clock_ns, period_ns, areas, operations, flip_flops)


def digit_serial_cycles(configuration: Any) -> int:
    """Cycles in proportion to the number of digits; twice as many on one lane."""
    return 3200 // configuration.params["digit_nbits"] * (3 - configuration.choices.lanes)
