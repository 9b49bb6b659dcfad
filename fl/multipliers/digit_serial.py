"""DigitSerial: bit-serial Montgomery products whose additions run digit by digit (Cilardo)."""

from fl.multipliers.contract import WordMultiplier
from plan.parameters import Parameter

MIN_SLOTS = 3
"""Cycles in which a digit of the running sum comes back through the stages of the pipeline."""

_MIN_DIGIT_NBITS, _MAX_DIGIT_NBITS = 8, 256


def words_per_operand(nbits: int, digit_nbits: int) -> int:
    """Words of an operand, which is below twice the modulus, and of the running sum."""
    return -(-(nbits + 2) // digit_nbits)


def _default_digit_nbits(nbits: int) -> int:
    """Widest power of two that lets the pipeline run without waiting.

    Above 64 bits it has to leave an operand 17 words, as many as 64 bits leave one of 1024.
    """
    for digit_nbits in (256, 128, 64, 32, 16):
        least = MIN_SLOTS if digit_nbits <= 64 else 17
        if words_per_operand(nbits, digit_nbits) >= least:
            return digit_nbits
    return _MIN_DIGIT_NBITS


class DigitSerial(WordMultiplier):
    """``a * b / R mod m`` with R = 2**(nbits + 2), by nbits + 3 halvings.

    As ``U = (U + A_i * 2B + U_0 * N) / 2`` does from U = 0, twice b being added, so that no
    decision waits for an addition. All in all they form the one multiple of R that ``a * b`` and a
    multiple of m add up to, and divide it by R.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    digit_nbits : int
        S: width of a word, and of the adder.
    """

    shares_b = True
    source = "Cilardo et al., algorithm 17.1.1 as built in section 17.2"
    parameters = (
        Parameter(
            "digit_nbits",
            _default_digit_nbits,
            lambda nbits: range(_MIN_DIGIT_NBITS, _MAX_DIGIT_NBITS + 1),
            "bits of a word and of the adders",
            symbol="S",
        ),
    )

    def __init__(self, nbits: int, digit_nbits: int):
        super().__init__(nbits)
        self.digit_nbits = digit_nbits

    @property
    def word_nbits(self) -> int:
        """Bits of a word: those of a digit."""
        return self.digit_nbits

    @property
    def words(self) -> int:
        """Words of an operand."""
        return words_per_operand(self.nbits, self.digit_nbits)

    @property
    def r(self) -> int:
        """R = 2**(nbits + 2)."""
        return 1 << self.nbits + 2
