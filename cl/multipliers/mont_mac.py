"""Timing of MontMac: a cycle for each of three products, the first as it is accepted."""

from rsaxcel.cl.elastic import Steady


class MontMac(Steady):
    """Timing of a multiplier that forms one product at a time."""

    overlaps = False

    def __init__(self, nbits: int):
        super().__init__(2)
