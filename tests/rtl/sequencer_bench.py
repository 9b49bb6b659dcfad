"""A bench for sequencers: lanes are counters, and the test drives each cycle."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import rsaxcel.rtl.measures  # noqa: F401  # adds itself to the parts of circuits
from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import ENTRY, NEXT, Product
from rsaxcel.plan.walk import Formed, State, walk
from rsaxcel.rtl.exponentiators.look_ahead import LookAheadSequencer
from rsaxcel.rtl.exponentiators.sequencer import Sequencer
from rsaxcel.rtl.lib.slots import Slots
from rsaxcel.rtl.parts import part_of
from rsaxcel.sim.pymtl_engine import prepare


class Use(NamedTuple):
    """A product with its half and the names of the residues that it reads, table entries too."""

    product: Product
    half: int
    a: str
    b: str


def steps_of(program: Program, *exponents: int) -> list[list[Use]]:
    """Expected steps by ``plan.walk``: the products of each step, with the residues they read.

    Each residue has a unique number as its value, which identifies the table entry that is read.
    """
    names = [*dict.fromkeys((*program.residues, *program.entries.values()))]
    numbers = {name: 100 + k for k, name in enumerate(names)} | dict.fromkeys(program.ones, 1)
    named = {number: name for name, number in numbers.items()} | {0: ""}
    entries = program.entries
    after = {numbers[entries[i]]: entries[i + 1] for i in entries if i + 1 in entries}

    def entry(formed: Formed) -> int:
        return formed.a if formed.product.a == ENTRY else formed.b

    def keep(formed: Formed) -> int:
        dst = formed.product.dst
        return numbers[after[entry(formed)] if dst == NEXT else dst]

    def use(formed: Formed) -> Use:
        product = formed.product
        read = (named[entry(formed)] if x == ENTRY else x for x in (product.a, product.b))
        return Use(product, formed.half, *read)

    states = [State(0, exponent, dict(numbers)) for exponent in exponents]
    return [[use(each) for each in step] for step in walk(program, states, keep)]


class Bench:
    """Drives a sequencer; a lane answers ``latency`` cycles after it has accepted a product."""

    def __init__(self, program: Program, looks_ahead: bool, latency: int):
        self.program, self.latency, self.looks_ahead = program, latency, looks_ahead
        self.slots = Slots(program)
        kind = LookAheadSequencer if looks_ahead else Sequencer
        self.top = part_of(program, kind)(program)
        self.top.elaborate()
        prepare(self.top, None)
        self.lanes = range(self.slots.lanes)
        self.set(reset=1)
        self.cycle()
        self.cycle()
        self.set(reset=0)
        if looks_ahead:
            self.set(vacant=1)

    def set(self, **ports: int) -> None:
        """Drive input ports."""
        for name, value in ports.items():
            port = getattr(self.top, name)
            port @= value

    def cycle(self) -> None:
        """Apply one clock edge."""
        self.top.sim_settle()
        self.top.sim_edge()

    def load(self, *exponents: int) -> None:
        """Load the exponents of the halves."""
        self.set(load=1, exponent_in=exponents[0])
        if len(exponents) > 1:
            self.set(other_exponent=exponents[1])
        self.cycle()
        self.set(load=0)
        if self.looks_ahead:  # a look-ahead sequencer has cycles to prepare while the lanes do
            self.set(vacant=0)
            for _ in range(5):
                self.cycle()

    def offered(self, lane: int) -> Use | None:
        """Product that a lane is offered in this cycle."""
        top, program = self.top, self.program
        if not top.offers[lane]:
            return None
        chosen = int(top.chosen[lane])
        assert chosen.bit_count() == 1
        product = self.slots.product(lane, chosen.bit_length() - 1)
        half, index = 0, int(top.index)
        if len(program.turns) > 1:
            half = int(top.half)
        elif program.split:
            half = lane
            index = int(top.other_index) if lane else index
        names = [
            program.entries.get(index, "") if x == ENTRY else x for x in (product.a, product.b)
        ]
        return Use(product, half, *names)

    def steps(
        self, accepts: Callable[[], bool] = lambda: True, most: int = 100_000
    ) -> Iterator[list[Use]]:
        """Start the program, and yield the products of each step in the order of acceptance.

        Parameters
        ----------
        accepts : callable
            Decides whether a free lane accepts in a cycle.
        most : int
            Number of cycles after which the bench stops in the middle of the program.

        ``cycles`` counts from the first cycle of the first step to the cycle with ``finished``.
        """
        top = self.top
        self.set(start=1)
        top.sim_settle()
        finished = bool(top.finished)  # a program without steps ends before it begins
        top.sim_edge()
        self.set(start=0)
        step: list[Use] = []
        left: dict[int, int] = {}  # cycles until a lane answers
        waits: dict[int, Use] = {}  # product that a lane was offered and has not accepted
        self.cycles = 0
        while not finished and self.cycles < most:
            self.cycles += 1
            free = [lane for lane in self.lanes if lane not in left and accepts()]
            for lane in self.lanes:
                top.accepts[lane] @= lane in free
                top.answers[lane] @= left.get(lane) == 0
            top.sim_settle()
            left = {lane: cycles - 1 for lane, cycles in left.items() if cycles}
            for lane in self.lanes:
                use = self.offered(lane)
                assert waits.pop(lane, use) == use
                if use and lane in free:
                    step.append(use)
                    left[lane] = self.latency - 1
                elif use:
                    waits[lane] = use
            advance, finished = bool(top.advance), bool(top.finished)
            assert not (advance and (left or waits))
            assert advance or not finished
            top.sim_edge()
            if advance:
                yield step
                step = []
        for lane in self.lanes:
            top.accepts[lane] @= 0
            top.answers[lane] @= 0
        if self.looks_ahead:
            self.set(vacant=1)
        top.sim_settle()
