"""Compares a simulation of gates with delays to a reference, toggle by toggle.

The reference is event-driven, simulates one run at a time, and is slow and simple. Its rules, which
docs/reference/flow.md explains:

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
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import FALL, RISE, Library, Pin
from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.yosys_json import Bit
from rsaxcel.sim.batch import RESET_CYCLES, Conditions
from tests.flow.flow_circuits import Circuit

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


ROWS = 4_000_000
"""Most rows of a log; all of them take 128 MB."""

Requests = Sequence[Sequence[int]]
"""Request messages: a row for each lane; all rows are equally long."""


def random_slews(netlist: Netlist, seed: int) -> Slews:
    """Draw slews for every pin, within the range of the library's tables."""
    draw = random.Random(seed)
    longest = _longest_slew_s(netlist.library)
    return Slews(
        {
            (x.name, pin): (draw.uniform(1e-12, longest), draw.uniform(1e-12, longest))
            for x in netlist.instances
            for pin in x.cell.pins
        }
    )


def _longest_slew_s(library: Library) -> float:
    return max(
        float(table.slews_s[-1])
        for cell in library.cells.values()
        for pin in cell.outputs
        for arc in pin.delay_arcs
        for table in arc.tables.values()
    )


def random_operation(circuit: Circuit, draw: random.Random, exponent_nbits: int) -> int:
    """Draw a request inside the input rules, with a modulus of all bits."""
    configuration = circuit.configuration
    nbits = configuration.nbits
    modulus = configuration.usable_modulus(draw.getrandbits(nbits) | 1 << (nbits - 1) | 1)
    operands = draw.randrange(modulus), draw.getrandbits(exponent_nbits), modulus
    fields = zip(configuration.request(*operands), circuit.module.request.fields, strict=True)
    return sum(int(value) << field.lsb for value, field in fields)


class TimedSimulation:
    """A simulation with delays, with one request in flight, and its log of toggles.

    Parameters
    ----------
    netlist, slews
        See :class:`~flow.gates.streams.GateSimulator`.
    requests, uncounted, count_tail, under
        See :meth:`~flow.gates.streams.GateSimulator.run`.
    """

    def __init__(
        self,
        netlist: Netlist,
        slews: Slews,
        requests: Requests,
        *,
        uncounted: int = 0,
        count_tail: bool = False,
        under: Conditions | None = None,
    ) -> None:
        self.netlist, self.slews = netlist, slews
        self.requests, self.uncounted, self.count_tail = requests, uncounted, count_tail
        self._how = {
            "uncounted": uncounted,
            "count_tail": count_tail,
            "under": under or Conditions(),
        }
        simulator = GateSimulator(netlist, slews)
        self.run = simulator.run(requests, log_rows=ROWS, **self._how)
        assert self.run.timed is not None
        self.log = self.run.timed.log
        assert 0 < len(self.log) < ROWS
        # Inputs that nothing reads are not compared.
        seen = netlist.observed | netlist.drivers.keys()
        self.nets = {at: bit for bit, at in simulator.circuit.nets.items() if bit in seen}
        # Cycles before the first counted cycle of all lanes are not numbered in the log.
        self._cycles_before = min(self.counted_from(lane) for lane in range(len(requests)))

    def counted_from(self, lane: int) -> int:
        """First counted cycle of a lane."""
        return int(self.run.taken[lane][self.uncounted - 1]) + 1 if self.uncounted else 0

    def toggles(self, lane: int) -> dict[int, list[Change]]:
        """Toggles of a lane by cycle."""
        found: dict[int, list[Change]] = {}
        own = self.log[(self.log[:, 3] >> lane & 1).astype(bool)]
        for cycle, net, at, _ in own.tolist():
            if net in self.nets:
                found.setdefault(cycle + self._cycles_before, []).append((at, self.nets[net]))
        return found

    def toggles_by_net(self) -> Counter[int]:
        """Toggles of all lanes together in the log, by net."""
        found: Counter[int] = Counter()
        lanes = np.unpackbits(self.log[:, 3:].view(np.uint8), axis=1).sum(axis=1)
        counts = np.bincount(self.log[:, 1], weights=lanes)
        for at, bit in self.nets.items():
            if at < len(counts):
                found[bit] = int(counts[at])
        return found

    def moments_by_cycle(self) -> np.ndarray:
        """Number of moments of all nets in each cycle of the log."""
        return np.bincount(self.log[:, 0])

    def inputs(self, lane: int) -> Iterator[dict[int, bool]]:
        """Yield the values of the input nets in each cycle up to a lane's last response."""
        ports = self.netlist.ports
        (valid,), (ready,) = ports["recv__val"], ports["send__rdy"]
        values: dict[Bit, bool] = {ports["reset"][0]: False, ready: True}
        loads = self.netlist.loads
        offered = 0
        rows = zip(self.requests[lane], self.run.accepted[lane], self.run.taken[lane], strict=True)
        for request, accepted, taken in rows:
            values |= {bit: bool(request >> i & 1) for i, bit in enumerate(ports["recv__msg"])}
            for cycle in range(offered, int(taken) + 1):
                values[valid] = bool(cycle <= accepted)
                yield {bit: value for bit, value in values.items() if bit in loads}
            offered = int(taken) + 1
        if self.count_tail:
            values |= {valid: False, ready: False}
            yield {bit: value for bit, value in values.items() if bit in loads}

    def check_counters(self) -> None:
        """Check that counters agree with the log, and that results do not depend on delays."""
        run = self.run
        plain = GateSimulator(self.netlist).run(self.requests, **self._how)
        assert plain.responses == run.responses
        assert np.array_equal(plain.valid, run.valid)
        assert plain.activity.high == run.activity.high
        logged = self.toggles_by_net()
        assert plain.activity.toggles == run.activity.useful.toggles
        for bit in self.netlist.observed - self.netlist.clock_nets:
            assert run.activity.toggles[bit] == logged[bit]


@dataclass(frozen=True)
class Comparison:
    """Result of a comparison with the reference.

    Parameters
    ----------
    operations, toggles
        Numbers of operations and toggles that agree.
    difference
        The first cycle that differs, and how; empty: none differs.
    """

    operations: int
    toggles: int
    difference: str = ""


def compare(simulation: TimedSimulation, lanes: Iterable[int] | None = None) -> Comparison:
    """Compare the counted cycles of all lanes, or of some, up to the first difference."""
    reference = Reference(simulation.netlist, simulation.slews)
    _reset(reference)
    rest = reference.values
    operations = toggles = 0
    for lane in range(len(simulation.requests)) if lanes is None else lanes:
        reference.values = dict(rest)
        found = simulation.toggles(lane)
        for cycle, expected in enumerate(_cycles(reference, simulation, lane)):
            if cycle < simulation.counted_from(lane):
                continue
            got = found.pop(cycle, [])
            if sorted(got) != sorted(expected):
                told = _told(simulation.netlist, got, expected)
                return Comparison(operations, toggles, f"lane {lane}, cycle {cycle}: {told}")
            toggles += len(got)
        if found:
            return Comparison(operations, toggles, f"lane {lane} toggles after its last response")
        operations += len(simulation.requests[lane]) - simulation.uncounted
    return Comparison(operations, toggles)


def _cycles(reference: Reference, simulation: TimedSimulation, lane: int) -> Iterator[list[Change]]:
    """Yield the reference's toggles in each cycle of a lane."""
    states: dict = {}
    for inputs in simulation.inputs(lane):
        yield reference.cycle({**states, **inputs})
        states = reference.following()


def _reset(reference: Reference) -> None:
    """Bring the reference to the start of a run: registers hold 0, then a reset follows."""
    netlist = reference.netlist
    (reset,) = netlist.ports["reset"]
    inputs = netlist.input_nets - netlist.clock_nets
    reference.rest({bit: bit == reset for bit in inputs})
    for _ in range(RESET_CYCLES):
        reference.rest(reference.following())
    reference.rest({reset: False})


def _told(netlist: Netlist, got: list[Change], expected: list[Change]) -> str:
    """Describe the first toggles that only one of the two sides has."""
    sides = []
    for name, own, other in (("simulator", got, expected), ("reference", expected, got)):
        only = sorted((Counter(own) - Counter(other)).elements())
        first = [f"{netlist.name_of(bit)} at {at} ps" for at, bit in only[:3]]
        sides.append(f"{len(only)} toggles of the {name} alone, {', '.join(first) or 'none'}")
    return "; ".join(sides)
