"""Timing of RegisterStore: operands are registered with the request, results just there."""

from collections.abc import Mapping

from cl.elastic import Timing
from cl.exponentiator import VAL_RDY, Handshake
from fl.multipliers.contract import Multiplier
from plan.programs import Program
from plan.steps import Product


class RegisterStore:
    """Nothing to move."""

    def __init__(self, multiplier: Multiplier, timing: Timing):
        self.handshake: Handshake = VAL_RDY

    def clear_cycles(self, program: Program) -> int:
        """Cycles after a response, besides, before a request is accepted: none."""
        return 0

    def more_cycles(self, program: Program) -> Mapping[Product, int]:
        """Cycles that products take besides those of the multiplier: none."""
        return {}
