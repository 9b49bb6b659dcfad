"""Compares a netlist with a design that leaves values undefined, such as words that do not exist.

Each literal of the design becomes two: ``one`` says that it can be 1, ``zero`` that it can be 0; an
undefined value (x) can be both. Where an output can be both, the netlist may have any value.
Products of words are formed by passes of the synthesizer, as Booth rows: ABC takes a second for
equal rows, and does not decide other rows at 32 bits. A fault of these passes would be in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.flow.kit import Kit
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.lab.proofs.aig import FALSE, TRUE, Aig, Machine
from rsaxcel.lab.proofs.solver import satisfied

_PRODUCTS = ("wreduce", "booth", "alumacc")  # passes of the synthesizer that form products of words


@dataclass(frozen=True)
class Comparison:
    """Design and netlist, both cut at their registers, in one graph of inputs and states."""

    graph: Aig
    undefined: Mapping[str, int]  # literals by output or next state: the design leaves it undefined
    wrong: Mapping[str, int]  # the design defines it, and the netlist differs

    @classmethod
    def of(cls, folder: Path, kit: Kit, products: bool) -> Comparison:
        """Read ``gold.json``, which has ``products`` of words or has none, and ``gate.json``."""
        in_yosys(folder / "undefined.log", _write, folder, kit, _PRODUCTS if products else ())
        gold, gate = (Machine.read(folder / f"{name}.aig") for name in ("gold", "gate"))
        graph = Aig()
        given = {name: graph.add_input(name) for name in gate.inputs}
        pairs = possible(graph, gold, given)
        undefined, wrong = {}, {}
        for name, value in graph.copy(gate, given, []).outputs.items():
            one, zero = pairs[name]
            undefined[name] = graph.both(one, zero)
            wrong[name] = graph.either(graph.both(value, one ^ 1), graph.both(value ^ 1, zero ^ 1))
        return cls(graph, undefined, wrong)

    def write(self, path: Path) -> None:
        """Write an AIGER file whose output is 1 if the netlist is wrong."""
        self.graph.write(path, self.graph.any_of(self.wrong.values()))

    def can_be_undefined(self) -> bool:
        """Whether an output or next state may be undefined for some inputs and states."""
        found = self.graph.any_of(self.undefined.values())
        return satisfied(self.graph, found) is not False

    def is_wrong(self, given: Mapping[str, int]) -> bool:
        """Whether the netlist is wrong for values of the inputs, by name."""
        return bool(self._true(self.wrong, given))

    def undefined_for(self, given: Mapping[str, int]) -> set[str]:
        """Names of outputs and next states that are undefined for values of the inputs."""
        return self._true(self.undefined, given)

    def _true(self, literals: Mapping[str, int], given: Mapping[str, int]) -> set[str]:
        inputs = [given[name] for name in self.graph.inputs]
        values = self.graph.values(inputs, literals.values())
        return {name for name, value in zip(literals, values, strict=True) if value}


def possible(graph: Aig, machine: Machine, given: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Add a machine without latches; inputs that are not ``given`` are undefined."""
    # By name of an output: literals of whether it can be 1, and whether it can be 0.
    pairs: list[tuple[int, int]] = [(FALSE, TRUE)] * (machine.count + 1)

    def pair(literal: int) -> tuple[int, int]:
        one, zero = pairs[literal >> 1]
        return (zero, one) if literal & 1 else (one, zero)

    for name, node in machine.inputs.items():
        pairs[node] = (given[name], given[name] ^ 1) if name in given else (TRUE, TRUE)
    for node, a, b in machine.gates:
        (one_a, zero_a), (one_b, zero_b) = pair(a), pair(b)
        pairs[node] = graph.both(one_a, one_b), graph.either(zero_a, zero_b)
    return {name: pair(literal) for name, literal in machine.outputs.items()}


def _write(folder: Path, kit: Kit, passes: tuple[str, ...]) -> None:
    """Write both modules as graphs; each undefined value of the design becomes an input."""
    for name, how, first in (("gold", "-anyseq", passes), ("gate", "-zero", ())):
        yosys = Yosys()
        yosys.run(f"read_json {folder}/{name}.json")
        yosys.run(f"read_liberty -ignore_miss_func -ignore_miss_data_latch {kit.liberty}")
        yosys.run(f"hierarchy -top {name}", "flatten", f"setundef -undriven {how}", *first)
        yosys.run("techmap", "opt_clean", "aigmap", "opt_clean")
        yosys.run(f"write_aiger -symbols {folder}/{name}.aig")
