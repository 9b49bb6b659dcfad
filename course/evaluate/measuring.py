"""Takes the designs of an evaluation through the flow, and keeps what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rsaxcel.circuit import is_circuit
from rsaxcel.course.evaluate.designs import Design
from rsaxcel.course.programs import measure
from rsaxcel.flow.earlier import record_files
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import Layout
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.subjects.system import most_cycles
from rsaxcel.proc.systems import OVERHEAD, System
from rsaxcel.store.errors import RsaxcelError, RunError, UserError

EVALUATION = "evaluation"  #: type of the operations


@dataclass(frozen=True)
class Conditions:
    """How the designs of an evaluation are measured."""

    library: str
    clock_ns: float
    activity: str
    timed_cycles: int
    layout: Layout
    exponent: int  #: of the power that all compute
    flows: Path  #: folder of the flow's runs


@dataclass(frozen=True)
class Measured:
    """A design with its record; None if it could not be measured."""

    design: Design
    record: Record | None
    wrong: tuple[str, ...] = ()  #: wrong results, and why the record is missing
    files: Mapping[str, Path] = field(default_factory=dict)  #: of a record, by name


def exponent_of(asked: int | None, nbits: int) -> int:
    """Return the exponent of an evaluation: that of a decryption unless one is asked for."""
    if asked is None:
        return default_exponents(nbits)["decrypt"]
    if (own := asked.bit_length()) > nbits:
        told = f"of {own} bits: up to {nbits} are allowed at this width"
        raise UserError(f"evaluation.exponent={asked} {told}; --nbits {own} takes it")
    return asked


def measure_design(
    design: Design, conditions: Conditions, progress: Callable[[str], None]
) -> Measured:
    """Take a design through the flow; wrong programs are left out, and told."""
    wrong: list[str] = []
    while True:
        try:
            record = _record(design, conditions, progress)
            break
        except RsaxcelError as error:
            if error.exit_status != RunError.exit_status:
                raise
            found = dict(_wrong_programs(design, conditions, progress))
            if not found:
                return Measured(design, None, (*wrong, str(error)))
            wrong += found.values()
            design = design.without([*found])
    if record.fault:
        wrong.append(f"wrong results: {record.fault}")
    found_files = record_files(conditions.flows)(record.hash)
    if found_files is None:
        raise FlowError(f"{record.design}: the files of its record are gone")
    return Measured(design, record, tuple(wrong), found_files[1])


def _record(design: Design, conditions: Conditions, progress: Callable[[str], None]) -> Record:
    target = design.target
    return run_flow(
        target,
        conditions.library,
        conditions.clock_ns,
        {EVALUATION: conditions.exponent} if target.exponent_nbits else None,
        activity=conditions.activity,
        timed_cycles=conditions.timed_cycles,
        layout=conditions.layout,
        progress=lambda line: progress(f"{design.title}: {line}"),
        directory=conditions.flows,
    )


def _wrong_programs(
    design: Design, conditions: Conditions, progress: Callable[[str], None]
) -> Iterator[tuple[str, str]]:
    """Yield each program that is wrong at RTL, too, with a line on its first wrong result."""
    system = design.target
    if not isinstance(system, System) or system.halves:
        return
    most = most_cycles(system)
    for name, shown in design.programs.items():
        if name == OVERHEAD:
            continue
        progress(f"{design.title}: {shown} at RTL")
        for row in workload_operands(system, conditions.exponent, OPERATION_COUNT):
            told, expected = "", pow(*row)
            try:
                got = measure(system, "rtl", system.build(name), row, most).result
                told = f"result {got:#x} instead of {expected:#x}" if got != expected else ""
            except RunError as error:
                told = str(error).removeprefix(f"{shown}: ")
            if told:
                base, exponent, modulus = row
                yield name, f"{shown}: {base:#x}**{exponent:#x} mod {modulus:#x}: {told}"
                break


def compared(design: Design) -> list[str]:
    """Texts on what was compared for each operation on the netlist."""
    target, found = design.target, ["results with Python's integers"]
    if isinstance(target, System):
        return [*found, "messages, cycles and instructions with the circuit at RTL"]
    if is_circuit(target) and "cl" in target.levels and target.shelled is None:
        return [*found, "cycles with the cycle model"]
    return [*found, "cycles with the circuit at RTL"]
