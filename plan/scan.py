"""Scan: how an exponent is read, digit by digit."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Digit:
    """What the products of a digit can depend on.

    Parameters
    ----------
    set : bool
        The digit calls for a product.
    more : bool
        A set bit is above it (scans from the least significant digit only).
    later : bool
        It is not the first digit.
    index : int
        Which entry of a table its product takes.
    """

    set: bool = False
    more: bool = False
    later: bool = False
    index: int = 0


NO_DIGIT = Digit()


@dataclass(frozen=True)
class Scan:
    """Direction, length and digits of a scan.

    Parameters
    ----------
    exponent_nbits : int
        Width of the exponent in bits.
    from_top : bool
        Whether the most significant digit comes first.
    fixed : bool
        Whether all digits of the exponent's width are scanned, so that their number tells nothing.
        Otherwise the significant ones are; from the top, each bit above them is passed over in a
        step of its own.
    digit_nbits : int
        Bits of a digit, which are the index; 1 unless scanned from the top.
    sliding_nbits : int
        0, or: each digit is a bit, and calls for a product where it ends a window, which is of at
        most so many bits, begins and ends with a 1, and is indexed by its bits but the last.
    """

    exponent_nbits: int
    from_top: bool = False
    fixed: bool = False
    digit_nbits: int = 1
    sliding_nbits: int = 0

    @property
    def ndigits(self) -> int:
        """Digits of an exponent of the full width."""
        return -(-self.exponent_nbits // self.digit_nbits)

    @property
    def register_nbits(self) -> int:
        """Bits of all digits, which may be more than the exponent's."""
        return self.ndigits * self.digit_nbits

    @property
    def index_nbits(self) -> int:
        """Width of the index in bits."""
        return max(1, self.sliding_nbits - 1, self.digit_nbits)

    def digits(self, exponent: int) -> Iterator[Digit | None]:
        """Digits in the order of the loop; None for a bit that is passed over."""
        if not self.from_top:
            yield from self._upwards(exponent)
        elif self.sliding_nbits:
            yield from self._windows(exponent)
        else:
            significant = exponent.bit_length()
            count = self.ndigits if self.fixed else -(-significant // self.digit_nbits)
            yield from [None] * (self.ndigits - count)
            for i in reversed(range(count)):
                value = exponent >> i * self.digit_nbits & (1 << self.digit_nbits) - 1
                yield Digit(value != 0, later=i < count - 1, index=value)

    def _upwards(self, exponent: int) -> Iterator[Digit]:
        count = self.exponent_nbits if self.fixed else exponent.bit_length()
        for i in range(count):
            left = exponent >> i
            yield Digit(bool(left & 1), more=left > 1, later=i > 0)

    def _windows(self, exponent: int) -> Iterator[Digit | None]:
        count = exponent.bit_length()
        yield from [None] * (self.exponent_nbits - count)
        left, index = 0, 0  # bits of the current window that are to come, and its index
        for i in reversed(range(count)):
            if left == 0 and exponent >> i & 1:
                # bits below the exponent's last one are zeros, so that no window ends there
                window = (exponent << self.sliding_nbits) >> i + 1
                bits = window & (1 << self.sliding_nbits) - 1
                zeros = (bits & -bits).bit_length() - 1
                left, index = self.sliding_nbits - zeros, bits >> zeros + 1
            left = max(left - 1, -1)
            yield Digit(left == 0, later=i < count - 1, index=index)
            if left < 0:
                left = 0
