"""Turns records of the flow into facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rsaxcel.eval.facts.areas import TOP_LEVEL, labels_of, multipliers, system
from rsaxcel.eval.facts.fact import WRONG, Fact, Kind
from rsaxcel.eval.facts.quantities import ENERGY_PARTS, LAYOUT_FIGURES, POWERS
from rsaxcel.flow.fpga import FpgaRecord
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.flow.outline import Outline
from rsaxcel.flow.record import OperationRecord, Record
from rsaxcel.proc.systems import OVERHEAD

_HARDWARE = {
    **{x: x for x in ("min_period_ns", "clock_ns", "area_um2", "cell_count")},
    **{"flip_flop_count": "flip_flops", "clock_gate_count": "clock_gates"},
}
_RESOURCES = {"flip_flops": "registers", "dsp": "dsps"}
_COUNTED = ("alms", "luts", "memory_luts", "memory_blocks", "carry_bits", *_RESOURCES)


def record_facts(
    record: Record, subject: str, choices: str = "", *, program: str = "", hardware: bool = True
) -> Iterator[Fact]:
    """Yield the facts in a record of the flow, about an accelerator, a system or a program.

    ``program``: the program of a system whose operations become facts. ``hardware``: also yield the
    facts about the hardware, which are the same for every program.
    """
    common = _common(record, record.library, choices)
    common |= {"clock_ns": record.clock_ns}

    def facts(figures: Iterable[tuple[str, Any]], kind: Kind, **more: Any) -> Iterator[Fact]:
        for quantity, value in figures:
            if value is not None:
                yield Fact(subject, quantity, value, kind, **common, **more)

    if hardware:
        yield from facts(_hardware(record), "measured")
        for part, area_um2 in record.area_by_module.items():
            yield from facts([("area_um2", area_um2)], "measured", part=part)
    for name, operation in record.operations.items():
        energies: Any = {"activity": record.activity}
        if operation.program is None:
            about: Any = {"kind": _kind(record, operation), "operation": name}
            yield from facts(_accelerator(operation), **about)
            yield from facts(_energies(operation), **about, **energies)
            yield from facts(_parts(operation, ""), **about, **energies)
            yield from facts(_sample(operation), **about, **energies)
            yield from facts(_glitches(operation), **about, **energies)
        elif program and operation.program in (program, OVERHEAD):
            run = "program" if operation.program == program else "dummy"
            kept = name.removeprefix(f"{operation.program}_")
            about = {"kind": "measured", "operation": kept}
            yield from facts(_program(operation, run), **about)
            yield from facts(_powers(operation, f"{run}_"), **about, **energies)
            yield from facts(_parts(operation, f"{run}_"), **about, **energies)
            if run == "program":
                yield from facts(_sample(operation), **about, **energies)
                yield from facts(_glitches(operation), **about, **energies)


def _common(record: Record | FpgaRecord, library: str, choices: str) -> dict[str, Any]:
    about = {"nbits": record.nbits, "choices": choices, "library": library}
    return {**about, "stage": record.stage, "provenance": record.hash}


def _hardware(record: Record) -> Iterator[tuple[str, Any]]:
    yield from ((ours, getattr(record, theirs)) for theirs, ours in _HARDWARE.items())
    yield from _layout(record)
    path, areas = record.critical_path, record.area_by_module
    yield "critical_path_ns", path.delay_ns
    yield "critical_path", f"{path.start} to {path.end}"
    yield "corner", record.corner
    yield "tools", _versions(record.tools)
    labels = labels_of(record.design, record.nbits, record.params)
    yield from system(areas, labels).items()
    yield from multipliers(areas, labels).items()


def _layout(record: Record) -> Iterator[tuple[str, Any]]:
    """Yield the facts on core, wires and clock tree of a placed circuit."""
    yield "core_area_um2", record.core_area_um2
    if record.utilisation is not None:
        yield "utilisation_percent", 100 * record.utilisation
    for name in LAYOUT_FIGURES:
        yield name, (record.physical or {}).get(name)


def _kind(record: Record, operation: OperationRecord) -> Kind:
    if record.faults:
        return WRONG
    simulated = operation.simulated_cycles
    return "measured" if simulated in (None, operation.cycles) else "simulated in part"


def _accelerator(operation: OperationRecord) -> Iterator[tuple[str, Any]]:
    yield "cycles", operation.cycles
    if operation.exponent is not None:
        yield "exponent", str(operation.exponent)
    if operation.simulated_cycles is not None:
        yield "simulated_percent", 100 * operation.simulated_cycles / operation.cycles


def _program(operation: OperationRecord, run: str) -> Iterator[tuple[str, Any]]:
    if run == "program":
        yield "program_cycles", operation.cycles
        yield "exponent", str(operation.exponent)
    yield "call_cycles" if run == "program" else "dummy_cycles", operation.measured_cycles


def _energies(operation: OperationRecord) -> Iterator[tuple[str, Any]]:
    yield from _powers(operation, "")
    yield "energy_time_ns", 1e3 * operation.energy_nj / operation.power_mw
    yield "glitch_factor", operation.glitch_factor


def _powers(operation: OperationRecord, prefix: str) -> Iterator[tuple[str, Any]]:
    """Yield power and energy; after a simulation with gate delays, also bounds of the energy."""
    energies = ["energy_nj"]
    if operation.timed_share is not None:
        energies += ["energy_lower_nj", "energy_upper_nj"]
    for name in ("power_mw", *energies, *(f"{x}_mw" for x in POWERS)):
        yield f"{prefix}{name}", getattr(operation, name)


def _parts(operation: OperationRecord, prefix: str) -> Iterator[tuple[str, Any]]:
    for part in ENERGY_PARTS:
        yield f"{prefix}energy_{part}_nj", operation.energy_parts_nj.get(part)


def _sample(operation: OperationRecord) -> Iterator[tuple[str, Any]]:
    """Yield percentages: cycles simulated with gate delays, and standard error of glitch energy."""
    if operation.timed_share is not None:
        yield "timed_percent", 100 * operation.timed_share
    if operation.glitch_error is not None:
        yield "glitch_error_percent", 100 * operation.glitch_error


def _glitches(operation: OperationRecord) -> Iterator[tuple[str, Any]]:
    """Yield facts about glitches: the worst module and chain of gates, and the glitch depth.

    The worst module and chain have the largest share of the energy. The depth is the mean number of
    gates that a glitch has passed. The energy of a system's dummy program is not subtracted.
    """
    if operation.glitch_modules:
        worst = operation.glitch_modules[0]
        yield "glitch_module", worst["module"] or TOP_LEVEL
        yield "glitch_module_percent", 100 * worst["share"]
    yield "glitch_depth", operation.glitch_depth
    if operation.glitch_chains:
        chain = operation.glitch_chains[0]
        yield "glitch_chain", f"{chain['source']} to {chain['end']}"
        yield "glitch_chain_gates", chain["gates"]
        yield "glitch_chain_percent", 100 * chain["share"]
        yield "glitch_chain_end_glitches", chain["glitches_per_cycle"]


def outline_facts(outline: Outline, nbits: int, subject: str, choices: str = "") -> Iterator[Fact]:
    """Yield the area and the longest path of a synthesized circuit as facts."""
    about = {"nbits": nbits, "choices": choices, "library": outline.library}
    common: Any = {**about, "stage": SYNTHESIZED, "clock_ns": outline.clock_ns}
    figures: dict[str, Any] = {
        "min_period_ns": outline.min_period_ns,
        "clock_ns": outline.clock_ns,
        "critical_path_ns": outline.delay_ns,
        "area_um2": outline.area_um2,
        "cell_count": outline.cell_count,
        "corner": outline.corner,
    }
    for quantity, value in figures.items():
        if value is not None:
            yield Fact(subject, quantity, value, "measured", **common, provenance=outline.hash)


def fpga_facts(record: FpgaRecord, subject: str, choices: str = "") -> Iterator[Fact]:
    """Yield the resources of a mapping for an FPGA as facts; they are estimates."""
    found = {_RESOURCES.get(x, x): record.resources[x] for x in _COUNTED if x in record.resources}
    common = _common(record, record.family, choices)
    yield Fact(subject, "device", record.device, "estimated", **common)
    yield Fact(subject, "tools", _versions(record.tools), "estimated", **common)
    for quantity, value in found.items():
        yield Fact(subject, quantity, value, "estimated", **common)


def _versions(tools: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in tools.items())
