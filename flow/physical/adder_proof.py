"""Proof that adder cells compute what the gates computed that they replace.

The inputs of an adder cell are signals of the synthesized netlist. Each replaced gate is evaluated
over them: its truth table must be that of the cell's output, or the complement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.roles import Sources
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import Library

Adders = Mapping[str, Mapping[str, str]]  # by name, the replaced gate for each output pin

_MOST_GATES = 64  # between the inputs of an adder cell and a gate that it replaces
_MOST_INPUTS = 6  # of an adder cell


@dataclass
class AdderProof:
    """Proof for all adder cells of a netlist.

    A *signal* is twice a number, plus 1 if inverted; equal signals of ``new`` and ``old`` have
    equal values.
    """

    adders: Adders
    new: Sources  # of the netlist with adder cells
    old: Sources  # of the synthesized netlist
    signals: np.ndarray  # of root nets of `new`; `run` finds those of adders
    old_signals: np.ndarray  # of nets of `old`
    library: Library
    # Instances of `old` that were evaluated: only these may be missing.
    replaced: set[int] = field(default_factory=set)

    def run(self) -> None:
        """Prove all adder cells, each after those that it reads; ``FlowError`` for a fault."""
        number = {name: at for at, name in enumerate(self.new.design.names)}
        if lost := [name for name in self.adders if name not in number]:
            raise FlowError(f"the listed adder cell {lost[0]} is missing ({len(lost)} in all)")
        own = {number[name]: gates for name, gates in self.adders.items()}
        waiting, readers = {}, defaultdict(list)
        for at in own:
            before = {x for x in self._drivers(at) if x in own}
            waiting[at] = len(before)
            for driver in before:
                readers[driver].append(at)
        ready = [at for at, count in waiting.items() if not count]
        proved = 0
        while ready:
            at = ready.pop()
            self._prove(at, own[at])
            proved += 1
            for reader in readers[at]:
                waiting[reader] -= 1
                if not waiting[reader]:
                    ready.append(reader)
        if proved < len(own):
            first = next(at for at, count in waiting.items() if count)
            raise FlowError(f"adder cell {self.new.design.names[first]} reads its own output")

    @cached_property
    def _instances(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.old.design.names)}

    def _drivers(self, at: int) -> list[int]:
        design = self.new.design
        kind = design.kinds[design.kind[at]]
        nets = _nets_of(design, at)
        roots = [int(self.new.root[nets[pin.name]]) for pin in kind.pins if not pin.is_output]
        return [int(design.pin_instance[self.new.driver[root]]) for root in roots]

    def _prove(self, at: int, gates: Mapping[str, str]) -> None:
        design = self.new.design
        nets = _nets_of(design, at)
        cell = self.library.cells[design.kinds[design.kind[at]].name]
        name = design.names[at]
        inputs = [pin.name for pin in cell.inputs]
        outputs = {pin.name for pin in cell.outputs}
        if cell.sequential or outputs != {*gates} or len(inputs) > _MOST_INPUTS:
            raise FlowError(f"{name} is listed as an adder cell, but of the kind {cell.name}")
        at_pins = {pin: self._signal(nets[pin]) for pin in inputs}
        sources = sorted({signal >> 1 for signal in at_pins.values()})
        leaves = {source: _variable(k, len(sources)) for k, source in enumerate(sources)}
        every = (1 << (1 << len(sources))) - 1
        given = {pin: leaves[x >> 1] ^ (every * (x & 1)) for pin, x in at_pins.items()}
        for pin, gate in gates.items():
            function = cell.pins[pin].function
            before = self._instances.get(gate)
            output = None if before is None else self._output(before)
            if before is None or output is None or function is None:
                raise FlowError(f"output {pin} of {name} replaces {gate}, which is no gate")
            cone = _Cone(self, leaves, len(sources))
            has, wants = _evaluated(function, given, len(sources)), cone.table(output)
            if cone.reached != {*sources} or has not in (wants, every ^ wants):
                raise FlowError(f"output {pin} of adder cell {name} is not the function of {gate}")
            self.replaced |= cone.gates
            self.signals[nets[pin]] = int(self.old_signals[output]) ^ (has != wants)

    def _signal(self, net: int) -> int:
        return int(self.signals[self.new.root[net]]) ^ int(self.new.inverted[net])

    def _output(self, at: int) -> int | None:
        """Net of a gate with one output."""
        design = self.old.design
        if design.is_port[at]:
            return None
        kind = design.kinds[design.kind[at]]
        nets = [_nets_of(design, at)[pin.name] for pin in kind.pins if pin.is_output]
        return nets[0] if len(nets) == 1 and nets[0] >= 0 else None


@dataclass
class _Cone:
    """Gates between some signals and a net of the synthesized netlist, evaluated."""

    proof: AdderProof
    leaves: Mapping[int, int]
    count: int
    gates: set[int] = field(default_factory=set)
    reached: set[int] = field(default_factory=set)
    known: dict[int, int] = field(default_factory=dict)

    def table(self, net: int, inner: bool = True) -> int:
        """Truth table of a net (a leaf only without ``inner``); ``FlowError`` for other signals."""
        old = self.proof.old
        signal = int(self.proof.old_signals[net])
        every = (1 << (1 << self.count)) - 1
        if not inner and signal >> 1 in self.leaves:
            self.reached.add(signal >> 1)
            return self.leaves[signal >> 1] ^ (every * (signal & 1))
        root = int(old.root[net])
        if root not in self.known:
            self.known[root] = self._of_gate(int(old.design.pin_instance[old.driver[root]]))
        return self.known[root] ^ (every * int(old.inverted[net]))

    def _of_gate(self, at: int) -> int:
        design = self.proof.old.design
        self.gates.add(at)
        cell = self.proof.library.cells.get(design.kinds[design.kind[at]].name)
        function = cell.outputs[0].function if cell and len(cell.outputs) == 1 else None
        if cell is None or cell.sequential or function is None or len(self.gates) > _MOST_GATES:
            raise FlowError(
                f"{design.names[at]} is not between an adder cell and the gate that it replaces"
            )
        nets = _nets_of(design, at)
        given = {pin: self.table(nets[pin], inner=False) for pin in function.pins}
        return _evaluated(function, given, self.count)


def _nets_of(design: ArrayNetlist, at: int) -> dict[str, int]:
    pins = range(design.pin_start[at], design.pin_start[at + 1])
    kind = design.kinds[design.kind[at]]
    return {pin.name: int(design.pin_net[p]) for pin, p in zip(kind.pins, pins, strict=True)}


def _variable(index: int, count: int) -> int:
    """Truth table of one of some variables: bit ``v`` is bit ``index`` of ``v``."""
    return sum(1 << value for value in range(1 << count) if value >> index & 1)


def _evaluated(function: BooleanFunction, given: Mapping[str, int], count: int) -> int:
    """Truth table of a function whose pins have the given truth tables."""
    tables = [given[pin] for pin in function.pins]
    return sum(
        int(function.table[tuple(table >> value & 1 for table in tables)]) << value
        for value in range(1 << count)
    )
