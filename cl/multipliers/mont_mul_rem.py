"""Timing of MontMulRem: a cycle per pipeline stage."""

from rsaxcel.cl.elastic import Steady
from rsaxcel.fl.multipliers.contract import REGISTERED


class MontMulRem(Steady):
    """Timing of a multiplier that begins a product in every cycle, or has one at a time."""

    overlaps = True

    def __init__(self, nbits: int, stages: int, add_red: str, operands: str):
        if operands == REGISTERED:
            super().__init__(stages)  # all stages are one for the next product
            self.overlaps = False
        else:
            super().__init__(*(1,) * stages)
