"""Finds the designs of an evaluation, takes them through the flow, keeps what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rsaxcel import catalog
from rsaxcel.circuit import Target, is_circuit, is_product
from rsaxcel.course.programs import compile_program, measure, with_programs
from rsaxcel.course.project import Project
from rsaxcel.flow.earlier import record_files
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import Layout
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.subjects.system import most_cycles
from rsaxcel.proc.elf import Image
from rsaxcel.proc.systems import NULL_SYSTEM, OVERHEAD, System, find_system
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


#: A circuit alone; the processor alone, with software; the processor with the accelerator.
CIRCUIT, SOFTWARE, SYSTEM = ("circuit", "software", "system")


@dataclass(frozen=True)
class Design:
    """A design of the evaluation."""

    role: str  #: ``CIRCUIT``, ``SOFTWARE`` or ``SYSTEM``
    title: str
    target: Target
    #: Programs by their names, with what is shown of them; empty: the target is a circuit.
    programs: Mapping[str, str] = field(default_factory=dict)

    def without(self, programs: Sequence[str]) -> Design:
        """Return the design without some programs of the project."""
        system = self.target
        assert isinstance(system, System)
        kept = [x for x in system.programs if x not in programs]
        other = with_programs(system, {x: system.build(x) for x in kept})
        return Design(self.role, self.title, other, {x: self.programs[x] for x in kept})


def compiled(project: Project) -> dict[str, tuple[str, Image]]:
    """Compile the project's programs; file and image of each by its name, the baseline first."""
    found: dict[str, tuple[str, Image]] = {}
    for file in project.programs:
        name = Path(file).stem
        if not (name.isascii() and name.isidentifier()) or name in (*found, OVERHEAD):
            others = ", ".join((*found, OVERHEAD))
            raise UserError(
                f"evaluation.programs: {file}: a name of letters, digits and underscores is "
                f"allowed, other than {others}"
            )
        # messages name the file in the project, wherever that is
        found[name] = file, replace(compile_program(project.folder / file), name=file)
    return found


def designs_of(
    project: Project,
    nbits: int,
    programs: Mapping[str, tuple[str, Image]],
    around: str,
    remark: Callable[[str], object],
) -> Iterator[Design]:
    """Yield the designs of a project at a width, in the order of the report.

    A processor runs the project's programs, or those of rsaxcel if the project has none. A
    multiplier that comes without a design is in the design ``around``. ``remark`` gets a line on
    what is left out.
    """
    circuits = [catalog.find(x).configure(nbits) for x in project.circuits]
    for circuit in sorted(circuits, key=lambda x: not is_product(x)):
        kind = "multiplier" if is_product(circuit) else "accelerator"
        yield Design(CIRCUIT, f"{kind} {circuit.design_name} alone", circuit)
    power = next((x for x in circuits if not is_product(x)), None)
    params, of = {}, ""
    if power is None:
        params, of = {"multiplier": circuits[0].design_name}, f" of {circuits[0].design_name}"
        power = catalog.find(around).configure(nbits, **params)
        yield Design(CIRCUIT, f"{around}{of} alone", power)
    baseline = dict([*programs.items()][:1])
    yield _running(SOFTWARE, "processor with software", find_system(NULL_SYSTEM, nbits), baseline)
    is_own = project.settings.kind == "xcel"  # with registers of its own
    name = project.system if is_own else f"proc_{power.design_name}"
    try:
        system = find_system(name, nbits, **params)
    except ValueError as error:
        remark(f"the processor with {power.design_name} is left out: {error}")
        return
    yield _running(SYSTEM, f"processor with {power.design_name}{of}", system, programs)


def _running(
    role: str, title: str, system: System, programs: Mapping[str, tuple[str, Image]]
) -> Design:
    if programs:
        system = with_programs(system, {name: image for name, (_, image) in programs.items()})
    files = {name: file for name, (file, _) in programs.items()}
    return Design(role, title, system, {x: files.get(x, x) for x in system.programs})
