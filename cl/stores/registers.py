"""Timing of RegisterStore: operands are registered with the request, results just there."""

from collections.abc import Mapping

from cl.elastic import Timing
from cl.exponentiator import VAL_RDY, Handshake
from fl.multipliers.contract import Multiplier
from fl.steps import Product, Program


class RegisterStore:
    """Nothing to move."""

    def __init__(self, multiplier: Multiplier, timing: Timing):
        self.handshake: Handshake = VAL_RDY

    def waits(self, program: Program) -> Mapping[Product, int]:
        """Cycles by which products begin later than their lanes could: none."""
        return {}
