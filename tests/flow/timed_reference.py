"""Reference simulator of gates with delays: event-driven, one run at a time, slow and simple.

The rules, which docs/reference/flow.md explains:

1. A cycle begins at 0 ps: inputs and states of flip-flops change at that moment, all at once.
2. At each later moment, first all outputs that are due change at once. Then each gate with a
   changed input is evaluated once, with the present values of all its inputs.
3. If the new value differs from the output's pending value (or from its present value, if no change
   is pending), a pending change is withdrawn. If the new value also differs from the present one, a
   change becomes pending, due after the gate's delay.
4. The delay is the library's for the changed input, the edge of the output and the state of the
   inputs; if several inputs changed, the least of their delays.
5. When no change is pending, flip-flops store their inputs; with a gated clock, only if its enable
   is 1.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import FALL, RISE, Pin
from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.power.slews import Slews

Change = tuple[int, int]
"""Moment in ps and net."""


@dataclass(frozen=True, eq=False)
class Gate:
    """An output of a cell with the nets that it depends on; for a flip-flop, its state."""

    instance: Instance
    pin: Pin
    function: BooleanFunction
    reads: tuple[object, ...]
    drives: int

    @cached_property
    def truth_table(self) -> dict[tuple[bool, ...], bool]:
        """Value of the output by the values of the nets that the gate reads."""
        states = product((False, True), repeat=len(self.reads))
        return {state: bool(self.function.table[tuple(map(int, state))]) for state in states}


class Reference:
    """One run of a netlist.

    Parameters
    ----------
    netlist, slews
        Netlist of library cells, and the slews of their pins.
    """

    def __init__(self, netlist: Netlist, slews: Slews) -> None:
        self.netlist, self.slews = netlist, slews
        self.gates = list(self._gates())
        self.readers: dict[object, list[Gate]] = {}
        for gate in self.gates:
            for net in dict.fromkeys(gate.reads):
                self.readers.setdefault(net, []).append(gate)
        self.values: dict[object, bool] = {"0": False, "1": True, "x": False, "z": False}
        self.flip_flops = [x for x in netlist.instances if _is_flip_flop(x)]
        self.delays: dict[tuple[Gate, str, tuple[bool, ...], bool], int] = {}

    def _gates(self) -> Iterator[Gate]:
        for instance in self.netlist.instances:
            sequential = instance.cell.sequential
            if sequential is not None and not _is_flip_flop(instance):
                continue
            for pin in instance.cell.outputs:
                if pin.name not in instance.nets:
                    continue
                function = pin.function
                if sequential is not None:
                    state = BooleanFunction.variable(sequential.state)
                    function = function.substitute(sequential.complement, ~state)
                reads = tuple(
                    instance.nets[x] if x in instance.nets else instance.name for x in function.pins
                )
                yield Gate(instance, pin, function, reads, instance.nets[pin.name])

    def rest(self, inputs: Mapping[int, bool]) -> None:
        """Set inputs, and evaluate all gates without delays until no value changes."""
        self.values.update(inputs)
        for instance in self.flip_flops:
            self.values.setdefault(instance.name, False)
        changed = True
        while changed:
            changed = False
            for gate in self.gates:
                value = self.evaluate(gate)
                if self.values.get(gate.drives) != value:
                    self.values[gate.drives] = value
                    changed = True

    def evaluate(self, gate: Gate) -> bool:
        """Value of a gate's function for the present values of its inputs."""
        return gate.truth_table[self.state(gate)]

    def state(self, gate: Gate) -> tuple[bool, ...]:
        """Present values of a gate's inputs."""
        return tuple([self.values.get(net, False) for net in gate.reads])

    def following(self) -> dict[object, bool]:
        """States of the flip-flops after the next clock edge."""
        enables = self.netlist.gated_clocks
        found = {}
        for instance in self.flip_flops:
            sequential = instance.cell.sequential
            (clock,) = sequential.clock.pins
            enable = enables.get(instance.nets[clock])
            if enable is not None and not self.values[enable]:
                continue
            values = tuple(int(self.values[instance.nets[p]]) for p in sequential.next_state.pins)
            found[instance.name] = bool(sequential.next_state.table[values])
        return found

    def cycle(self, changes: Mapping[object, bool]) -> list[Change]:
        """Simulate a cycle that begins with new values of inputs and states."""
        seen: list[Change] = []
        waiting: dict[Gate, int] = {}
        meant: dict[Gate, bool] = {}
        moments = [0]
        now = -1
        while moments:
            time = heapq.heappop(moments)
            if time == now:
                continue
            now = time
            due = [gate for gate, at in waiting.items() if at == now]
            new = {gate.drives: meant[gate] for gate in due}
            for gate in due:
                del waiting[gate]
            if now == 0:
                new |= {net: v for net, v in changes.items() if self.values[net] != v}
            self.values.update(new)
            seen += [(now, net) for net in new if isinstance(net, int)]
            for gate in dict.fromkeys(g for net in new for g in self.readers.get(net, ())):
                value = self.evaluate(gate)
                shown = self.values[gate.drives]
                if value == meant.get(gate, shown):
                    continue
                meant[gate] = value
                waiting.pop(gate, None)
                if value != shown:
                    waiting[gate] = now + self.delay(gate, new, value)
                    heapq.heappush(moments, waiting[gate])
        return seen

    def delay(self, gate: Gate, changed: Mapping[object, bool], value: bool) -> int:
        """Least delay of the inputs that changed, in ps."""
        state = self.state(gate)
        found = []
        for pin, net in zip(gate.function.pins, gate.reads, strict=True):
            if net in changed:
                key = gate, pin, state, value
                if key not in self.delays:
                    self.delays[key] = self._arc(*key)
                found.append(self.delays[key])
        return min(found)

    def _arc(self, gate: Gate, name: str, values: tuple[bool, ...], value: bool) -> int:
        """Delay from an input to an edge of the output, in a state of the inputs."""
        sequential = gate.instance.cell.sequential
        edge = RISE if value else FALL
        related = sequential.clock.pins[0] if sequential else name
        arcs = [arc for arc in gate.pin.delay_arcs if arc.related_pin == related]
        state = dict(zip(gate.function.pins, values, strict=True))
        holds = [a for a in arcs if a.when is not None and a.when.restrict(state).table.all()]
        chosen = holds[:1] or [a for a in arcs if a.when is None] or arcs
        load = self.netlist.load_f[gate.drives]
        longest = 0.0
        for arc in chosen:
            if edge in arc.tables:
                slew = max(self._slews(gate, name, arc, edge, bool(sequential)))
                longest = max(longest, float(arc.tables[edge].lookup(slew, load)))
        return max(1, round(longest * 1e12))

    def _slews(self, gate: Gate, name: str, arc, edge: str, clocked: bool) -> list[float]:
        """Slews of the edges of an input that can cause an edge of the output."""
        instance = gate.instance.name
        if clocked:
            return [self.slews.slew_s(instance, arc.related_pin, RISE)]
        found = []
        for values in np.ndindex(*(2,) * len(gate.function.pins)):
            state = dict(zip(gate.function.pins, map(bool, values), strict=True))
            if arc.when is not None and not arc.when.restrict(state).table.all():
                continue
            after = bool(gate.function.restrict(state).table)
            before = bool(gate.function.restrict({**state, name: not state[name]}).table)
            if after != before and after == (edge == RISE):
                found.append(self.slews.slew_s(instance, name, RISE if state[name] else FALL))
        return found or [self.slews.slew_s(instance, name, edge)]


def _is_flip_flop(instance: Instance) -> bool:
    sequential = instance.cell.sequential
    return sequential is not None and sequential.kind == "ff"
