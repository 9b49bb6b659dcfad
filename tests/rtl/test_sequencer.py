"""Sequencers alone: order and cycles of steps, waiting lanes, resets, clearing."""

import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import pytest
from pymtl3 import Wire

import rsaxcel.rtl.measures  # noqa: F401  # adds itself to the parts of circuits
from rsaxcel import catalog
from rsaxcel.cl.elastic import finish
from rsaxcel.cl.exponentiator import VAL_RDY
from rsaxcel.plan.programs import Program
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.plan.steps import CONSTANT_OPERANDS, ENTRY, NEXT, Product
from rsaxcel.plan.walk import Due, State, walk
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
    """Expected steps by ``plan.walk``: the products of each step, with the residues they read."""

    def use(due: Due) -> Use:
        return Use(due.product, due.half, *(name for _, name in due.read[:2]))

    states = [State(0, exponent) for exponent in exponents]
    return [[use(due) for due in step] for block in walk(program, states) for step in block]


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


NBITS = 4
"""Bits of the exponent."""

PLAIN_LATENCY, AHEAD_LATENCY = 2, 4
"""Cycles of a product; a sequencer that looks ahead needs lanes of 4 cycles or more."""

EMPTY_CYCLES = catalog.get("orup_window").configure(8).timing.handshake.empty_cycles
"""Additional cycles of a step without products, where a sequencer looks ahead."""


def programs(name: str, **choices) -> list[Program]:
    """Programs of a composition whose exponent has few bits; none if the choices do not fit."""
    design = catalog.find(name)
    try:
        found = design.configure(8, **choices, exponent_nbits=NBITS)
    except ValueError:
        try:
            found = design.configure(8, **choices)
        except ValueError:
            return []
    return [*found.programs]


CASES = [
    pytest.param(program, looks_ahead, id=f"{name}-{schedule}-{lanes}-{program.name}")
    for name, looks_ahead in (
        ("ssmm_r2l", False),
        ("mont_r2l", False),
        ("orup_window", True),
        ("crt_window", True),
    )
    for schedule, lanes in product(SCHEDULES, (1, 2))
    for program in programs(name, schedule=schedule, lanes=lanes)
]


def exponents_of(program: Program, draw: random.Random, count: int) -> list[tuple[int, ...]]:
    """Exponents by half: 0, 1, all ones, and random ones."""
    ones = (1 << program.scan.exponent_nbits) - 1
    some = [0, 1, ones, *(draw.randrange(ones + 1) for _ in range(count))]
    return [(x, draw.choice(some)) if program.split else (x,) for x in some]


def cycles_of(program: Program, steps: list[list[Use]], latency: int, empty_cycles: int) -> int:
    """Cycles of all steps, by the cycle model of lanes that return to idle after each product."""
    cycles = 0
    for step in steps:
        lanes = [program.lane_of[use.product, use.half] for use in step]
        last = [finish([(latency,)] * lanes.count(x), overlaps=False) for x in set(lanes)]
        cycles += max(last, default=empty_cycles) + VAL_RDY.step_cycles
    return cycles


def bench_of(program: Program, looks_ahead: bool) -> Bench:
    """Bench with lanes as quick as the sequencer allows."""
    return Bench(program, looks_ahead, AHEAD_LATENCY if looks_ahead else PLAIN_LATENCY)


def ordered(steps: list[list[Use]]) -> list[list[str]]:
    """Steps as sorted texts, because products on different lanes have no order."""
    return [sorted(map(repr, step)) for step in steps]


@pytest.mark.parametrize(("program", "looks_ahead"), CASES)
def test_steps_come_in_their_order_and_cycles(program, looks_ahead):
    """A sequencer offers the products of each step, in the cycles of the cycle model."""
    draw = random.Random(str(program))
    bench = bench_of(program, looks_ahead)
    empty_cycles = EMPTY_CYCLES if looks_ahead else VAL_RDY.empty_cycles
    for exponents in exponents_of(program, draw, 3):
        expected = steps_of(program, *exponents)
        bench.load(*exponents)
        found = [*bench.steps()]
        assert ordered(found) == ordered(expected)
        assert bench.cycles == cycles_of(program, expected, bench.latency, empty_cycles)
        assert not any(bench.top.offers)


@pytest.mark.parametrize(("program", "looks_ahead"), CASES)
def test_lanes_may_let_products_wait(program, looks_ahead):
    """An offer does not change until the lane accepts it, and each product is offered once."""
    draw = random.Random(f"{program}/waits")
    bench = bench_of(program, looks_ahead)
    for exponents in exponents_of(program, draw, 1)[2:]:
        bench.load(*exponents)
        found = [*bench.steps(lambda: draw.random() < 0.3)]
        assert ordered(found) == ordered(steps_of(program, *exponents))


@pytest.mark.parametrize(("program", "looks_ahead"), CASES)
def test_a_reset_in_flight(program, looks_ahead):
    """A reset forgets offers and products in flight; the next exponent has all its steps."""
    draw = random.Random(f"{program}/reset")
    bench = bench_of(program, looks_ahead)
    _, _, ones, other = exponents_of(program, draw, 1)
    expected = ordered(steps_of(program, *other))
    for most in draw.sample(range(1, 30), 4):
        bench.load(*ones)
        [*bench.steps(most=most)]
        bench.set(reset=1)
        bench.cycle()
        bench.set(reset=0)
        bench.top.sim_settle()
        assert not any(bench.top.offers)
        assert not bench.top.finished
        bench.load(*other)
        assert ordered([*bench.steps()]) == expected


def test_the_first_step_of_a_sequencer_that_looks_ahead_needs_no_digit():
    (program,) = programs("ssmm_r2l", schedule="r2l")
    with pytest.raises(ValueError, match="core: its first step depends on the exponent"):
        LookAheadSequencer(program).elaborate()


@pytest.mark.parametrize(
    ("exponent", "steps"),
    [
        (0b0000, []),
        (0b0001, [["r=r*b"]]),
        (0b0010, [["b=b*b"], ["r=r*b"]]),
        (0b0110, [["b=b*b"], ["b=b*b", "r=r*b"], ["r=r*b"]]),
        (0b1001, [["b=b*b", "r=r*b"], ["b=b*b"], ["b=b*b"], ["r=r*b"]]),
    ],
)
@pytest.mark.parametrize("lanes", [1, 2])
def test_digits_decide_which_products_are_formed(exponent, steps, lanes):
    """Right to left: a product for each 1, and a square while a higher bit is set."""
    (program,) = programs("ssmm_r2l", schedule="r2l", lanes=lanes)
    bench = bench_of(program, False)
    bench.load(exponent)
    found = [[f"{use.product.dst}={use.a}*{use.b}" for use in step] for step in bench.steps()]
    assert [sorted(step) for step in found] == steps


@pytest.mark.parametrize("lanes", [1, 2])
@pytest.mark.parametrize(
    ("name", "schedule"), [*product(("ssmm_r2l", "orup_window"), SCHEDULES), ("mm_r2l", "m_ary")]
)
def test_products_in_this_order_make_the_power(name, schedule, lanes):
    """The offered products, executed on integers with R = 1, give Python's ``pow``."""
    modulus, draw = 1009, random.Random(f"{name}/{schedule}")
    for program in programs(name, schedule=schedule, lanes=lanes):
        bench = bench_of(program, name == "orup_window")
        for (exponent,) in exponents_of(program, draw, 4):
            residues = dict.fromkeys((*program.residues, *CONSTANT_OPERANDS), 1) | {"b": 5, "": 0}
            bench.load(exponent)
            for step in bench.steps():
                values = [residues[use.a] * residues[use.b] % modulus for use in step]
                for use, value in zip(step, values, strict=True):
                    residues[written(program, use)] = value
            assert residues["r"] == pow(5, exponent, modulus)


def written(program: Program, use: Use) -> str:
    """Residue that a product writes; ``NEXT`` is the entry after the one that it reads."""
    if use.product.dst != NEXT:
        return use.product.dst
    entry = use.a if use.product.a == ENTRY else use.b
    (index,) = (i for i in program.table.filled if program.entries[i] == entry)
    return program.entries[index + 1]


@pytest.mark.parametrize("name", ["orup_window", "crt_window", "crt_window_shared"])
def test_clearing_leaves_nothing_of_the_exponents(name):
    """Clearing removes exponents, even if no step has read them (a refused request)."""
    (program,) = programs(name)
    bench = Bench(program, True, AHEAD_LATENCY)
    ones = (1 << program.scan.exponent_nbits) - 1
    exponents = (ones,) * program.halves
    for runs in (False, True):
        bench.load(*exponents)
        if runs:
            [*bench.steps()]
        bench.set(
            vacant=1, load=1, exponent_in=ones
        )  # state ``BLANK``; the operands stay at the inputs
        bench.cycle()
        bench.set(vacant=0, load=0, clears=1)
        for _ in range(program.scan.ndigits + 5):
            bench.cycle()
        bench.set(clears=0)
        registers = [
            path
            for path in map(repr, bench.top.get_all_object_filter(lambda x: isinstance(x, Wire)))
            if path.endswith(("exponent_reg", "waiting_reg", "index_reg"))
        ]
        assert len(registers) > 3
        assert [path for path in registers if eval(path, {"s": bench.top})] == []
