"""Timing of DigitSerial: an addition takes one cycle per digit, whatever the operands are."""

from rsaxcel.cl.elastic import Steady
from rsaxcel.fl.multipliers.digit_serial import MIN_SLOTS, words_per_operand


class DigitSerial(Steady):
    """Timing of a multiplier that forms one product at a time.

    An addition takes at least ``MIN_SLOTS`` cycles: the pipeline waits for its own result.
    """

    overlaps = False

    def __init__(self, nbits: int, digit_nbits: int):
        slots = max(words_per_operand(nbits, digit_nbits), MIN_SLOTS)
        # Before the iterations, one pass through the digits forms 2N and one forms 2B + N (B is
        # operand b, N the modulus). Then the pipeline empties.
        preparation = 2 * slots + 2
        iterations = (nbits + 3) * slots
        # The result is already valid in the last of these cycles, so the latency is one less.
        super().__init__(preparation + iterations - 1)
