"""Timing of DigitSerial: a cycle per digit of every addition, whatever the operands are."""

from fl.multipliers.digit_serial import MIN_SLOTS, words_per_operand


class DigitSerial:
    """One product at a time in every lane; parameters as the circuit's.

    An addition of fewer than ``MIN_SLOTS`` digits takes so many cycles nevertheless: the pipeline
    waits for its own result.
    """

    overlaps = False

    def __init__(self, nbits: int, digit_nbits: int):
        slots = max(words_per_operand(nbits, digit_nbits), MIN_SLOTS)
        preparation = 2 * slots + 2  # 2N into the running sum, 2B + N; the pipeline empties
        iterations = (nbits + 3) * slots
        # The next product begins in the cycle after the last one of these.
        self._durations = (preparation + iterations - 1,)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles until the result is complete."""
        return self._durations
