"""The flow's records, as facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from eval.facts.areas import multipliers
from eval.facts.fact import Fact, Kind
from flow.fpga import FpgaRecord
from flow.record import OperationRecord, Record
from proc.systems import OVERHEAD

_PARTS = ("clock", "switching", "internal", "leakage")
_HARDWARE = {
    "min_period_ns": "min_period_ns",
    "clock_ns": "clock_ns",
    "area_um2": "area_um2",
    "cell_count": "cell_count",
    "flip_flop_count": "flip_flops",
    "clock_gate_count": "clock_gates",
}
_RESOURCES = {"flip_flops": "registers", "dsp": "dsps"}
_COUNTED = ("alms", "luts", "memory_luts", "memory_blocks", "carry_bits", *_RESOURCES)


def record_facts(
    record: Record, subject: str, choices: str = "", *, program: str = "", hardware: bool = True
) -> Iterator[Fact]:
    """Give what a record says of an accelerator, or of a program on a system.

    Parameters
    ----------
    record : Record
        The flow's.
    subject : str
        Name of the accelerator or program in facts.
    choices : str
        Its parameters.
    program : str
        The program on a system; empty for an accelerator, and for a system alone.
    hardware : bool
        Whether to say what holds for every program.
    """
    common: dict[str, Any] = {
        "nbits": record.nbits,
        "choices": choices,
        "library": record.library,
        "clock_ns": record.clock_ns,
        "stage": record.stage,
        "provenance": record.hash,
    }

    def facts(
        values: Iterable[tuple[str, Any]],
        operation: str = "",
        kind: Kind = "measured",
        part: str = "",
    ) -> Iterator[Fact]:
        for quantity, value in values:
            if value is not None:
                yield Fact(subject, quantity, value, kind, operation=operation, part=part, **common)

    if hardware:
        yield from _hardware(record, facts)
    for name, operation in record.operations.items():
        if operation.program is None:
            yield from facts(_accelerator(operation), name, _kind(operation))
        elif program and operation.program in (program, OVERHEAD):
            prefix = "program" if operation.program == program else "dummy"
            kept = name.removeprefix(f"{operation.program}_")
            yield from facts(_program(operation, prefix), kept)


def _hardware(record: Record, facts: Callable[..., Iterator[Fact]]) -> Iterator[Fact]:
    yield from facts((ours, getattr(record, theirs)) for theirs, ours in _HARDWARE.items())
    path = record.critical_path
    yield from facts(
        [("critical_path_ns", path.delay_ns), ("critical_path", f"{path.start} to {path.end}")]
    )
    for part, area_um2 in record.area_by_module.items():
        yield from facts([("area_um2", area_um2)], part=part)
    areas = record.area_by_module
    yield from facts(
        [("processor_area_um2", areas.get("proc")), ("accelerator_area_um2", areas.get("xcel"))]
    )
    if found := multipliers(areas):
        yield from facts(
            [
                ("multipliers", found.count),
                ("multiplier_area_um2", found.each_um2),
                ("dividers_area_um2", found.divider_um2),
            ]
        )


def _kind(operation: OperationRecord) -> Kind:
    simulated = operation.simulated_cycles
    return "measured" if simulated in (None, operation.cycles) else "simulated in part"


def _accelerator(operation: OperationRecord) -> Iterator[tuple[str, Any]]:
    yield "cycles", operation.cycles
    yield "exponent", str(operation.exponent)
    yield "power_mw", operation.power_mw
    yield "energy_nj", operation.energy_nj
    yield "energy_time_ns", 1e3 * operation.energy_nj / operation.power_mw
    for part in _PARTS:
        yield f"{part}_mw", getattr(operation, f"{part}_mw")
    if operation.simulated_cycles is not None:
        yield "simulated_percent", 100 * operation.simulated_cycles / operation.cycles


def _program(operation: OperationRecord, prefix: str) -> Iterator[tuple[str, Any]]:
    if prefix == "program":
        yield "program_cycles", operation.cycles
        yield "exponent", str(operation.exponent)
    yield "call_cycles" if prefix == "program" else "dummy_cycles", operation.measured_cycles
    yield f"{prefix}_power_mw", operation.power_mw
    yield f"{prefix}_energy_nj", operation.energy_nj
    for part in _PARTS:
        yield f"{prefix}_{part}_mw", getattr(operation, f"{part}_mw")


def fpga_facts(record: FpgaRecord, subject: str, choices: str = "") -> Iterator[Fact]:
    """Give what a mapping for an FPGA says: estimates."""
    common: Mapping[str, Any] = {
        "nbits": record.nbits,
        "choices": choices,
        "library": record.family,
        "stage": record.stage,
        "provenance": record.hash,
    }
    yield Fact(subject, "device", record.device, "estimated", **common)
    for name in _COUNTED:
        if name in record.resources:
            quantity = _RESOURCES.get(name, name)
            yield Fact(subject, quantity, record.resources[name], "estimated", **common)
