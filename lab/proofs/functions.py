"""Claim: a block, such as an adder, a compressor tree or a divider, computes its specification.

The specification is written by hand (``lab.proofs.blocks``), without golden model or circuit.
Inputs of a block with registers stay until its outputs are right; the request of a block with
streams is offered after a reset until it is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rsaxcel.lab.proofs.aig import FALSE, TRUE, Aig, Machine, beginning
from rsaxcel.lab.proofs.blocks import BLOCKS, VALUE_NBITS, Block, BlockPort, Specification
from rsaxcel.lab.proofs.claim import (
    AFTER_CYCLES,
    NO_OTHER,
    TOP,
    Claim,
    Counterexample,
    Proof,
    processor_seconds,
    runs_of,
    translated,
)
from rsaxcel.lab.proofs.products import LATER, UnrolledMultiplier, decide_run, frames_of, unroll
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.signals import signals_of
from rsaxcel.lab.proofs.solver import ProofVerdict, SolverAnswer
from rsaxcel.sim.translate import VerilogModule

_CHECKER = """
module checked({ports});
  {given}
  {wires}
  {circuit} circuit({pins});
  {found}
  assign legal = {legal};
  assign right = {right};
endmodule
"""


@dataclass(frozen=True)
class FunctionClaim(Claim):
    """Claim: the outputs of a block are right for all legal inputs."""

    block: Block
    width: int  #: width in bits
    #: parameters with other values than the default
    given: Mapping[str, int] = field(default_factory=dict)
    #: Verilog in place of the block's own, with the same ports and top module; empty: its own
    verilog: str = ""

    kind = "function"
    meaning = "the outputs of a block are right for all inputs"

    def __post_init__(self) -> None:
        """Check width and parameters."""
        self.block.specified(self.width, self.given)

    def __reduce__(self) -> Any:
        """Pass the block to another process by its name: its functions cannot be passed."""
        return _claim, (self.block.name, self.width, dict(self.given), self.verilog)

    @property
    def name(self) -> str:
        return self.block.name

    @property
    def nbits(self) -> int:
        return self.width

    @property
    def params(self) -> Mapping[str, int]:
        return {**self.block.params, **self.given}

    @property
    def changed(self) -> Mapping[str, int]:
        return {k: v for k, v in self.given.items() if self.block.params[k] != v}

    @property
    def statement(self) -> str:
        stated = self.block.statement
        return f"{stated}; after a reset, {NO_OTHER}" if self.specification.stream else stated

    @cached_property
    def specification(self) -> Specification:
        return self.block.specified(self.width, self.given)

    @property
    def module(self) -> VerilogModule:
        """Translated component, or the given Verilog."""
        top = "_".join([self.name, str(self.width), *(f"{k}_{v}" for k, v in self.changed.items())])
        return translated(f"block-{top}", self.specification.component, top, self.verilog)

    @property
    def text(self) -> str:
        """Verilog of the block with its specification."""
        return _checked(self.specification, self.module)

    @property
    def around(self) -> str:
        spec = self.specification
        held = {x: p.nbits for p in spec.inputs if not p.formula for x in p.names()}
        outputs = {x: p.nbits for p in spec.outputs for x in p.names()}
        wires = {**outputs, "legal": 1, "right": 1}
        shown = ", ".join(outputs)
        seen = f"legal ? {{{shown}}} : 0"
        if not spec.stream:
            return "" if spec.cycles else runs_of(held, {}, wires, seen)
        seen = f"{{legal & ready & !accepted_reg, legal & valid, valid & {seen}}}"
        seen = seen.replace("valid & legal ?", "(valid & legal) ?")
        later = {"later": self.module.request.width}
        return runs_of(held, later, wires, seen)

    def prove(self, seconds: float) -> Proof:
        machine, spec = read_machine(self.text, TOP), self.specification
        begun = processor_seconds()
        names = [name for port in spec.inputs if not port.formula for name in port.names()]
        run = unroll(machine, spec.cycles, spec.fixed, names) if spec.stream else _held(self, names)
        order = [bit for name in names for bit in machine.bits(name)]
        answer = decide_run(run, order, seconds)
        used = processor_seconds() - begun
        found = None
        if answer.verdict is ProofVerdict.REFUTED:
            found = self._counterexample(machine, run, answer, names)
        return Proof(answer.verdict, answer.method, self._scope, used, found)

    @property
    def _scope(self) -> str:
        spec = self.specification
        if spec.stream:
            after = f"and {AFTER_CYCLES} after the response"
            return f"first request after a reset, at most {spec.cycles} cycles {after}"
        later = f", after {spec.cycles} cycle{'s' * (spec.cycles > 1)}" if spec.cycles else ""
        return f"all inputs{later}"

    def _counterexample(
        self, machine: Machine, run: UnrolledMultiplier, answer: SolverAnswer, names: list[str]
    ) -> Counterexample:
        spec, values = self.specification, answer.frames[0]
        frames = frames_of(run, values) if spec.stream else [dict(values)] * (spec.cycles + 1)
        signals, widths = signals_of(machine, frames)
        at = len(frames) - 1
        if spec.stream:
            answers = [i for i, valid in enumerate(signals["valid"]) if valid]
            at = answers[0] if answers else at
        given = ", ".join(f"{name} = {signals[name][at]}" for name in names)
        results = (name for port in spec.outputs for name in port.names())
        got = ", ".join(f"{name} = {signals[name][at]}" for name in results)
        if spec.stream and not answers:
            got = f"no response in {spec.cycles} cycles"
        return Counterexample(f"{given}: {got}", (), signals, widths)


def _claim(name: str, width: int, given: Mapping[str, int], verilog: str) -> FunctionClaim:
    return FunctionClaim(BLOCKS[name], width, given, verilog)


def _held(claim: FunctionClaim, names: list[str]) -> UnrolledMultiplier:
    """Circuit whose inputs stay for ``cycles`` cycles, from arbitrary contents of registers."""
    machine, cycles = read_machine(claim.text, TOP), claim.specification.cycles
    graph = Aig()
    given = {bit: graph.add_input(bit) for name in names for bit in machine.bits(name)}
    given |= {"clk": FALSE, "reset": FALSE}
    states = [graph.add_input(beginning(latch.name)) for latch in machine.latches]
    for _ in range(cycles):
        states = graph.copy(machine, given, states).nexts
    outputs = graph.copy(machine, given, states).outputs
    return UnrolledMultiplier(graph, outputs["legal"], outputs["right"] ^ 1, TRUE, 0, cycles)


def _checked(spec: Specification, module: VerilogModule) -> str:
    """Verilog of a block with its specification."""
    given = [port for port in spec.inputs if not port.formula]
    ports = ["input clk", "input reset"]
    if spec.stream:
        ports += ["input offered", "input taken", "output ready", "output valid"]
        ports += [f"input [{module.request.width} - 1:0] later"]
    for way, listed in (("input", given), ("output", spec.outputs)):
        ports += [f"{way} [{p.nbits - 1}:0] {name}" for p in listed for name in p.names()]
    checker = _CHECKER.format(
        ports=", ".join([*ports, "output legal", "output right"]),
        wires="\n  ".join(_message(spec, module) if spec.stream else _wires(spec)),
        circuit=module.top,
        pins=_PINS if spec.stream else ".*",
        given="\n  ".join(_values(given)),
        found="\n  ".join(_values(spec.outputs)),
        legal=spec.legal,
        right=spec.right,
    )
    return module.text + checker


_PINS = (
    ".clk(clk), .reset(reset), .recv__val(offered), .recv__rdy(ready), .recv__msg(message), "
    ".send__val(valid), .send__rdy(taken), .send__msg(response)"
)


def _message(spec: Specification, module: VerilogModule) -> Iterator[str]:
    """Verilog that assigns the fields of a request, and takes those of a response."""
    for port in spec.inputs:
        if port.formula:
            yield f"wire [{port.nbits - 1}:0] {port.name} = {port.nbits}'({port.formula});"
    yield f"wire [{module.request.width} - 1:0] request;"
    yield f"wire [{module.response.width} - 1:0] response;"
    for x in module.request.fields:
        yield f"assign request[{x.lsb + x.width - 1}:{x.lsb}] = {x.name};"
    for x in module.response.fields:
        yield f"assign {x.name} = response[{x.lsb + x.width - 1}:{x.lsb}];"
    yield LATER.format(request=module.request.width)


def _wires(spec: Specification) -> Iterator[str]:
    """Verilog of the ports that are lists, and of inputs that follow from others."""
    for port in (*spec.inputs, *spec.outputs):
        bits = f"wire [{port.nbits - 1}:0] {port.name}"
        if port.count:
            yield f"{bits} [0:{port.count - 1}];"
        if port.formula:
            yield f"{bits} = {port.nbits}'({port.formula});"
            yield from _values([port])
        for i, name in enumerate(port.names() if port.count else ()):
            element = f"{port.name}[{i}]"
            target, source = (element, name) if port in spec.inputs else (name, element)
            yield f"assign {target} = {source};"


def _values(ports: Sequence[BlockPort]) -> Iterator[str]:
    """Verilog of the integers in the formulas."""
    for port in ports:
        for name in port.names():
            value = f"$signed({name})" if port.signed else name
            yield f"wire signed [{VALUE_NBITS - 1}:0] {name.upper()} = {value};"
