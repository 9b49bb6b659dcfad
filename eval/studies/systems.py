"""Accelerators to measure alone and on the processor, and groups of systems for tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rsaxcel.eval.measure.calls import loaded_energy
from rsaxcel.eval.measure.cycles import calls, workload
from rsaxcel.eval.measure.flows import flow, system
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.spec import Column
from rsaxcel.flow.kit import CLOCK_NS
from rsaxcel.proc.kinds import ATTACHED
from rsaxcel.proc.systems import NULL_SYSTEM

NBITS = 32  #: width of the measurements in bits

#: Programs that exponentiate without an accelerator, by subject.
SOFTWARE = {"software_naive": "naive", "software_montgomery": "montgomery"}

# Printed facts have no choices, so a column with choices has to drop them to find printed figures.
_PRINTED: Mapping[str, Any] = {"choices": {}}


@dataclass(frozen=True)
class Accelerator:
    """A design to measure alone and on the processor."""

    design: str
    #: parameters with other values than the default
    choices: Mapping[str, Any] = field(default_factory=dict)
    on_system: Mapping[str, Any] = field(default_factory=dict)  #: parameters of the processor
    label: str = ""  #: key of the column; by default design and parameters
    as_printed: bool = False  #: design and processor built as the document describes them

    @property
    def name(self) -> str:
        """Key of the column of the accelerator alone."""
        return self.label or "_".join([self.design, *(f"{k}_{v}" for k, v in self.choices.items())])

    @property
    def alone(self) -> Column:
        where = {"subject": self.design, "choices": self.choices}
        return Column(self.name, where, _PRINTED, as_printed=self.as_printed)

    @property
    def driven(self) -> Column:
        name, choices = self._system
        where = {"subject": name, "choices": choices}
        return Column(f"proc_{self.name}", where, _PRINTED, as_printed=self.as_printed)

    @property
    def _system(self) -> tuple[str, Mapping[str, Any]]:
        return f"proc_{self.design}", {**self.choices, **self.on_system}

    def flow_alone(self, library: str) -> Measurement:
        return flow(self.design, NBITS, CLOCK_NS, library, **self.choices)

    def flow_driven(self, library: str) -> Measurement:
        name, choices = self._system
        return system(name, NBITS, CLOCK_NS, {name: "xcel"}, library, **choices)

    def measurements(self, library: str) -> list[Measurement]:
        """Measurements of the accelerator's cycles and flow, alone and on the processor."""
        flows = self.flow_driven(library), self.flow_alone(library)
        return [*flows, workload(self.design, NBITS, **self.choices)]


@dataclass(frozen=True)
class SystemGroup:
    """Systems in the same tables."""

    key: str  #: prefix of the tables' keys
    accelerators: Sequence[Accelerator]
    #: parameters of the system without accelerator, and of its software
    on_null: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""  #: suffix of the keys of the columns
    as_printed: bool = False  #: processor and software built as the document describes them

    def _column(self, name: str) -> Column:
        where = {"subject": name, "choices": self.on_null}
        return Column(name + self.label, where, _PRINTED, as_printed=self.as_printed)

    @property
    def hardware(self) -> list[Column]:
        """Columns of all systems; the system without an accelerator is the first."""
        return [self._column(NULL_SYSTEM), *(x.driven for x in self.accelerators)]

    @property
    def columns(self) -> list[Column]:
        """Columns of software, and of systems with accelerators."""
        return [*map(self._column, SOFTWARE), *(x.driven for x in self.accelerators)]

    def flow_null(self, library: str) -> Measurement:
        return system(NULL_SYSTEM, NBITS, CLOCK_NS, SOFTWARE, library, **self.on_null)

    def measurements(self, library: str) -> list[Measurement]:
        """Return the measurements of the systems and the accelerators."""
        own = (y for x in self.accelerators for y in x.measurements(library))
        return [self.flow_null(library), *own]


#: Labels of programs that drive an accelerator, by program.
_LABELS = {"xcel": "xcel", "axi": "bus, polling", "axi_interrupt": "bus, interrupt"}


@dataclass(frozen=True)
class Driver:
    """A program that exponentiates with the accelerator of a system."""

    system: str
    program: str  #: ending in _loaded: it loads the key before the call

    @property
    def name(self) -> str:
        """Subject of the facts on the program; ``Study.runs_on`` maps it to the system."""
        return f"{self.program}_on_{self.system}"

    @property
    def label(self) -> str:
        return _LABELS[self.program]

    @property
    def loaded_program(self) -> str:
        """Name of the variant of the program that loads the key before the call."""
        return f"{self.program}_loaded"

    def loaded_calls(self, nbits: int, *operations: str) -> list[Measurement]:
        """Measurements of the cycles of a call for each operation, with the key already loaded."""
        program, quantities = self.loaded_program, {"call_cycles": "loaded_call_cycles"}
        return list(calls(self.name, self.system, program, nbits, operations, quantities))


def drivers(design: str) -> list[Driver]:
    """List the drivers of a design: each program on each kind of system with an accelerator."""
    return [Driver(x.prefix + design, y) for x in ATTACHED.values() for y in x.programs]


def driven_systems(
    driving: Sequence[Driver], library: str, nbits: int = NBITS, clock_ns: float = CLOCK_NS
) -> list[Measurement]:
    """Measurements of area, clock and cycles of systems, and of the energy of their programs."""
    return [
        system(name, nbits, clock_ns, {x.name: x.program for x in its}, library)
        for name, its in _by_system(driving).items()
    ]


def loaded_systems(driving: Sequence[Driver], library: str) -> list[Measurement]:
    """Measurements of the energy of a call in programs that load the key before the call."""
    return [
        loaded_energy(name, NBITS, CLOCK_NS, {x.name: x.loaded_program for x in its}, library)
        for name, its in _by_system(driving).items()
    ]


def _by_system(driving: Sequence[Driver]) -> dict[str, list[Driver]]:
    found: dict[str, list[Driver]] = {}
    for driver in driving:
        found.setdefault(driver.system, []).append(driver)
    return found
