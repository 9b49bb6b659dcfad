"""Claim: each instruction that the processor retires does what the ISA says.

The processor with the RISC-V formal interface (``proc.rvfi``) is unrolled from a reset, with any
contents of registers, instructions and answers of memory, accelerator and manager. More general
than a run: program counter and counters begin with any value, multiplier and divider take any
number of cycles, and memories may answer unasked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rsaxcel.lab.proofs.aig import FALSE, TRUE, Aig, Machine, beginning
from rsaxcel.lab.proofs.answer import ProofVerdict
from rsaxcel.lab.proofs.claim import TOP, Claim, Counterexample, Proof, processor_seconds
from rsaxcel.lab.proofs.instructions.checker import OTHERS, checked, checks
from rsaxcel.lab.proofs.instructions.meanings import identifier
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.signals import signals_of
from rsaxcel.lab.proofs.solver import satisfied
from rsaxcel.lab.proofs.unrolled import Unrolled
from rsaxcel.proc.isa import INSTRUCTIONS, XLEN, disassemble
from rsaxcel.proc.parameters import PROCESSOR_PARAMETERS, circuit_arguments
from rsaxcel.proc.rvfi.processor import AlternativeProcRVFI
from rsaxcel.proc.sources import system_sources
from rsaxcel.proc.systems import System
from rsaxcel.sim.translate import VerilogModule, translate_cached
from rsaxcel.store.errors import UserError

CYCLES = 8  #: cycles after a reset in which the instructions retire

METHOD = "unrolling and SAT"

_SAME = ("any_register", "any_address", "any_word", "any_fault")
"""Inputs of the checker that stay the same in all cycles."""

#: Registers that begin with any value: a name for the value, and the place of the lowest bit.
_BEGINNINGS = {
    "circuit.fetch.pc_reg": ("pc", 0),
    "expected_pc_reg": ("pc", 0),
    "circuit.memory.counters.cycle_reg": ("cycle", 0),
    "circuit.memory.counters.cycleh_reg": ("cycle", 32),
    "cycles_reg": ("cycle", 0),
    "circuit.memory.counters.instret_reg": ("count", 0),
    "circuit.memory.counters.instreth_reg": ("count", 32),
    "circuit.order_reg": ("count", 0),
    "orders_reg": ("count", 0),
}
_ALIGNED = (beginning("pc[0]"), beginning("pc[1]"))  #: instructions are at multiples of 4
_BIT = re.compile(r"(?P<name>.*)\[(?P<bit>\d+)\]")


@dataclass(frozen=True)
class InstructionClaim(Claim):
    """Claim: one check holds for all instructions that retire within some cycles after a reset."""

    system: System  #: proc_null with the processor's parameters
    about: str  #: checked instruction: mnemonic, or a key of checker.OTHERS
    cycles: int = CYCLES
    #: Verilog in place of the processor's own with the formal interface; empty: its own
    verilog: str = ""

    kind = "instruction"
    meaning = "each instruction that retires does what the ISA says"

    @property
    def name(self) -> str:
        return self.system.design_name

    @property
    def nbits(self) -> int:
        return XLEN

    @property
    def part(self) -> str:
        return self.about

    @property
    def params(self) -> Mapping[str, Any]:
        own = self.system.params
        return {x.name: own[x.name] for x in PROCESSOR_PARAMETERS}

    @property
    def changed(self) -> Mapping[str, Any]:
        usual = {x.name: x.default(XLEN) for x in PROCESSOR_PARAMETERS}
        return {name: value for name, value in self.params.items() if value != usual[name]}

    @property
    def statement(self) -> str:
        if self.about in OTHERS:
            return f"{self.about}: {OTHERS[self.about]}, within {self.cycles} cycles"
        says = "each one that retires does what the ISA says"
        return f"{self.about}: {says}, within {self.cycles} cycles"

    @property
    def module(self) -> VerilogModule:
        """Translated processor with the formal interface, or the given Verilog."""
        arguments = circuit_arguments(dict(self.params))
        key = "-".join(["rvfi", *(f"{k}_{v}" for k, v in arguments.items())])
        module = translate_cached(
            key,
            lambda: AlternativeProcRVFI(**arguments),
            sources=system_sources(None),
            top="proc_rvfi",
            check=lambda component: None,
        )
        return module.with_text(self.verilog) if self.verilog else module

    @property
    def text(self) -> str:
        """Verilog of the processor with all checks."""
        return checked(self.module, _instructions(self.system))

    def prove(self, seconds: float) -> Proof:
        text = self.text
        machine = read_machine(text, TOP)
        begun = processor_seconds()

        def proof(verdict: ProofVerdict, example: Counterexample | None = None) -> Proof:
            scope = f"{self.about}, {self.cycles} cycles from a reset"
            return Proof(verdict, METHOD, scope, processor_seconds() - begun, example)

        for fixed in self._cases():
            run = _run_of(text, fixed)
            wrong = run.wrong(self.about, self.cycles)
            left = seconds - (processor_seconds() - begun)
            found = satisfied(run.graph, wrong, seconds=left) if left > 0 else None
            if isinstance(found, dict):
                return proof(ProofVerdict.REFUTED, self._example(machine, run, found))
            if found is None:
                return proof(ProofVerdict.OPEN)
        return proof(ProofVerdict.PROVEN)

    def _cases(self) -> list[tuple[tuple[str, int], ...]]:
        """List the inputs of the checker that are fixed, with their values, for each case."""
        # Each register is a case of its own: with any register at once, SAT takes many times
        # longer.
        memory = ("from_memory", int(self.about == "fetch"))
        if self.about != "registers":
            return [(memory,)]
        return [
            (memory, *((f"any_register[{i}]", number >> i & 1) for i in range(5)))
            for number in range(1, 32)
        ]

    def _example(
        self, machine: Machine, run: UnrolledProcessor, found: Mapping[str, int]
    ) -> Counterexample:
        """Counterexample: the run up to the instruction that is wrong."""
        frames = [
            {name: run.value(name, at, found) for name in machine.inputs}
            for at in range(self.cycles)
        ]
        begin = {x.name: run.first_state(x.name, found) for x in machine.latches}
        signals, widths = signals_of(machine, frames, begin)
        at = signals[f"wrong_{identifier(self.about)}"].index(1)
        shown = {name: values[at] for name, values in signals.items()}
        pc, word = shown["rvfi_pc_rdata"], shown["rvfi_insn"]
        told = ", ".join(f"{x} = {shown[f'rvfi_{x}']:#x}" for x in _TOLD)
        text = f"{disassemble(word, pc)} at {pc:#x}, in cycle {at}: {told}"
        return Counterexample(text, (), signals, widths)


_TOLD = (
    "rs1_rdata",
    "rs2_rdata",
    "rd_addr",
    "rd_wdata",
    "pc_wdata",
    "mem_addr",
    "mem_rmask",
    "mem_wmask",
    "trap",
)


class UnrolledProcessor:
    """The processor with its checks, unrolled from the first cycle after a reset.

    ``fixed``: inputs that have the same value in all cycles.
    """

    def __init__(self, machine: Machine, fixed: Iterable[tuple[str, int]]) -> None:
        self.graph = Aig()
        self._constants = {"clk": FALSE, "reset": FALSE, **dict(fixed)}
        self._inputs: dict[str, int] = {}
        self._reset = _after_reset(machine)
        self._unrolled = Unrolled(
            machine, self.graph, self._given, self._beginning, lambda _, literal: literal
        )

    def wrong(self, about: str, cycles: int) -> int:
        """Literal that is true if a check fails in one of the first ``cycles`` cycles."""
        name = f"wrong_{identifier(about)}"
        return self.graph.any_of(self._unrolled.output(name, at) for at in range(cycles))

    def value(self, name: str, cycle: int, found: Mapping[str, int]) -> int:
        """Value of an input in a cycle, for the values of the graph's inputs."""
        fixed = self._fixed(name)
        return found.get(_label(name, cycle), 0) if fixed is None else fixed

    def first_state(self, latch: str, found: Mapping[str, int]) -> int:
        """State of a latch in the first cycle."""
        state = self._reset.get(latch)
        return found.get(_beginning(latch), 0) if state is None else state

    def _given(self, name: str, cycle: int) -> int:
        fixed = self._fixed(name)
        return self._input(_label(name, cycle)) if fixed is None else fixed

    def _fixed(self, name: str) -> int | None:
        return self._constants.get(name)

    def _beginning(self, latch: str) -> int:
        state = self._reset.get(latch)
        return self._input(_beginning(latch)) if state is None else state

    def _input(self, label: str) -> int:
        if label not in self._inputs:
            self._inputs[label] = self.graph.add_input(label)
        return self._inputs[label]


@lru_cache(maxsize=2)  # claims about one processor follow each other, and share most gates
def _run_of(text: str, fixed: tuple[tuple[str, int], ...]) -> UnrolledProcessor:
    return UnrolledProcessor(read_machine(text, TOP), fixed)


def _label(name: str, cycle: int) -> str:
    """Name of an input of the graph."""
    return name if name.split("[")[0] in _SAME else f"{name}@{cycle}"


def _beginning(latch: str) -> str:
    """Name of the graph's input that is the state of a latch in the first cycle."""
    for name in latch.split():
        found = _BIT.fullmatch(name)
        if found and found["name"] in _BEGINNINGS:
            what, lowest = _BEGINNINGS[found["name"]]
            return beginning(f"{what}[{lowest + int(found['bit'])}]")
    return beginning(latch)


def _after_reset(machine: Machine) -> dict[str, int]:
    """State of each latch in the first cycle after a reset, by name, if it is known."""
    graph = Aig()
    states = [graph.add_input(latch.name) for latch in machine.latches]
    nexts = graph.copy(machine, {"reset": TRUE}, states).nexts
    found = {}
    for latch, state in zip(machine.latches, nexts, strict=True):
        begins = _beginning(latch.name)
        is_any = begins != beginning(latch.name) and begins not in _ALIGNED
        if state in (FALSE, TRUE) and not is_any:
            found[latch.name] = state
    return found


def _instructions(system: System) -> tuple[str, ...]:
    return tuple(x for x in INSTRUCTIONS if x in system.instruction_set.instructions)


def instruction_claims(
    system: System, about: Sequence[str] = (), cycles: int = CYCLES
) -> list[InstructionClaim]:
    """Claims about the processor of ``proc_null``; ``about``: mnemonics or checks, empty: all."""
    known = checks(_instructions(system))
    for name in about:
        if name not in known:
            raise UserError(f"instruction={name}: {', '.join(known)} are allowed")
    return [InstructionClaim(system, name, cycles) for name in about or known]
