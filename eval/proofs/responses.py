"""Claim: a design answers each request once, in the cycle model's cycle, with the right status."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from catalog import Configuration
from eval.proofs.aig import FALSE, TRUE
from eval.proofs.answer import Verdict
from eval.proofs.claim import (
    TOP,
    CircuitClaim,
    Counterexample,
    Proof,
    Tell,
    processor_seconds,
    quiet,
)
from eval.proofs.design import CheckedDesign
from eval.proofs.operation import Operation
from eval.proofs.reading import read_machine
from eval.proofs.signals import signals_of
from eval.proofs.solver import satisfied
from fl.status import Status
from plan.halves import is_checked
from sim.operations import named, operation

_MARGIN = 80
METHOD = "unrolling and SAT"


@dataclass(frozen=True)
class _DesignClaim(CircuitClaim):
    """Claim about one operation of a design after a reset."""

    configuration: Configuration

    @classmethod
    def applies(cls, configuration: Any) -> bool:
        """Whether the operands of a request come in one message."""
        return not configuration.interface.frames

    @property
    def design(self) -> CheckedDesign:
        """The design in its wrapper."""
        return CheckedDesign(self.configuration, self.module)

    @property
    def text(self) -> str:
        """Verilog of the design in its wrapper."""
        return self.design.text

    def most_cycles(self) -> int:
        """Cycles after which an operation of constant time has ended."""
        largest = self.configuration.largest_exponent
        modulus = self.configuration.usable_modulus((1 << self.configuration.nbits) - 1)
        base = 1 if self.configuration.halves else 1 % modulus
        around = self.configuration.load_cycles + self.configuration.clear_cycles
        return self.configuration.cycles(base, largest, modulus) + around + _MARGIN

    def _example(
        self, op: Operation, found: dict[str, int], cycles: int, why: str
    ) -> Counterexample:
        """Counterexample with values of the graph's inputs."""
        ports = {
            port: sum(found.get(name, 0) << i for i, name in enumerate(op.machine.bits(port)))
            for port in op.design.widths
        }
        operands = op.design.operands(ports)
        values = {name: found.get(name, 0) for name in op.machine.inputs}
        offered = [0, *[1] * max(1, op.accepted), *[0] * (cycles - op.accepted)]
        frames = [
            {**values, "reset": int(not i), "offered": x, "taken": int(i > 0)}
            for i, x in enumerate(offered[: cycles + 1])
        ]
        begin = {latch.name: found.get(f"begin:{latch.name}", 0) for latch in op.machine.latches}
        signals, widths = signals_of(op.machine, frames, begin)
        to_do = operation(self.configuration)
        replay = {name: f"{value:x}" for name, value in named(to_do, operands).items()}
        shown = ", ".join(f"{name} = {value}" for name, value in ports.items())
        return Counterexample(f"{shown}: {why}", replay, signals, widths)


@dataclass(frozen=True)
class StatusClaim(_DesignClaim):
    """Claim: a request that breaks an input rule gets the status of the rule.

    The response comes in the same cycle for all such requests.
    """

    kind = "status"
    meaning = "every request that breaks an input rule gets its status"

    @property
    def statement(self) -> str:
        """The claim in words."""
        return "a request that breaks an input rule gets one response, with the status of the rule"

    def prove(self, seconds: float, tell: Tell = quiet) -> Proof:
        """Prove or refute the claim."""
        return _proof_of_response(self, False, seconds)


@dataclass(frozen=True)
class ResponseClaim(_DesignClaim):
    """Claim: a request that meets the input rules gets status ok in the cycle of the model."""

    kind = "response"
    meaning = "every request that meets the input rules gets status ok in the model's cycle"

    @classmethod
    def applies(cls, configuration: Any) -> bool:
        """Whether the number of cycles depends on no operand; a check takes some for e's bits."""
        dependent = configuration.exponent_dependent or configuration.base_dependent
        dependent = dependent or is_checked(configuration.halves)
        return super().applies(configuration) and not dependent

    @property
    def statement(self) -> str:
        """The claim in words."""
        cycles = self.most_cycles() - self.configuration.load_cycles - _MARGIN
        cycles -= self.configuration.clear_cycles
        return f"a request that meets the input rules gets status ok after {cycles} cycles"

    def prove(self, seconds: float, tell: Tell = quiet) -> Proof:
        """Prove or refute the claim."""
        return _proof_of_response(self, True, seconds)


def _proof_of_response(claim: _DesignClaim, legal: bool, seconds: float) -> Proof:
    machine = read_machine(claim.text, TOP)
    begun = processor_seconds()
    op, cycle, ready, valid = Operation.unroll(
        claim.design, machine, legal, claim.most_cycles(), seconds
    )
    took = cycle - op.accepted
    scope = f"first request after a reset, {took} cycles"
    verdict, example = Verdict.OPEN, None
    if valid == TRUE:
        wrong = op.graph.any_of(
            op.graph.differ(a, b) for a, b in zip(op.status(cycle), op.expected, strict=True)
        )
        found = satisfied(op.graph, op.graph.both(op.assumed, wrong))
        verdict = Verdict.PROVEN if found is False else Verdict.OPEN
        if isinstance(found, dict):
            got = _number(op, op.status(cycle), found)
            expected = _number(op, op.expected, found)
            why = f"status {_name(got)}, expected {_name(expected)}"
            verdict, example = Verdict.REFUTED, claim._example(op, found, cycle, why)
        elif legal and took != (model := _model_cycles(claim)):
            found = satisfied(op.graph, op.assumed)
            why = f"a response after {took} cycles, {model} by the cycle model"
            if isinstance(found, dict):
                verdict, example = Verdict.REFUTED, claim._example(op, found, cycle, why)
    elif {ready, valid} == {FALSE} and cycle == claim.most_cycles():
        found = satisfied(op.graph, op.assumed)
        if isinstance(found, dict):
            why = f"no response in {cycle} cycles"
            verdict, example = Verdict.REFUTED, claim._example(op, found, cycle, why)
    used = processor_seconds() - begun
    return Proof(verdict, METHOD, scope, used, example)


def _model_cycles(claim: _DesignClaim) -> int:
    around = claim.configuration.load_cycles + claim.configuration.clear_cycles
    return claim.most_cycles() - around - _MARGIN


def _number(op: Operation, bits: list[int], found: dict[str, int]) -> int:
    values = op.graph.values([found.get(name, 0) for name in op.graph.inputs], bits)
    return sum(bit << i for i, bit in enumerate(values))


def _name(status: int) -> str:
    return str(Status(status)) if status in set(Status) else str(status)
