"""Timing of Systolic: three cycles for each word of operand ``a``, whatever the operands are."""

from rsaxcel.cl.elastic import Steady
from rsaxcel.fl.multipliers.systolic import Systolic as Golden


class Systolic(Steady):
    """Timing of a multiplier that forms one product at a time."""

    overlaps = False

    def __init__(self, nbits: int, radix_nbits: int, final_subtraction: str):
        golden = Golden(nbits, radix_nbits, final_subtraction)
        # The final subtraction waits for the last word of the result, words - 1 cycles after the
        # first word.
        subtraction = golden.words if golden.subtracts else 0
        super().__init__(3 * golden.words + 1 + subtraction)
