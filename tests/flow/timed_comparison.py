"""Compares a simulation of gates with delays to the reference, toggle by toggle."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.power.liberty import Library
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.yosys_json import Bit
from rsaxcel.sim.batch import RESET_CYCLES, Conditions
from tests.flow.flow_circuits import Circuit
from tests.flow.timed_reference import Change, Reference

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
