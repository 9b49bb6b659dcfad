"""Claim: a design answers each request once, in the cycle model's cycle, with the right status."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.circuit import is_checked
from rsaxcel.fl.status import Status
from rsaxcel.lab.proofs.aig import TRUE, Machine
from rsaxcel.lab.proofs.claim import (
    NO_OTHER,
    TOP,
    CircuitClaim,
    Counterexample,
    Proof,
    processor_seconds,
    runs_of,
    shown_cycles,
)
from rsaxcel.lab.proofs.design import CheckedDesign
from rsaxcel.lab.proofs.operation import UnrolledOperation
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.signals import signals_of
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.sim.operations import named, operation
from rsaxcel.sim.runners import cycles_of

_MARGIN = 80
METHOD = "unrolling and SAT"


@dataclass(frozen=True)
class _DesignClaim(CircuitClaim):
    """Claim about one operation of a design after a reset."""

    configuration: Exponentiator

    @classmethod
    def applies(cls, configuration: Any) -> bool:
        """Whether the operands of a request come in one message."""
        return not configuration.is_framed

    @cached_property
    def design(self) -> CheckedDesign:
        """The design in its wrapper."""
        return CheckedDesign(self.configuration, self.module)

    @property
    def text(self) -> str:
        return self.design.text

    #: formula of the requests that the claim is about
    requests: ClassVar[str] = "1"

    @property
    def around(self) -> str:
        (r,) = (x.width for x in self.module.response.fields if x.name == "r")
        return runs_of(
            self.design.widths,
            {},
            {"result": r, "status": 8, "expected": 8},
            f"{{({self.requests}) & ready & !accepted_reg, ({self.requests}) & valid, "
            f"({self.requests}) & valid ? status : 8'd0}}",
            first="expected",
        )

    @property
    def read_bits(self) -> Sequence[str]:
        """Bits of handshakes and status."""
        (status,) = (x for x in self.module.response.fields if x.name == "status")
        bits = range(status.lsb, status.lsb + status.width)
        return ["recv__rdy", "send__val", *(f"send__msg_{i}" for i in bits)]

    @property
    def fixed_cycles(self) -> int:
        return self._most_cycles({})

    @property
    def accepted(self) -> int:
        """Cycle after a reset in which the model accepts the first request; 0: it does not tell."""
        configuration = self.configuration
        if "cl" not in configuration.levels or configuration.shelled:
            return 0
        return 1 + configuration.clear_cycles + configuration.load_cycles

    @property
    def _is_accepted(self) -> str:
        return f"is accepted in cycle {self.accepted}, and " if self.accepted else ""

    def operations(
        self, machine: Machine, legal: bool, seconds: float, fixed: Mapping[str, int]
    ) -> Iterator[UnrolledOperation]:
        """Unroll operations that cover all requests that meet the input rules, or break one.

        A single operation, or one for each modulus if the cycles depend on the modulus. ``seconds``
        is the limit for all operations together.
        """
        began, left = processor_seconds(), seconds
        for case in self.cases(legal):
            op = UnrolledOperation.unroll(
                self.design, machine, legal, self._most_cycles(case), left, {**fixed, **case}
            )
            yield op
            left = seconds - (processor_seconds() - began)

    def cases(self, legal: bool) -> Sequence[Mapping[str, int]]:
        """Return the fixed ports of each operation; together they cover all requests."""
        moduli = self.design.timing_moduli if legal else ()
        return [{"m": modulus} for modulus in moduli or ()] or [{}]

    def model_cycles(self, case: Mapping[str, int], legal: bool = True) -> int:
        """Cycles for the largest exponent and the modulus of a case, or of a refusal.

        By the model, or without one by simulation.
        """
        configuration = self.configuration
        largest = configuration.usable_modulus((1 << configuration.nbits) - 1)
        modulus = case.get("m", largest) if legal else 0
        base = int(bool(configuration.halves) or modulus > 1)
        (cycles,) = cycles_of(configuration, [(base, configuration.largest_exponent, modulus)])
        return cycles

    def _most_cycles(self, case: Mapping[str, int]) -> int:
        """Cycles after which an operation of constant time has ended."""
        around = self.configuration.load_cycles + self.configuration.clear_cycles
        return self.model_cycles(case) + around + _MARGIN

    def example(
        self,
        op: UnrolledOperation,
        found: dict[str, int],
        why: str,
        frames: list[dict[str, int]] | None = None,
    ) -> Counterexample:
        """Counterexample with the request that ``op.request`` has found."""
        ports = {
            port: sum(found.get(name, 0) << i for i, name in enumerate(op.machine.bits(port)))
            for port in op.design.widths
        }
        frames = frames or op.frames(found)
        signals, widths = signals_of(op.machine, frames)
        shown = ", ".join(f"{name} = {value}" for name, value in ports.items())
        return Counterexample(f"{shown}: {why}", self.vectors(ports), signals, widths)

    def vectors(self, *requests: Mapping[str, int]) -> Sequence[Mapping[str, str]]:
        """Vectors of requests; none for a too wide operand (``wide``) or missing constants."""
        if any(ports.get(name) for ports in requests for name in ("wide", "missing")):
            return ()
        to_do = operation(self.configuration)
        operands = (self.design.operands(ports) for ports in requests)
        return [{name: f"{x:x}" for name, x in named(to_do, row).items()} for row in operands]


@dataclass(frozen=True)
class StatusClaim(_DesignClaim):
    """Claim: a request that breaks a rule gets the rule's status in the cycle of the model."""

    kind = "status"
    requests = "first_expected != 0"
    meaning = "every request that breaks an input rule gets its status in the model's cycle"

    @property
    def statement(self) -> str:
        return (
            f"the first request after a reset, if it breaks an input rule, {self._is_accepted}gets "
            f"the status of the rule after {shown_cycles(self.figures)}, {NO_OTHER}"
        )

    @cached_property
    def figures(self) -> Sequence[int]:
        """Cycles of a refusal by the model."""
        return [self.model_cycles({}, legal=False)]

    def prove(self, seconds: float) -> Proof:
        return _proof_of_response(self, False, seconds)


@dataclass(frozen=True)
class ResponseClaim(_DesignClaim):
    """Claim: a request that meets the input rules gets status ok in the cycle of the model."""

    kind = "response"
    requests = "first_expected == 0"
    meaning = "every request that meets the input rules gets status ok in the model's cycle"

    @classmethod
    def applies(cls, configuration: Any) -> bool:
        """Whether cycles depend on no operand; a check's cycles depend on the public exponent."""
        dependent = configuration.exponent_dependent or configuration.base_dependent
        dependent = dependent or is_checked(configuration.halves)
        return super().applies(configuration) and not dependent

    @property
    def statement(self) -> str:
        after = f"after {shown_cycles(self.figures)}" if self.figures else "in the model's cycle"
        by = ", as the modulus decides" if len(self.figures) != 1 else ""
        return (
            f"the first request after a reset, if it meets the input rules, {self._is_accepted}"
            f"gets status ok {after}{by}, {NO_OTHER}"
        )

    @cached_property
    def figures(self) -> Sequence[int]:
        """Cycles of the model: for all moduli, for each modulus, or none if there are too many."""
        moduli = self.design.timing_moduli
        if moduli is None:
            return ()
        return [self.model_cycles({"m": x}) for x in moduli] or [self.model_cycles({})]

    def prove(self, seconds: float) -> Proof:
        if not self.figures:
            why = "not tried: the modulus may decide on the cycles, and is too wide"
            return Proof(ProofVerdict.OPEN, METHOD, why, 0)
        return _proof_of_response(self, True, seconds)


def shown_operations(took: Sequence[int]) -> str:
    """Describe operations by their numbers of cycles: one for all moduli, or one for each."""
    each = f"each of {len(took)} moduli, " if len(took) > 1 else ""
    return f"{each}{shown_cycles(took)}"


def _proof_of_response(claim: _DesignClaim, legal: bool, seconds: float) -> Proof:
    machine = read_machine(claim.text, TOP)
    took: list[int] = []
    begun = processor_seconds()
    for op in claim.operations(machine, legal, seconds, {}):
        cycles = op.took
        verdict, example = _judge(claim, op)
        if verdict is not ProofVerdict.PROVEN:
            break
        took.append(cycles)
    if len(took) == len(claim.cases(legal)):
        scope = f"first request after a reset, {shown_operations(took)}"
    else:
        of = "".join(f"{name} = {value}, " for name, value in op.fixed.items())
        scope = f"first request after a reset, {of}{shown_cycles([cycles])}"
    return Proof(verdict, METHOD, scope, processor_seconds() - begun, example)


def _judge(
    claim: _DesignClaim, op: UnrolledOperation
) -> tuple[ProofVerdict, Counterexample | None]:
    """Say whether an unrolled operation is as claimed; if not, give an example."""

    def refuted(literal: int, why: str) -> tuple[ProofVerdict, Counterexample | None]:
        found = op.request(literal)
        if not isinstance(found, dict):
            return ProofVerdict.OPEN, None
        return ProofVerdict.REFUTED, claim.example(op, found, why)

    if op.silent:
        return refuted(TRUE, f"no response in {op.cycle} cycles")
    model = claim.model_cycles(op.fixed, op.legal)
    found = op.request(op.graph.both(op.valid, _differs(op)))
    if isinstance(found, dict):
        return ProofVerdict.REFUTED, _wrong_status(claim, op, found)
    if found is None:
        return ProofVerdict.OPEN, None
    if not op.answered:
        if example := _other_answer(claim, op, model):
            return ProofVerdict.REFUTED, example
        if not op.accepted:
            if not claim.accepted:
                return ProofVerdict.OPEN, None
            early = op.cycle < claim.accepted
            return refuted(op.ready ^ (not early), _not_accepted(claim, op.cycle if early else 0))
        if op.took < model:
            return refuted(op.valid, _late(op.took, model))
        return refuted(op.valid ^ 1, f"no response after {model} cycles, those of the cycle model")
    if claim.accepted not in (0, op.accepted):
        return refuted(TRUE, _not_accepted(claim, op.accepted))
    if op.took != model:
        return refuted(TRUE, _late(op.took, model))
    found = op.request(op.valid_again())
    if isinstance(found, dict):
        why = "a second response after the first one is taken"
        return ProofVerdict.REFUTED, claim.example(op, found, why)
    return (ProofVerdict.PROVEN if found is False else ProofVerdict.OPEN), None


def _other_answer(claim: _DesignClaim, op: UnrolledOperation, model: int) -> Counterexample | None:
    """Run a request of each kind, where acceptance or response depend on the request."""
    for status in Status:
        for literal in (op.valid, op.valid ^ 1, op.ready, op.ready ^ 1):
            found = op.request(op.graph.both(op.breaks(status), literal))
            if not isinstance(found, dict):
                continue
            frames, got, accepted = op.simulated(found)
            took = len(frames) - 1 - accepted
            if got is None:
                why = f"no response in {op.most_cycles} cycles"
            elif got != status:
                why = f"status {_name(got)}, expected {_name(status)}"
            elif claim.accepted not in (0, accepted):
                why = _not_accepted(claim, accepted)
            elif took != model:
                why = _late(took, model)
            else:
                continue
            return claim.example(op, found, why, frames)
    return None


def _not_accepted(claim: _DesignClaim, cycle: int) -> str:
    told = f"accepted in cycle {cycle}" if cycle else "not accepted"
    return f"{told}, in cycle {claim.accepted} by the cycle model"


def _late(took: int, model: int) -> str:
    return f"a response after {took} cycles, {model} by the cycle model"


def _differs(op: UnrolledOperation) -> int:
    """Literal: the status is another one than by the input rules."""
    pairs = zip(op.status, op.expected, strict=True)
    return op.graph.any_of(op.graph.differ(a, b) for a, b in pairs)


def _wrong_status(
    claim: _DesignClaim, op: UnrolledOperation, found: dict[str, int]
) -> Counterexample:
    got, expected = (_name(_number(op, x, found)) for x in (op.status, op.expected))
    return claim.example(op, found, f"status {got}, expected {expected}")


def _number(op: UnrolledOperation, bits: list[int], found: dict[str, int]) -> int:
    values = op.graph.values([found.get(name, 0) for name in op.graph.inputs], bits)
    return sum(bit << i for i, bit in enumerate(values))


def _name(status: int) -> str:
    return str(Status(status)) if status in set(Status) else str(status)
