"""Scan: how an exponent is read, digit by digit."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Digit:
    """One digit of an exponent: decides which products are formed, and which table entry they read.

    Parameters
    ----------
    set : bool
        Whether the digit calls for a product: it is not 0, or a sliding window ends with it.
    more : bool
        Whether the exponent has a set bit above the digit (right-to-left scans only).
    later : bool
        Whether the digit is not the first one of the scan.
    index : int
        Index of the table entry that the product of the digit reads.
    """

    set: bool = False
    more: bool = False
    later: bool = False
    index: int = 0


NO_DIGIT = Digit()


@dataclass(frozen=True)
class Scan:
    """How an exponent is read: the direction, and the number and the width of its digits.

    Parameters
    ----------
    exponent_nbits : int
        Width of the exponent in bits.
    from_top : bool
        Whether the most significant digit comes first.
    fixed : bool
        Whether all digits of the exponent's width are scanned, so that the number of digits does
        not depend on the exponent. Otherwise only significant digits are scanned; if the most
        significant digit comes first, each leading zero digit takes a step without products.
    digit_nbits : int
        Width of a digit in bits; 1 if the least significant digit comes first. Without sliding
        windows, the value of a digit is the index of the table entry that its product reads.
    sliding_nbits : int
        Greatest width of a sliding window in bits; 0: no sliding windows. A window begins and ends
        with a 1. Each digit is one bit. The last bit of a window calls for a product, which reads
        the table entry whose index is the window without that bit.
    counts : bool
        Whether the exponent is counted down to 0, instead of being scanned: there are as many
        digits as its value says, and each calls for a product.
    """

    exponent_nbits: int
    from_top: bool = False
    fixed: bool = False
    digit_nbits: int = 1
    sliding_nbits: int = 0
    counts: bool = False

    @property
    def ndigits(self) -> int:
        """Number of digits that the exponent's register holds."""
        return -(-self.exponent_nbits // self.digit_nbits)

    @property
    def register_nbits(self) -> int:
        """Bits of all digits: ``exponent_nbits`` rounded up to whole digits."""
        return self.ndigits * self.digit_nbits

    @property
    def index_nbits(self) -> int:
        """Width of the table index in bits."""
        return max(1, self.sliding_nbits - 1, self.digit_nbits)

    def digits(self, exponent: int) -> Iterator[Digit | None]:
        """Digits in the order of the scan; None for a leading zero digit, which is passed over."""
        if self.counts:
            yield from self._countdown(exponent)
        elif not self.from_top:
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

    def leading(self, exponent: int, share: float, least: int) -> int:
        """Exponent that takes a share of the steps that another exponent takes, and similar ones.

        It is the leading bits of the other exponent or, where exponents are counted down, a part of
        its value; in both cases at least ``least``, if the other exponent has as many.
        """
        if self.counts:
            return min(exponent, max(least, int(exponent * share)))
        nbits = max(least, int(exponent.bit_length() * share))
        return exponent >> max(0, exponent.bit_length() - nbits)

    def _countdown(self, exponent: int) -> Iterator[Digit]:
        for left in range(exponent, 0, -1):
            yield Digit(True, more=left > 1, later=left < exponent)

    def _upwards(self, exponent: int) -> Iterator[Digit]:
        count = self.exponent_nbits if self.fixed else exponent.bit_length()
        for i in range(count):
            left = exponent >> i
            yield Digit(bool(left & 1), more=left > 1, later=i > 0)

    def _windows(self, exponent: int) -> Iterator[Digit | None]:
        count = exponent.bit_length()
        yield from [None] * (self.exponent_nbits - count)
        left, index = 0, 0  # bits of the current window that are not scanned yet; its table index
        for i in reversed(range(count)):
            if left == 0 and exponent >> i & 1:
                # zeros are appended below bit 0; a window ends with a 1, never in these zeros
                window = (exponent << self.sliding_nbits) >> i + 1
                bits = window & (1 << self.sliding_nbits) - 1
                zeros = (bits & -bits).bit_length() - 1
                left, index = self.sliding_nbits - zeros, bits >> zeros + 1
            left = max(left - 1, -1)
            yield Digit(left == 0, later=i < count - 1, index=index)
            if left < 0:
                left = 0
