"""Timing of every exponentiator: the cycles of its products, its control and its store, added."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rsaxcel.cl.elastic import Timing, finish, latency
from rsaxcel.fl.exponentiator import ExponentiatorFL, Outcome
from rsaxcel.fl.status import Status
from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import Product
from rsaxcel.plan.walk import Formed, State


@dataclass(frozen=True)
class Handshake:
    """Cycles that the control of an exponentiator adds to the iterations of its products.

    A *turn* is one execution of a program's steps up to ``leave`` (``Program.turns``). A request
    has one turn, or one turn for each half if one lane executes both halves.

    Parameters
    ----------
    load_cycles : int
        From the offer of a request to its acceptance: operands are loaded word by word.
    request_cycles : int
        From the acceptance of a request to the first step: operands are registered, input rules
        checked.
    start_cycles : int
        Additional cycles before the first step of each turn: the multiplier prepares for a modulus.
    turn_cycles : int
        Additional cycles before the first step of every later turn: the modulus is replaced.
    step_cycles : int
        From the last result of a step to the next step: the result is registered.
    empty_cycles : int
        Additional cycles of a step without products.
    lane_cycles : int
        Delay between the start of a lane and the start of the next lane.
    product_cycles : int or None
        Cycles of a product in addition to its iterations; None: as in the multiplier's circuit.
    status_cycles : int
        Additional cycles before a request is refused, where a program checks its result.
    verdict_cycles : int
        From the end of a check's last step to the response, where a program checks its result.
    unload_cycles : int
        From the end of the last step to the response: final subtraction and output of the result.
    send_cycles : int
        From the first digit of a response to the last one, which completes the response; part of
        ``unload_cycles``. 0: the response comes in one cycle.
    """

    load_cycles: int = 0
    request_cycles: int = 2
    start_cycles: int = 0
    turn_cycles: int = 0
    step_cycles: int = 1
    empty_cycles: int = 0
    lane_cycles: int = 0
    product_cycles: int | None = None
    status_cycles: int = 0
    verdict_cycles: int = 0
    unload_cycles: int = 0
    send_cycles: int = 0

    @property
    def fixed_cycles(self) -> int:
        """Cycles that a request with one turn takes in total, minus the cycles of its steps."""
        return self.request_cycles + self.start_cycles + self.unload_cycles

    def refused_cycles(self, program: Program) -> int:
        """Cycles that a request spends in the executor of a program if it is refused."""
        late = self.status_cycles if program.check else 0
        return self.request_cycles + late + self.send_cycles

    @property
    def later_turn_cycles(self) -> int:
        """Cycles before the first step of every later turn."""
        return self.start_cycles + self.turn_cycles


VAL_RDY = Handshake()
"""Handshake of this project's circuits with residues in registers."""

STROBE = Handshake(request_cycles=0, step_cycles=0, lane_cycles=1, product_cycles=4)
"""Handshake of Li and Chu's printed Verilog, for comparison with their tables.

A product takes four cycles in addition to its iterations: the strobe is registered, the operands
are loaded, the end is detected, the result is registered. The square starts one cycle after the
product, so an exponent bit takes five cycles in addition to the iterations; the last product, which
has no square beside it, takes four. A request lasts as long as ``busy`` is high.
"""

STROBE_TO_READY = replace(STROBE, request_cycles=1)
"""Handshake of the circuit with strobes (``rtl.exponentiators.strobe_pair``): a request lasts from
the cycle of the strobe to that of ``ready``, one cycle longer than ``busy`` is high."""


MoreCycles = Callable[[Program], Mapping[Product, int]]
"""Function that maps the products of a program to their additional cycles, if they have any."""


def no_more(program: Program) -> Mapping[Product, int]:
    """Additional cycles of products: none (an empty mapping)."""
    return {}


@dataclass(frozen=True)
class ExponentiatorCL:
    """Cycle model of an exponentiator: results, and the cycles in each executor.

    Each executor is a stage of the model (``cl.elastic``).

    Parameters
    ----------
    golden : fl.exponentiator.ExponentiatorFL
        Programs, input rules and golden functions.
    multiplier : Timing
        Timing of every lane.
    units : tuple of Timing
        Timing of the units that compute constants.
    handshake : Handshake
        Cycles that the control of the exponentiator adds.
    more_cycles : callable
        Function that gives the cycles that the store adds to products of a program.
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
        """Give the outcome of a request, and the cycles that the request spends in each executor.

        The parameters are described in ``fl.exponentiator.ExponentiatorFL.power``.
        """
        programs = self.golden.programs
        status = self.golden.rules.status(base, exponent, modulus, missing)
        if status is not Status.OK:
            return Outcome(0, status), tuple(map(self.handshake.refused_cycles, programs))
        states = self.golden.begin(base, exponent, modulus, constants)
        durations = tuple(self._run(program, states) for program in programs)
        return self.golden.answer(states), durations

    def durations(self, base: int, exponent: int, modulus: int) -> tuple[int, ...]:
        """Cycles that the request spends in each executor."""
        return self.evaluate(base, exponent, modulus)[1]

    def _run(self, program: Program, states: Sequence[State]) -> int:
        handshake = self.handshake
        cycles = handshake.fixed_cycles
        cycles += (program.turn_count - 1) * handshake.later_turn_cycles
        if program.check:
            cycles += handshake.verdict_cycles
        moduli = [program.cofactor * state.modulus for state in states]
        if program.computed_constants:
            # units run in parallel, and the first step waits for the slowest one
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
        """Cycles of one step, from its start until its last result is registered.

        Parameters
        ----------
        formed : sequence of Formed
            Products that the step forms.
        program : Program
            Program with the step.
        moduli : sequence of int
            Modulus of the products, for each half.
        more : mapping
            Additional cycles of products.
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
