"""The record: the results of the nodes as one object, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any, TypeVar

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import stage_of
from rsaxcel.store.errors import UserError

VERSION = 3  #: version of the record's attributes and their meaning

_READABLE = (2, VERSION)  #: readable versions; version 2 has no placed circuits

#: Type of operation whose figures stand for a design; if not measured, the first type.
STANDARD_OPERATION = "encrypt"

_PART = TypeVar("_PART")


class RecordError(FlowError, ValueError):
    """A file is no record; the message is one line."""

    exit_status = UserError.exit_status


@dataclass(frozen=True)
class CriticalPath:
    """The critical path: its start and end (names of registers or ports), and its delay in ns."""

    start: str
    end: str
    delay_ns: float


@dataclass(frozen=True)
class OperationRecord:
    """One type of operation on the netlist; cycles, power and energy are means.

    Parameters
    ----------
    operations
        Number of operations that were averaged.
    exponent
        Of all operations; None for products of a multiplier.
    cycles
        From request accepted to response valid; 1 for a combinational circuit. For a program on a
        system, from reset to its end.
    cycles_counted
        Cycles of all simulated operations together.
    toggles_per_net_and_cycle, glitches_per_net_and_cycle
        Mean toggles; if counted, mean glitches among them.
    power_mw, energy_nj
        Mean power, and energy of an operation, under the record's ``activity``.
    energy_lower_nj
        Energy without glitches: a lower bound.
    energy_upper_nj, glitch_factor
        With glitches only: energy as if each pulse shorter than its gate's delay had appeared; and
        ``energy_nj / energy_lower_nj``.
    switching_mw, internal_mw, clock_mw, leakage_mw
        Parts of the power: nets, inside of cells, clock, leakage.
    energy_parts_nj
        Energy of each of ``flow.power.figures.PARTS``.
    by_module
        By path, with all modules inside: ``energy_nj`` and ``toggles`` of an operation; with
        glitches, also ``glitch_nj`` and ``glitches``.
    glitch_modules
        Worst modules first: ``module`` (path), ``energy_nj`` of glitches in an operation, without
        modules inside, and ``share`` of all glitch energy.
    glitch_chains, glitch_depth
        Where glitches begin and how far they propagate; see ``flow.power.figures.glitch_chains``.
    timed_share, glitch_error
        With delays only: share of the cycles that have them; relative standard error of the glitch
        energy, estimated from these cycles (None: unknown).
    simulated_exponent, simulated_cycles
        Without a processor only: the simulated exponent, which may be the leading bits of
        ``exponent``, and the cycles with it.
    program, measured_cycles, instructions
        Of a system only: program, cycles of its exponentiation alone, executed instructions.
    """

    operations: int
    exponent: int | None = field(default=None, kw_only=True)
    cycles: float
    cycles_counted: int
    toggles_per_net_and_cycle: float
    power_mw: float
    energy_nj: float
    energy_lower_nj: float
    switching_mw: float
    internal_mw: float
    clock_mw: float
    leakage_mw: float
    energy_parts_nj: Mapping[str, float]
    by_module: Mapping[str, Mapping[str, float]]
    energy_upper_nj: float | None = None
    glitch_factor: float | None = None
    glitch_modules: Sequence[Mapping[str, Any]] = ()
    glitch_chains: Sequence[Mapping[str, Any]] = ()
    glitch_depth: float | None = None
    glitches_per_net_and_cycle: float | None = None
    timed_share: float | None = None
    glitch_error: float | None = None
    simulated_exponent: int | None = None
    simulated_cycles: float | None = None
    program: str | None = None
    measured_cycles: float | None = None
    instructions: float | None = None


@dataclass(frozen=True)
class Record:
    """Result of the flow for a design, a multiplier or a system.

    Parameters
    ----------
    design, nbits, params
        Design, multiplier or system, its width in bits, its parameters by name.
    library, corner
        Cell library and its operating conditions.
    stage
        How far the circuit was taken towards a chip; see ``flow.layout``.
    clock_ns, min_period_ns, slack_ns
        Clock constraint, smallest clock period, slack at the constraint.
    critical_path
        Its ends and delay.
    area_um2, area_by_module
        Area of all cells; and of each unit by path, with all units inside it.
    cell_count, flip_flop_count, clock_gate_count
        Number of cells, and of flip-flops and clock gates among them.
    adders
        Carries that synthesis chose: ``ripple`` or ``prefix``.
    power_period_ns
        Clock period at which power is given.
    activity
        ``timed``: gates have delays; ``zero``: gates have none.
    operations
        Operations by type.
    glitches, notes
        What the energies leave out, and remarks on the library and on what is unusual in a core in
        Verilog, such as its memories, to show beside the figures.
    tools
        Versions of tools by name.
    hash
        Digest of everything that the record depends on.
    core_area_um2, utilisation
        Placed only: area of the core, and the area of the cells over it.
    physical
        Placed only: ``tool``, ``seed``, ``asked_utilisation`` (repairs raise it to
        ``utilisation``), ``wire_length_mm``, ``overflow``; ``skew_ns``, ``insertion_delay_ns``,
        ``clock_area_um2`` of the clock tree; ``hold_slack_ns``, ``clock_buffers``,
        ``hold_buffers``, other figures of the tool; ``uncertainty_ns``, ``derate``.
    checked
        Foreign circuits only: number of ``operations`` drawn after synthesis that the netlist
        computed as Python does, or as its RTL where that is wrong, and their ``seed``.
    faults
        Cores in a shell only: ``count`` of operations, of the workload and of those ``checked``,
        whose results are wrong in Verilog and netlist alike, and the ``first`` of them.
    shell, shell_area_um2
        Cores in a shell only: whether figures count it, ``left out`` or ``counted``, and its area.
    macros
        Cores in a shell only: area in um2 of the macro that would stand for a memory, by its name,
        as the core's description says; ``area_um2`` has flip-flops in its place.
    area_with_macros_um2
        Cores with ``macros`` only: ``area_um2`` with these in place of the flip-flops of each
        memory; the logic that writes and reads its words stays, as no cell of it is known.
    corners
        Libraries of several corners only: ``conditions`` and ``min_period_ns`` at each; placed,
        ``hold_slack_ns`` and ``skew_ns``, too. ``min_period_ns`` of the record is that of the
        corner for setup, ``corner`` and power those of the corner for power.
    version
        ``VERSION`` at the time of writing.
    """

    design: str
    nbits: int
    params: Mapping[str, Any]
    library: str
    corner: str
    stage: str
    clock_ns: float
    min_period_ns: float
    slack_ns: float
    critical_path: CriticalPath
    area_um2: float
    area_by_module: Mapping[str, float]
    cell_count: int
    flip_flop_count: int
    clock_gate_count: int
    adders: str
    power_period_ns: float
    activity: str
    operations: Mapping[str, OperationRecord]
    glitches: str
    tools: Mapping[str, str]
    hash: str
    notes: Sequence[str] = ()
    core_area_um2: float | None = None
    utilisation: float | None = None
    physical: Mapping[str, Any] | None = None
    checked: Mapping[str, int] | None = None
    faults: Mapping[str, Any] | None = None
    shell: str | None = None
    shell_area_um2: float | None = None
    macros: Mapping[str, float] | None = None
    area_with_macros_um2: float | None = None
    corners: Mapping[str, Mapping[str, Any]] | None = None
    version: int = field(default=VERSION)

    @property
    def operation(self) -> str:
        """Type of operation that stands for the design: ``encrypt``, or else the first type."""
        known = self.operations
        return STANDARD_OPERATION if STANDARD_OPERATION in known else next(iter(known))

    @property
    def standard(self) -> OperationRecord:
        """Figures of the standard operation (``operation``)."""
        return self.operations[self.operation]

    @property
    def cycles(self) -> float:
        """Cycles of the standard operation (``operation``)."""
        return self.standard.cycles

    @property
    def power_mw(self) -> float:
        """Mean power during the standard operation (``operation``), in mW."""
        return self.standard.power_mw

    @property
    def energy_nj(self) -> float:
        """Energy of the standard operation (``operation``), in nJ."""
        return self.standard.energy_nj

    @property
    def fault(self) -> str:
        """Text on wrong results, which the netlist has as the core's Verilog has; empty: none."""
        if not self.faults:
            return ""
        told = f"{self.faults['count']:,}, in Verilog and netlist alike"
        return f"{told}; the first for {self.faults['first']}"

    def as_json(self) -> dict[str, Any]:
        """Return the record for JSON; the standard operation's figures are at the top level."""
        content = {name: x for name, x in asdict(self).items() if x is not None}
        content["operations"] = {
            name: {key: value for key, value in operation.items() if value not in (None, ())}
            for name, operation in content["operations"].items()
        }
        standard = {name: getattr(self, name) for name in _STANDARD_FIGURES}
        return {"version": content.pop("version"), **content, **standard}

    @classmethod
    def from_json(cls, content: Any) -> Record:
        """Make a record from the content of a JSON file.

        ``RecordError`` for other content or version.
        """
        if isinstance(content, dict) and content.get("version") not in _READABLE:
            raise RecordError(f"record: version {content.get('version')} instead of {VERSION}")
        if isinstance(content, dict):
            content = {k: v for k, v in content.items() if k not in _STANDARD_FIGURES}
            content["version"] = VERSION
            if isinstance(content.get("stage"), str):
                content["stage"] = stage_of(content["stage"])
        record = _part(cls, content, "record")
        if not isinstance(record.operations, dict) or not record.operations:
            raise RecordError("record: operations is no object with operations")
        operations = {
            name: _part(OperationRecord, operation, f"record: operations.{name}")
            for name, operation in record.operations.items()
        }
        path = _part(CriticalPath, record.critical_path, "record: critical_path")
        own = {x.name: getattr(record, x.name) for x in fields(cls)}
        return cls(**(own | {"operations": operations, "critical_path": path}))


_STANDARD_FIGURES = ("operation", "cycles", "power_mw", "energy_nj")


def _part(cls: type[_PART], content: Any, what: str) -> _PART:
    """Make a dataclass object from a JSON object with its fields; messages begin with ``what``."""
    if not isinstance(content, dict):
        raise RecordError(f"{what}: a {type(content).__name__} instead of an object")
    known = {x.name: x for x in fields(cls)}  # type: ignore[arg-type]
    needed = {name for name, x in known.items() if x.default is MISSING}
    for problem, names in (("lacks", needed - set(content)), ("has", set(content) - set(known))):
        if names:
            raise RecordError(f"{what} {problem} {', '.join(sorted(names))}")
    return cls(**content)
