"""Timing of DigitSerial: a cycle per digit of every addition, for all operands."""

from fl.multipliers.digit_serial import MIN_SLOTS, words_per_operand


class DigitSerial:
    """Timing of one product at a time in each lane; takes the parameters of the circuit.

    An addition takes at least ``MIN_SLOTS`` cycles: with fewer digits, the pipeline waits for its
    own result.
    """

    overlaps = False

    def __init__(self, nbits: int, digit_nbits: int):
        slots = max(words_per_operand(nbits, digit_nbits), MIN_SLOTS)
        # One pass forms 2N, one forms 2B + N; then the pipeline empties.
        preparation = 2 * slots + 2
        iterations = (nbits + 3) * slots
        # The result is valid in the last of these cycles; the next product begins after it.
        self._durations = (preparation + iterations - 1,)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles until the result is complete."""
        return self._durations
