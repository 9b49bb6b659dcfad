"""Timing of MontMulRem: a cycle per pipeline stage."""

from rsaxcel.cl.elastic import Steady


class MontMulRem(Steady):
    """Timing of a multiplier that can begin a product in every cycle."""

    overlaps = True

    def __init__(self, nbits: int, stages: int, add_red: str):
        super().__init__(*(1,) * stages)
