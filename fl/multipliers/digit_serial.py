"""DigitSerial: bit-serial Montgomery products whose additions run digit by digit (Cilardo)."""

from rsaxcel.fl.multipliers.contract import WordMultiplier
from rsaxcel.plan.parameters import Parameter

#: Cycles from reading a digit of the running sum until the digit's new value can be read.
MIN_SLOTS = 3

_MIN_DIGIT_NBITS, _MAX_DIGIT_NBITS = 8, 256


def words_per_operand(nbits: int, digit_nbits: int) -> int:
    """Return the number of words of an operand (below twice the modulus) or of the running sum."""
    return -(-(nbits + 2) // digit_nbits)


def _default_digit_nbits(nbits: int) -> int:
    """Largest digit width, a power of two, with which the pipeline runs without waiting.

    More than 64 bits only if an operand has at least 17 digits (at 1024 bits, 17 of 64 bits).
    """
    for digit_nbits in (256, 128, 64, 32, 16):
        least = MIN_SLOTS if digit_nbits <= 64 else 17
        if words_per_operand(nbits, digit_nbits) >= least:
            return digit_nbits
    return _MIN_DIGIT_NBITS


class DigitSerial(WordMultiplier):
    """``a * b / R mod m`` with R = 2**(nbits + 2), by nbits + 3 halvings.

    An iteration is ``U = (U + A_i * 2B + U_0 * N) / 2``, from U = 0: A_i is bit i of ``a``, B is
    ``b``, N is m, U_0 the lowest bit of U, known before the addition, because 2B is even. All
    iterations add to ``a * b`` the multiple of m that makes the sum divisible by R, and divide the
    sum. ``digit_nbits`` is S, the width of a word and of the adder.
    """

    shares_b = True
    one_index = True
    runs_on_ports = True
    label = "Montgomery, digit by digit"
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
        return self.digit_nbits

    @property
    def words(self) -> int:
        return words_per_operand(self.nbits, self.digit_nbits)

    @property
    def r(self) -> int:
        return 1 << self.nbits + 2
