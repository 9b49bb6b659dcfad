"""Subjects for circuits: exponentiations are the workload, or products for a multiplier."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import cycle, islice
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rsaxcel.circuit import Circuit, ProductCircuit
from rsaxcel.diagnosis.component import message_types
from rsaxcel.fl.status import Status
from rsaxcel.flow import requests
from rsaxcel.flow.answers import After, NetlistAnswer, answers
from rsaxcel.flow.errors import FlowError, WrongNetlist
from rsaxcel.flow.requests import OPERATION_COUNT, operations, workload_operands
from rsaxcel.flow.subjects.subject import Subject, Tried
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import expected_response, operation
from rsaxcel.sim.translate import Message, VerilogModule
from rsaxcel.store.code import code_digest
from rsaxcel.store.folders import cache_root, keep_json, key_of

if TYPE_CHECKING:  # slow to import, and a result that is there needs no simulation
    from rsaxcel.flow.gates.level import GateLevel
    from rsaxcel.flow.gates.streams import GateRun, GateSimulator
    from rsaxcel.flow.gates.timed import Sample
    from rsaxcel.flow.power.activity import Simulated
    from rsaxcel.flow.power.netlist import Netlist

#: Limit of a simulation, in gates times cycles. A gate takes about 1 ns for a cycle of all lanes
#: (operations that are simulated side by side) together.
_GATE_CYCLES = 2e10
#: Operations of a lane, one after the other: one that does not count, and one that counts.
_OPERATIONS_IN_TURN = 2
#: Bits that a shortened exponent has at least (65537 has 17); if the exponent is counted down,
#: products that are simulated at least.
_LEAST_STEPS = 17
#: Operations that are drawn after synthesis; corners, and up to 8 bits all bases with all moduli,
#: are in addition. Limit of their simulation, as above.
_FRESH, _FRESH_GATE_CYCLES = 2000, 4e9
#: Bits of exponents if not even one drawn operation of each lane is within the limit.
_SHORT_NBITS = 16


class CircuitSubject(Subject):
    """Subject for a circuit with streams: an exponentiator, or a multiplier alone."""

    check: Callable[[Any], object] = staticmethod(message_types)
    sign = "**"  #: between the first two operands, in messages

    def __init__(self, configuration: Circuit) -> None:
        super().__init__(configuration)
        self.configuration = configuration

    @property
    def is_foreign(self) -> bool:
        return self.configuration.is_foreign

    @property
    def is_measured(self) -> bool:
        """Whether answers and cycles are simulated at RTL, as those of a core in a shell are."""
        return "cl" not in self.configuration.levels or self.configuration.shelled is not None

    @property
    def after(self) -> After | None:
        """Function for an answer after other operations; None if it does not depend on them.

        That of a core in a shell may depend on them: its netlist then has to, too.
        """
        return (lambda rows: self.answers(rows)[-1]) if self.configuration.shelled else None

    def request(self, interface: VerilogModule, operands: Operands) -> int:
        """Message that asks for an operation."""
        return pack(interface.request, self.configuration.request(*operands))

    def expected(self, row: Operands) -> tuple[int, ...]:
        """Response by Python's integers."""
        response = expected_response(operation(self.configuration), row)
        return response if self.exponent_nbits else response[:1]

    def answers(self, rows: Sequence[Operands]) -> list[NetlistAnswer]:
        """Return what a netlist must answer to operations, each after those before it."""
        with simulated_at_rtl():
            return answers(self.configuration, rows, self.expected, may_hang=True)

    def simulated(
        self,
        simulator: GateSimulator,
        interface: VerilogModule,
        lanes: Sequence[Sequence[NetlistAnswer]],
        *,
        uncounted: int,
        most_cycles: int,
        sample: Sample,
    ) -> GateRun:
        """Simulate the operations of each lane one after the other, and check the answers.

        Registers start with random values, as in silicon. ``most_cycles`` are those of the longest
        operation, with its loading.
        """
        import numpy as np

        request, response = interface.request, interface.response
        run = simulator.run(
            [[self.request(interface, x.operands) for x in lane] for lane in lanes],
            uncounted=uncounted,
            registers=np.random.default_rng(0),
            sample=sample,
            digits=(request.digits, response.digits),
            # Twice the expected time: a late response still arrives, and is reported below; a
            # circuit that hangs fails soon.
            max_idle_cycles=2 * most_cycles,
        )
        for lane, messages, latencies in zip(lanes, run.responses, run.latencies, strict=True):
            for turn, (wanted, message) in enumerate(zip(lane, messages, strict=True)):
                done = [x.operands for x in lane[: turn + 1]]
                got, cycles = unpack(response, message), int(latencies[turn])
                if told := wanted.after(done, self.after, got, cycles):
                    first, second, modulus = wanted.operands
                    row = f"{first}{self.sign}{second} mod {modulus}"
                    raise FlowError(f"the netlist, for {row}: {told}")
        return run

    def run_fresh(self, netlist: Netlist, interface: VerilogModule) -> Tried:
        """Run as many operations as take some seconds, drawn now: no netlist can know them.

        Gates have no delays; registers start with random values. ``WrongNetlist`` has the operands.
        """
        import numpy as np

        from rsaxcel.flow.gates.engine import LANES
        from rsaxcel.flow.gates.streams import GateSimulator

        seed = secrets.randbits(32)
        request, response = interface.request, interface.response
        rows = self._drawn(len(netlist.instances), seed)
        answers = self.answers(rows)
        faults = [x.fault for x in answers if x.fault]
        answers = [x for x in answers if x.response]
        rows = [x.operands for x in answers]
        lanes = min(LANES, len(rows))
        turns = ceil(len(rows) / lanes)
        order = list(islice(cycle(range(len(rows))), lanes * turns))
        sent = [self.request(interface, row) for row in rows]
        slowest = max(x.cycles for x in answers)
        try:
            run = GateSimulator(netlist).run(
                [[sent[index] for index in order[lane::lanes]] for lane in range(lanes)],
                registers=np.random.default_rng(seed),
                digits=(request.digits, response.digits),
                # Twice the expected time, so that a late response still arrives.
                max_idle_cycles=2 * (self.configuration.load_cycles + slowest + 1),
            )
        except FlowError as error:
            raise WrongNetlist(f"{error} (operands drawn after synthesis, seed {seed})") from error
        for place, index in enumerate(order):
            lane, turn = place % lanes, place // lanes
            got = unpack(response, run.responses[lane][turn])
            cycles = int(run.latencies[lane, turn])
            told = answers[index].difference(got, cycles)
            if told and self.after is not None:
                after = self.after([rows[x] for x in order[lane::lanes][: turn + 1]])
                if not after.difference(got, cycles):
                    faults += [f"{after.fault} after other operations"] if after.fault else []
                    told = ""
            if told:
                to_do = operation(self.configuration)
                values = zip(to_do.keys, to_do.values(rows[index]), strict=True)
                shown = ", ".join(f"{key}={value:#x}" for key, value in values)
                raise WrongNetlist(
                    f"the netlist, for {shown} (drawn after synthesis, seed {seed}): {told}"
                )
        return Tried(len(rows), seed, tuple(faults))

    def _drawn(self, gates: int, seed: int) -> list[Operands]:
        """Draw the operations of ``run_fresh``."""
        from rsaxcel.flow.gates.engine import LANES
        from rsaxcel.sim.check.rows import rows_of

        def length(row: Operands) -> tuple[int, int]:
            first, second, modulus = row
            return second.bit_length(), min(first, modulus - first)  # 1 and -1 may take few cycles

        draw = random.Random(seed)
        rows = rows_of(self.configuration, _FRESH, seed)
        # A request that is refused takes few cycles.
        by_length = sorted(rows, key=length, reverse=True)
        longest = next(row for row in by_length if self.expected(row)[1:] in ((), (Status.OK,)))
        slowest = self.answers([longest])[0].cycles
        count = LANES * int(_FRESH_GATE_CYCLES / (gates * max(1, slowest)))
        if count:
            return draw.sample(rows, min(count, len(rows)))
        if self.exponent_nbits and not self.configuration.halves:
            # The second operand is one exponent, which can be shorter.
            most = (1 << _SHORT_NBITS) - 1
            return [(base, e & most, n) for base, e, n in draw.sample(rows, LANES)]
        order = draw.sample(rows, len(rows))
        return sorted(order, key=lambda row: self.answers([row])[0].cycles)[:LANES]


class ExponentiatorSubject(CircuitSubject):
    """Subject for a design, with exponentiations as its workload."""

    def work(self, exponents: Mapping[str, int]) -> Any:
        """Digest of requests, responses, cycles, ``load_cycles`` and ``exponent_dependent``.

        Without a cycle model, digest of the operands alone: cycles follow from the circuit.
        """
        if self.is_measured:
            drawn = [
                workload_operands(self.configuration, x, OPERATION_COUNT)
                for x in exponents.values()
            ]
            return [self.name, dict(exponents), drawn]

        def evaluate() -> str:
            done = {name: self._operations(exponent) for name, exponent in exponents.items()}
            asked = [self.configuration.request(*o.operands) for row in done.values() for o in row]
            dependent = self.configuration.exponent_dependent
            figures = [repr(o) for row in done.values() for o in row]
            return key_of(exponents, figures, asked, self.configuration.load_cycles, dependent)

        # The digest is stored: at large widths, the models take longer to compute it than all other
        # parts of a record's key take.
        sources = code_digest([*self.sources, Path(str(requests.__file__)), Path(__file__)])
        key = key_of(self.params, exponents, sources)
        return keep_json(cache_root(), f"work-{self.name}-{key}", evaluate)

    def simulate(
        self, level: GateLevel, interface: VerilogModule, exponents: Mapping[str, int]
    ) -> Iterator[Simulated]:
        """Run the operations of each type, and check responses and cycles.

        A simulation that would take too long has only the first steps, with a shorter exponent
        (``plan.scan.Scan.leading``): all steps cost similar products, so that the power is equal.
        If cycles do not depend on the exponent, this would save no time. Such a simulation also
        leaves out the first, uncounted operation, which stands for earlier use: the initial
        registers changed toggles by at most 0.03 % at 256 and 512 bits.
        """
        from rsaxcel.flow.gates.streams import GateSimulator

        simulator = GateSimulator(level.netlist, level.slews)
        for name, exponent in exponents.items():
            yield self._simulate(level, simulator, interface, name, exponent)

    def _simulate(
        self,
        level: GateLevel,
        simulator: GateSimulator,
        interface: VerilogModule,
        name: str,
        exponent: int,
    ) -> Simulated:
        from rsaxcel.flow.power.activity import Simulated

        whole = self._operations(exponent)
        cycles = fmean(o.cycles for o in whole)
        gates = len(level.netlist.instances)
        share = _GATE_CYCLES / (gates * cycles * _OPERATIONS_IN_TURN)
        simulated = exponent
        if self.configuration.exponent_dependent:
            simulated = self.configuration.shortened(exponent, share, _LEAST_STEPS)
        wanted = whole if simulated == exponent else self._operations(simulated)
        figures = {"exponent": exponent, "cycles": cycles, "simulated_exponent": simulated}
        # An operation normally follows another one, not a reset: each lane first runs the operation
        # of the lane before.
        uncounted = 1 if share >= 1 else 0
        lanes = [[wanted[at - n] for n in range(uncounted, -1, -1)] for at in range(len(wanted))]

        def run(sample: Sample) -> Simulated:
            done = self.simulated(
                simulator,
                interface,
                lanes,
                uncounted=uncounted,
                most_cycles=self.configuration.load_cycles + max(o.cycles for o in wanted),
                sample=sample,
            )
            measured = {"simulated_cycles": done.latencies[:, -1].mean()}
            return Simulated(name, done.activity, done.counted, {**figures, **measured})

        return level.measured(name, fmean(o.cycles for o in wanted), run)

    def faults(self, exponents: Mapping[str, int]) -> list[str]:
        done = (self._operations(x) for x in exponents.values())
        return [o.fault for row in done for o in row if o.fault]

    def _operations(self, exponent: int) -> list[NetlistAnswer]:
        return _operations(self.configuration, exponent)


@contextmanager
def simulated_at_rtl() -> Iterator[None]:
    """Say of a simulation that fails, for the cycles of a circuit, that it is at RTL."""
    from rsaxcel.sim.batch import SimulationError

    try:
        yield
    except SimulationError as error:
        raise WrongNetlist(f"the circuit at RTL: {error}") from error


@cache
def _operations(configuration: Circuit, exponent: int) -> list[NetlistAnswer]:
    with simulated_at_rtl():
        return operations(configuration, exponent, OPERATION_COUNT)


def pack(message: Message, fields: Sequence[int]) -> int:
    """Pack the fields of a message into one number."""
    return sum(value << field.lsb for field, value in zip(message.fields, fields, strict=True))


def unpack(message: Message, number: int) -> tuple[int, ...]:
    """Unpack the fields of a message from a number."""
    return tuple(number >> field.lsb & (1 << field.width) - 1 for field in message.fields)


_PRODUCT = "product"


class MultiplierSubject(CircuitSubject):
    configuration: ProductCircuit
    sign = " * "

    def work(self, exponents: Mapping[str, int]) -> Any:
        """Digest of the workload: the requests, responses and cycles of all products.

        Without a cycle model, the operands: see ``ExponentiatorSubject.work``.
        """
        if self.is_measured:
            return [self.name, requests.drawn(self.configuration)]

        def evaluate() -> str:
            runs = requests.products(self.configuration)
            return key_of(
                [[(repr(x), self.configuration.request(*x.operands)) for x in run] for run in runs]
            )

        # The digest is stored: at large widths, the cycle model takes longer to compute it than all
        # other parts of a record's key take.
        sources = code_digest([*self.sources, Path(str(requests.__file__)), Path(__file__)])
        key = key_of(self.params, sources)
        return keep_json(cache_root(), f"work-{self.name}-{key}", evaluate)

    def operations(self, exponents: Mapping[str, int]) -> list[str]:
        return [_PRODUCT]

    def simulate(
        self, level: GateLevel, interface: VerilogModule, exponents: Mapping[str, int]
    ) -> Iterator[Simulated]:
        """Run series of products side by side, and check results and cycles.

        The first product of each does not count: products normally follow others, not a reset.
        """
        from rsaxcel.flow.gates.streams import GateSimulator
        from rsaxcel.flow.power.activity import Simulated

        wanted = _products(self.configuration)
        slowest = max(x.cycles for run in wanted for x in run)
        around = self.configuration.load_cycles + self.configuration.clear_cycles
        simulator = GateSimulator(level.netlist, level.slews)
        # A combinational circuit answers in the cycle of the request: 0 cycles count as 1.
        cycles = [max(1, x.cycles) for run in wanted for x in run[1:]]

        def run(sample: Sample) -> Simulated:
            most = around + slowest + 1
            done = self.simulated(
                simulator, interface, wanted, uncounted=1, most_cycles=most, sample=sample
            )
            return Simulated(_PRODUCT, done.activity, done.counted, {"cycles": fmean(cycles)})

        yield level.measured(_PRODUCT, sum(cycles) / len(wanted), run)

    def faults(self, exponents: Mapping[str, int]) -> list[str]:
        return [x.fault for run in _products(self.configuration) for x in run if x.fault]

    def answers(self, rows: Sequence[Operands]) -> list[NetlistAnswer]:
        with simulated_at_rtl():
            return requests.product_answers(self.configuration, rows, may_hang=True)


@cache
def _products(configuration: ProductCircuit) -> list[list[NetlistAnswer]]:
    with simulated_at_rtl():
        return requests.products(configuration)
