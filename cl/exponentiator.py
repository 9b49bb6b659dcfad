"""Timing of every exponentiator: the sum of the cycles of products, control and store."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from rsaxcel.cl.elastic import Steady, Timing, finish, latency
from rsaxcel.fl.exponentiator import ExponentiatorFL, Outcome
from rsaxcel.fl.status import Status
from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import Product
from rsaxcel.plan.walk import Due, Formed, State, walk


@dataclass(frozen=True)
class Handshake:
    """Cycles that the control of an exponentiator adds to the iterations of its products.

    A *turn* is one execution of the steps up to ``leave`` (``Program.turns``): two if one lane
    executes both halves.
    """

    #: cycles from the offer of a request to its acceptance, if operands are loaded word by word
    load_cycles: int = 0
    request_cycles: int = 2  #: cycles from acceptance to the first step: registers, input rules
    #: cycles before the first step of each turn: the multiplier prepares for m
    start_cycles: int = 0
    turn_cycles: int = 0  #: cycles before the first step of a later turn: m is replaced
    step_cycles: int = 1  #: cycles from the last result of a step to the next step
    empty_cycles: int = 0  #: further cycles of a step without products
    lane_cycles: int = 0  #: cycles between the starts of two lanes
    product_cycles: int | None = (
        None  #: cycles of a product besides iterations; None: the circuit's
    )
    status_cycles: int = 0  #: further cycles before a refusal
    #: cycles from the last step to the response, where the store judges results
    verdict_cycles: int = 0
    unload_cycles: int = 0  #: cycles from the last step to the response: subtraction, output
    send_cycles: int = 0  #: part of `unload_cycles`: first to last digit of a response

    @property
    def fixed_cycles(self) -> int:
        """Cycles of a request with one turn besides its steps."""
        return self.request_cycles + self.start_cycles + self.unload_cycles

    @property
    def refused_cycles(self) -> int:
        """Cycles that a refused request spends in an executor."""
        return self.request_cycles + self.status_cycles + self.send_cycles

    @property
    def later_turn_cycles(self) -> int:
        return self.start_cycles + self.turn_cycles


VAL_RDY = Handshake()  #: handshake of this project's circuits with residues in registers

#: Li and Chu's printed Verilog, for comparison with their tables. Four cycles of a product besides
#: iterations: the strobe is registered, operands are loaded, the end is detected, the result is
#: registered. The square starts one cycle after the product, so an exponent bit takes five; the
#: last product, without a square, takes four. A request lasts as long as `busy` is high.
STROBE = Handshake(request_cycles=0, step_cycles=0, lane_cycles=1, product_cycles=4)

#: Circuit with strobes (rtl.exponentiators.strobe): a request lasts from the cycle of the
#: strobe to that of `ready`, one cycle longer than `busy` is high.
STROBE_TO_READY = replace(STROBE, request_cycles=1)

#: Circuit with one state machine for exponent and products (rtl.exponentiators.merged): `x` becomes
#: 1 in a cycle of its own. Each multiplier has its `merged_cycles` of a product.
MERGED_CYCLES = Handshake(start_cycles=1)


#: Returns further cycles of the products of a program, if any.
MoreCycles = Callable[[Program], Mapping[Product, int]]


def no_more(program: Program) -> Mapping[Product, int]:
    return {}


@dataclass(frozen=True)
class ExponentiatorCL:
    """Cycle model of an exponentiator: results, and the cycles in each executor."""

    golden: ExponentiatorFL
    multiplier: Timing
    units: tuple[Timing, ...] = ()  #: timing of the units that compute constants
    handshake: Handshake = VAL_RDY
    more_cycles: MoreCycles = no_more  #: cycles that the store adds to products of a program
    overlaps = False

    def evaluate(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> tuple[Outcome, tuple[int, ...]]:
        """Return the outcome of a request, and its cycles in each executor.

        See ``ExponentiatorFL.power``.
        """
        programs = self.golden.programs
        status = self.golden.rules.status(base, exponent, modulus, missing)
        if status is not Status.OK:
            return Outcome(0, status), (self.handshake.refused_cycles,) * len(programs)
        states = self.golden.begin(base, exponent, modulus, constants)
        durations = tuple(self._run(x, states, self.golden.run(x, states)) for x in programs)
        return self.golden.answer(states), durations

    def durations(self, base: int, exponent: int, modulus: int) -> tuple[int, ...]:
        """Return the cycles in each executor; products are formed only if cycles depend on them."""
        rules, programs = self.golden.rules, self.golden.programs
        depend = not self._steady or any(program.forms_exponents for program in programs)
        if depend or rules.status(base, exponent, modulus) is not Status.OK:
            return self.evaluate(base, exponent, modulus)[1]
        states = self.golden.begin(base, exponent, modulus)
        return tuple(self._run(x, states, chain.from_iterable(walk(x, states))) for x in programs)

    @property
    def _steady(self) -> bool:
        return isinstance(self.multiplier, Steady)

    @cached_property
    def _known(self) -> defaultdict[str, dict[tuple[int, ...], int]]:
        """Cycles of steps by program, if no operand changes them: equal steps take equal cycles."""
        return defaultdict(dict)

    def _run(
        self, program: Program, states: Sequence[State], steps: Iterable[Sequence[Formed | Due]]
    ) -> int:
        handshake = self.handshake
        cycles = handshake.fixed_cycles
        cycles += (program.turn_count - 1) * handshake.later_turn_cycles
        if program.judges:
            cycles += handshake.verdict_cycles
        moduli = [program.cofactor * state.modulus for state in states]
        if program.computed_constants:
            # units run in parallel, and the first step waits for the slowest one
            cycles += max(latency(unit.durations(states[0].modulus)) for unit in self.units) + 1
        more = self.more_cycles(program)
        steady = self._steady
        known = self._known[program.name]
        for step in steps:
            kind = tuple([x for each in step for x in (id(each.product), each.half)])
            if not steady or kind not in known:
                known[kind] = self.step_cycles(step, program, moduli, more)
            cycles += known[kind]
        return cycles + (program.reduction.steps if program.reduction else 0)

    def step_cycles(
        self,
        step: Sequence[Formed | Due],
        program: Program,
        moduli: Sequence[int],
        more: Mapping[Product, int],
    ) -> int:
        """Cycles of one step, from its start until its last result is registered."""
        lanes = program.lane_of
        per_lane: dict[int, list[tuple[int, ...]]] = {}
        for each in step:
            product, half = each.product, each.half
            # A product that is not formed has no operands: a steady multiplier reads none.
            operands = (each.a, each.b) if isinstance(each, Formed) else ()
            durations = self.multiplier.durations(*operands, moduli[half])
            if product in more:
                durations = (durations[0] + more[product], *durations[1:])
            per_lane.setdefault(lanes[product, half], []).append(durations)
        last = []
        for lane, items in per_lane.items():
            started = lane * self.handshake.lane_cycles
            last.append(started + finish(items, self.multiplier.overlaps))
        return max(last, default=self.handshake.empty_cycles) + self.handshake.step_cycles
