"""Timing of the stores: cycles that a store adds to load operands and to unload the result."""

from collections.abc import Mapping
from typing import Any

from rsaxcel.cl.elastic import Timing
from rsaxcel.cl.exponentiator import VAL_RDY, Handshake
from rsaxcel.fl.contract import DigitMultiplier, Multiplier, WordMultiplier
from rsaxcel.plan.kept_results import LOAD_CYCLES, KeptResults, shift_cycles
from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import EXPONENT, Kind, Product


class RegisterStore:
    """Timing of RegisterStore: operands are registered with the request.

    The handshake is the default one, and no cycles are added to products.
    """

    def __init__(self, multiplier: Multiplier, timing: Timing):
        self.handshake: Handshake = VAL_RDY

    def clear_cycles(self, program: Program) -> int:
        return 0

    def more_cycles(self, program: Program) -> Mapping[Product, int]:
        return {}


class WordStore(RegisterStore):
    """Timing of WordStore, one word per cycle: one pass over the words to load, two to unload.

    Operands are loaded and checked before the request is accepted.
    """

    def __init__(self, multiplier: WordMultiplier, timing: Timing):
        self._words = words = multiplier.words
        self.handshake = Handshake(load_cycles=words + 1, request_cycles=1, unload_cycles=2 * words)

    def bus_handshake(self, request_digits: int) -> Handshake:
        """Handshake of ``DigitBusExponentiator``: a digit per cycle, in and out.

        ``load_cycles`` count from the offer of the first digit to the acceptance of the last.
        """
        return Handshake(
            load_cycles=request_digits - 1,
            request_cycles=3,
            unload_cycles=2 * self._words,
            send_cycles=self._words,
        )


class DigitStore:
    """Timing of DigitStore: lanes prepare for their moduli, load operand b and reduce results.

    Operands are registered with the request.
    """

    def __init__(self, multiplier: DigitMultiplier, timing: Any):
        self._multiplier, self._timing = multiplier, timing
        self.handshake = Handshake(
            start_cycles=timing.prepare_cycles,
            turn_cycles=1,
            status_cycles=1,  # a register holds the status; meanwhile, lanes prepare
            verdict_cycles=1,  # the compared result is folded, and judged in the next cycle
            empty_cycles=4,  # the sequencer looks ahead: it computes the next step in these cycles
        )

    def clear_cycles(self, program: Program) -> int:
        """Cycles after a response or a reset before a request is accepted."""
        # One cycle loads zeros as the modulus; then the lanes prepare for this modulus, while
        # exponent and message are shifted out.
        prepare = self.handshake.request_cycles + self.handshake.start_cycles
        return 1 + max(shift_cycles(program, self._multiplier.digit_nbits) + 1, prepare)

    def more_cycles(self, program: Program) -> Mapping[Product, int]:
        """Further cycles of products that load b, read more digits than others, or are reduced."""
        found: dict[Product, int] = {}
        for lane in range(program.lanes):
            for product, fetch in KeptResults(program, lane).fetches.items():
                cycles = LOAD_CYCLES if fetch.loads else 0
                if product.kind is Kind.DOUBLE:
                    cycles += self._multiplier.digits
                elif product.kind is Kind.WHOLE:
                    nbits = program.halves * self._multiplier.nbits
                    if product.dst == EXPONENT:
                        nbits = program.scan.exponent_nbits
                    cycles += self._timing.whole_cycles(nbits)
                if product.reduced:
                    cycles += self._timing.reduction_cycles
                found[product] = cycles
        return {product: cycles for product, cycles in found.items() if cycles}
