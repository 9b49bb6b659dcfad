"""Timing of every exponentiator, added up from its parts as the circuit is put together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cl.elastic import Timing, finish, latency
from fl.exponentiator import ExponentiatorFL, Outcome
from fl.status import Status
from plan.programs import Program
from plan.steps import Product
from plan.walk import Formed, State


@dataclass(frozen=True)
class Handshake:
    """Cycles that control adds around the iterations of products.

    Parameters
    ----------
    load_cycles : int
        From the first sight of a request to its acceptance: operands loaded word by word.
    request_cycles : int
        From a machine's request to its first step: operands registered, input rules judged. So
        many a request takes that is refused, too.
    start_cycles : int
        Before the first step of each turn, besides: a multiplier prepares for the modulus.
    turn_cycles : int
        Before the first step of every later turn, besides: its modulus takes the place of the last.
    step_cycles : int
        From the last result of a step to the next step: the result registered.
    empty_cycles : int
        Of a step without products, besides.
    lane_cycles : int
        By which each lane starts after the one before it.
    product_cycles : int or None
        Per product besides its iterations; None: what the multiplier's circuit takes.
    unload_cycles : int
        From the end of the last step to the response: final subtraction, result handed on.
    """

    load_cycles: int = 0
    request_cycles: int = 2
    start_cycles: int = 0
    turn_cycles: int = 0
    step_cycles: int = 1
    empty_cycles: int = 0
    lane_cycles: int = 0
    product_cycles: int | None = None
    unload_cycles: int = 0

    @property
    def fixed_cycles(self) -> int:
        """Cycles of a request besides its steps."""
        return self.request_cycles + self.start_cycles + self.unload_cycles

    @property
    def later_turn_cycles(self) -> int:
        """Cycles before every later turn of the halves."""
        return self.start_cycles + self.turn_cycles


VAL_RDY = Handshake()
"""What the circuits here do whose residues are in registers."""

STROBE = Handshake(request_cycles=0, step_cycles=0, lane_cycles=1, product_cycles=4)
"""What Li and Chu's printed Verilog does, for comparison with their tables.

A product is started by a registered strobe, loaded, found to be finished and registered, the square
is strobed a cycle after the product: five cycles per exponent bit. The last product, which no
square accompanies, takes four. What is counted are the cycles in which ``busy`` is high.
"""


MoreCycles = Callable[[Program], Mapping[Product, int]]
"""Cycles that some products of a program take besides those of the multiplier."""


def no_more(program: Program) -> Mapping[Product, int]:
    """No product does."""
    return {}


@dataclass(frozen=True)
class ExponentiatorCL:
    """Results and durations of an exponentiator; a stage per step machine.

    Parameters
    ----------
    golden : fl.exponentiator.ExponentiatorFL
        Programs, input rules and golden functions.
    multiplier : Timing
        Timing of every lane.
    units : tuple of Timing
        Timing of the units that compute constants.
    handshake : Handshake
        Cycles that control adds.
    more_cycles : callable
        What the store adds to products.
    """

    golden: ExponentiatorFL
    multiplier: Timing
    units: tuple[Timing, ...] = ()
    handshake: Handshake = VAL_RDY
    more_cycles: MoreCycles = no_more
    overlaps = False

    def evaluate(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> tuple[Outcome, tuple[int, ...]]:
        """Outcome, and the cycles that the request spends in each machine.

        Operands are those of ``fl.exponentiator.ExponentiatorFL.power``.
        """
        programs = self.golden.programs
        status = self.golden.rules.status(base, exponent, modulus, missing)
        if status is not Status.OK:
            return Outcome(0, status), (self.handshake.request_cycles,) * len(programs)
        states = self.golden.begin(base, exponent, modulus, constants)
        durations = tuple(self._run(program, states) for program in programs)
        return Outcome(self.golden.finish(states), Status.OK), durations

    def durations(self, base: int, exponent: int, modulus: int) -> tuple[int, ...]:
        """Cycles that the request spends in each machine."""
        return self.evaluate(base, exponent, modulus)[1]

    def _run(self, program: Program, states: Sequence[State]) -> int:
        handshake = self.handshake
        cycles = handshake.fixed_cycles
        cycles += (len(program.turns) - 1) * handshake.later_turn_cycles
        moduli = [program.cofactor * state.modulus for state in states]
        if program.supplied:
            # one beside the other; all of them are there before the first step
            cycles += max(latency(unit.durations(states[0].modulus)) for unit in self.units) + 1
        more = self.more_cycles(program)
        for formed in self.golden.run(program, states):
            cycles += self.step_cycles(formed, program, moduli, more)
        return cycles + (program.reduction.steps if program.reduction else 0)

    def step_cycles(
        self,
        formed: Sequence[Formed],
        program: Program,
        moduli: Sequence[int],
        more: Mapping[Product, int],
    ) -> int:
        """Cycles of one step: until its last result is registered.

        Parameters
        ----------
        formed : sequence of Formed
            Products that are formed.
        program : Program
            Whose step it is.
        moduli : sequence of int
            Those of the products, of each half.
        more : mapping
            Cycles that products take besides.
        """
        per_lane: dict[int, list[tuple[int, ...]]] = {}
        for product, half, a, b, *_ in formed:
            durations = self.multiplier.durations(a, b, moduli[half])
            if product in more:
                durations = (durations[0] + more[product], *durations[1:])
            per_lane.setdefault(program.lane(product, half), []).append(durations)
        last = [
            lane * self.handshake.lane_cycles + finish(items, self.multiplier.overlaps)
            for lane, items in per_lane.items()
        ]
        return max(last, default=self.handshake.empty_cycles) + self.handshake.step_cycles
