"""Timing of Systolic: three cycles per word of a, whatever the operands are."""

from fl.multipliers.systolic import Systolic as Golden


class Systolic:
    """One product at a time; parameters as the circuit's."""

    overlaps = False

    def __init__(self, nbits: int, radix_nbits: int, final_subtraction: str):
        golden = Golden(nbits, radix_nbits, final_subtraction)
        # the final subtraction waits for the last word, which leaves the row s - 1 cycles later
        subtraction = golden.words if golden.subtracts else 0
        self._durations = (3 * golden.words + 1 + subtraction,)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles until the next product may read the first word of this one."""
        return self._durations
