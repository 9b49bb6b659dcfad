"""Made-up records of the flow, with figures that are easy to check by hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rsaxcel.eval.studies import mcnay
from rsaxcel.flow.layout import NOT_PLACED, TIMED, TIMED_CYCLES, Layout
from rsaxcel.flow.power.figures import PARTS
from rsaxcel.flow.record import CriticalPath, OperationRecord, Record
from rsaxcel.proc.systems import System
from tests.shared.tables import tables

EXPONENTS = {"encrypt": 65537, "decrypt": 977851481}
DUMMY = {"encrypt": (80, 11), "decrypt": (80, 11)}
"""Cycles of the whole dummy program and of its call, by operation."""

REST_MW = (1.0, 0.5, 0.25)
"""Power in mW of nets, inside of cells, and by leakage, of every circuit."""

GLITCH_FACTOR = 1.25
"""Glitch factor of every energy."""

MADE_UP = tables(__file__)
"""Figures of circuits of 32 bits."""


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
        **MADE_UP["glitches"],
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
    known = MADE_UP["systems"]
    figures = known.get(target.design_name, known["any other"])
    period_ns, parts, programs = (figures[x] for x in ("period_ns", "areas_um2", "programs"))
    if target.design_name not in known:
        programs = {x: programs["xcel"] for x in target.kind.programs}
    used_ns, clock_mw = max(period_ns, clock_ns), figures["clock_mw"]
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
        figures = MADE_UP["designs"].get(name, MADE_UP["designs"]["any other"])
        period_ns, clock_mw = figures["period_ns"], figures["clock_mw"]
        used_ns = max(period_ns, clock_ns)
        operations = {
            x: operation(EXPONENTS[x], n, used_ns, clock_mw) for x, n in figures["cycles"].items()
        }
        return record(name, nbits, clock_ns, period_ns, figures["areas_um2"], operations)
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
