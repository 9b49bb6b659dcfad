"""Timing of every exponentiator, added up from its parts as the circuit is put together."""

from dataclasses import dataclass

from cl.elastic import Timing, finish, latency
from fl.exponentiator import Exponentiator as Golden
from fl.exponentiator import Outcome
from fl.status import Status
from fl.steps import Program, State, walk

REQUEST_CYCLES = 2
"""A step machine's cycles besides its steps: operands registered, input rules judged."""


@dataclass(frozen=True)
class Exponentiator:
    """Results and durations of an exponentiator; a stage per step machine.

    Parameters
    ----------
    golden : fl.exponentiator.Exponentiator
        Programs, input rules and golden functions.
    multiplier : Timing
        Timing of every lane.
    constants : Timing or None
        Timing of the constants unit.
    """

    golden: Golden
    multiplier: Timing
    constants: Timing | None = None
    overlaps = False

    def evaluate(self, base: int, exponent: int, modulus: int) -> tuple[Outcome, tuple[int, ...]]:
        """Outcome, and the cycles that the request spends in each machine."""
        programs = self.golden.programs
        status = self.golden.rules.status(base, exponent, modulus)
        if status is not Status.OK:
            return Outcome(0, status), (REQUEST_CYCLES,) * len(programs)
        state = State(modulus, exponent, {"b": base})
        durations = tuple(self._run(program, state) for program in programs)
        return Outcome(state.residues["r"], Status.OK), durations

    def durations(self, base: int, exponent: int, modulus: int) -> tuple[int, ...]:
        """Cycles that the request spends in each machine."""
        return self.evaluate(base, exponent, modulus)[1]

    def _run(self, program: Program, state: State) -> int:
        cycles = REQUEST_CYCLES
        if program.constants:
            values = self.golden.constants(state.modulus)
            state.residues.update(zip(program.constants, values, strict=True))
            cycles += latency(self.constants.durations(state.modulus)) + 1
        for products in walk(program, state, self.golden.multiplier.product):
            cycles += self._step(products, program.lanes, state.modulus)
        return cycles

    def _step(self, products: list[tuple[int, int, int]], lanes: int, modulus: int) -> int:
        """Cycles of one step: until its last result is registered."""
        per_lane: dict[int, list[tuple[int, ...]]] = {}
        for position, a, b in products:
            durations = self.multiplier.durations(a, b, modulus)
            per_lane.setdefault(position % lanes, []).append(durations)
        last = [finish(items, self.multiplier.overlaps) for items in per_lane.values()]
        return max(last, default=0) + 1
