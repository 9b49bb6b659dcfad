"""Timing of RegisterStore: operands are registered with the request."""

from collections.abc import Mapping

from rsaxcel.cl.elastic import Timing
from rsaxcel.cl.exponentiator import VAL_RDY, Handshake
from rsaxcel.fl.multipliers.contract import Multiplier
from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import Product


class RegisterStore:
    """Timing of RegisterStore: the default handshake, with no cycles added to products."""

    def __init__(self, multiplier: Multiplier, timing: Timing):
        self.handshake: Handshake = VAL_RDY

    def clear_cycles(self, program: Program) -> int:
        return 0

    def more_cycles(self, program: Program) -> Mapping[Product, int]:
        return {}
