"""Subject for a processor system: its circuit, and programs in its memory as its workload."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property, partial
from statistics import fmean
from typing import Any

import numpy as np

from rsaxcel.circuit import expected_power
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.engine import LANES, WHOLE, GateEngine, refuse_seed
from rsaxcel.flow.gates.level import GateLevel
from rsaxcel.flow.gates.timed import Sample
from rsaxcel.flow.power.activity import Activity, Simulated
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.requests import OPERATION_COUNT, workload_operands
from rsaxcel.flow.subjects.subject import Subject
from rsaxcel.proc.instruction_sets import PARAMETER
from rsaxcel.proc.systems import System
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.native.ports import SYSTEM_PORTS, check_memory_messages
from rsaxcel.sim.native.protocol import SystemBatch
from rsaxcel.sim.runners import hang_cycles
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemRequest, SystemRun, check_system
from rsaxcel.sim.translate import Message, VerilogModule


class GateSystem(GateEngine):
    """A netlist with the ports of a processor system, ready to run; memories are not part of it.

    A message port that is not valid keeps its last value, so that an idle bus costs no energy.
    """

    def __init__(self, netlist: Netlist, slews: Slews | None = None) -> None:
        super().__init__(netlist, SYSTEM_PORTS, slews=slews)

    def run(
        self,
        requests: Sequence[SystemRequest],
        messages: dict[str, Message],
        *,
        registers: np.random.Generator | None = None,
        sample: Sample = WHOLE,
    ) -> tuple[list[SystemRun], Activity]:
        """Run up to 64 programs side by side, which differ only in images and inputs.

        Return their results, and the activity from the reset to the cycle that signals the end.

        Toggles during reset do not count. Without ``registers``, all are 0 before reset.
        ``ValueError`` for other programs, or messages that differ from ``proc.ports``.
        """
        if not 0 < len(requests) <= LANES:
            raise ValueError(f"{len(requests)} programs: 1 to {LANES} are allowed")
        for request in requests:
            refuse_seed(request.power_up_seed)
        check_memory_messages(messages)
        batch = SystemBatch.of(requests)
        prepared = self.prepare(registers)
        _, timed = self.call("run_systems", prepared, batch, sample)
        runs = batch.runs()
        if any(run.end is None for run in runs):
            raise FlowError(
                f"gate-level simulation of {self.netlist.top}: no end within {batch.max_cycles} "
                "cycles"
            )
        return runs, self.activity(prepared, timed)


_CYCLES_PER_WORD_AND_BIT = 1000
# Results of a program that must equal the results at RTL. The memory is not compared: at a call,
# programs save registers in it, also registers that have a random value because they have not been
# written yet.
_COMPARED = tuple(field.name for field in fields(SystemRun) if field.name != "memory")


def most_cycles(system: System) -> int:
    """Cycles within which each program of a system ends: far more than it needs."""
    # Software forms a few products of two numbers of `words` words for each bit of the exponent; an
    # accelerator can need more. With few bits, constants of the modulus dominate.
    words = -(-system.nbits // 32)
    found = _CYCLES_PER_WORD_AND_BIT * system.nbits * words**2 + 50_000
    return found + (hang_cycles(system.configuration) if system.configuration else 0)


class SystemSubject(Subject):
    """A processor with or without an accelerator, and the programs that exponentiate on it.

    Expected cycles of a program come from the RTL of the system, results from Python's ``pow``.
    """

    check: Callable[[Any], object] = staticmethod(check_system)

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self.system = system

    def work(self, exponents: Mapping[str, int]) -> Any:
        """Return a digest of each program's image, with its first operands, exponents, bases."""
        rows = {
            name: workload_operands(self.system, x, OPERATION_COUNT)
            for name, x in exponents.items()
        }
        return {
            "programs": {
                f"{program}_{name}": hashlib.sha256(
                    self.system.image(program, *drawn[0]).memory
                ).hexdigest()
                for program in self._programs
                for name, drawn in rows.items()
            },
            "operations": {
                name: [exponents[name], *(base for base, _, _ in drawn)]
                for name, drawn in rows.items()
            },
        }

    def operations(self, exponents: Mapping[str, int]) -> list[str]:
        """Names of all pairs of a program and a type of operation."""
        return [_operation(program, x) for program in self._programs for x in exponents]

    def simulate(
        self, level: GateLevel, interface: VerilogModule, exponents: Mapping[str, int]
    ) -> Iterator[Simulated]:
        """Run each program for each type of operation; compare its results with those at RTL."""
        gates = GateSystem(level.netlist, level.slews)
        circuit = open_circuit(self.system)
        for program in self._programs:
            for operation, exponent in exponents.items():
                rows = workload_operands(self.system, exponent, OPERATION_COUNT)
                requests = [self._request(program, row) for row in rows]
                expected = [circuit.run(request) for request in requests]
                name = _operation(program, operation)
                run = partial(gates.run, requests, interface.messages)
                work = partial(self._simulated, name, program, exponent, rows, expected, run)
                yield level.measured(name, fmean(x.cycles for x in expected), work)

    def _simulated(
        self,
        name: str,
        program: str,
        exponent: int,
        rows: Sequence[Operands],
        expected: Sequence[SystemRun],
        run: Callable[..., tuple[list[SystemRun], Activity]],
        sample: Sample,
    ) -> Simulated:
        runs, activity = run(registers=np.random.default_rng(0), sample=sample)
        for row, rtl, gate in zip(rows, expected, runs, strict=True):
            self._check(program, row, rtl, gate)
        means = {
            key: fmean(getattr(run, key) for run in runs)
            for key in ("cycles", "measured_cycles", "instructions")
        }
        figures = {"program": program, "exponent": exponent, **means}
        return Simulated(name, activity, len(runs), figures)

    @property
    def remarks(self) -> Sequence[str]:
        """A line for each program that needs instructions which the processor lacks."""
        left_out = self.system.left_out
        lacks = f"which {PARAMETER}={self.system.instruction_set.name} lacks"
        return [
            f"{program} is not measured: it needs {', '.join(needs)}, {lacks}"
            for program, needs in left_out.items()
        ]

    @cached_property
    def _programs(self) -> tuple[str, ...]:
        return self.system.programs

    def _request(self, program: str, operands: Operands) -> SystemRequest:
        return SystemRequest(self.system.image(program, *operands), most_cycles(self.system))

    def _check(self, program: str, operands: Operands, rtl: SystemRun, gate: SystemRun) -> None:
        base, exponent, modulus = operands
        what = f"{program} on the netlist of {self.design}, {base}**{exponent} mod {modulus}"
        if gate.end is None or gate.end.exit_status != 0:
            raise FlowError(f"{what}: the program ends with {gate.end}")
        result = self.system.result(gate.messages)
        expected = expected_power(*operands, self.system.halves)
        if result != expected:
            raise FlowError(f"{what}: result {result} instead of {expected}")
        for name in _COMPARED:
            got, wanted = getattr(gate, name), getattr(rtl, name)
            if got != wanted:
                raise FlowError(f"{what}: {name} {got} instead of the RTL's {wanted}")


def _operation(program: str, kind: str) -> str:
    return f"{program}_{kind}"
