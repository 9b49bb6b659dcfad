"""Timing of MontRed: the bit-serial reduction; the full product is combinational."""

from rsaxcel.cl.multipliers.mont_mul import MontMul


class MontRed(MontMul):
    """Timing of the reduction, which takes as long as MontMul with one bit per cycle."""

    def __init__(self, nbits: int, recurrence: str, handshake_cycles: int | None = None):
        super().__init__(nbits, 1, recurrence, handshake_cycles)
