"""Scan: reads an exponent digit by digit."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Digit:
    """One digit of an exponent, which decides on products and their table entry."""

    set: bool = False  #: calls for a product: not 0, or the end of a sliding window
    more: bool = False  #: a set bit is above the digit (right-to-left scans only)
    later: bool = False  #: not the first digit of the scan
    index: int = 0  #: index of the table entry that the digit's product reads
    #: Indices for the steps of the digit, if these differ; empty: ``index`` holds for all.
    indices: tuple[int, ...] = ()

    def of_step(self, number: int) -> "Digit":
        """Return the digit as a step reads it: the one with this number in the loop."""
        return replace(self, index=self.indices[number], indices=()) if self.indices else self


NO_DIGIT = Digit()


@dataclass(frozen=True)
class Scan:
    """Direction in which an exponent is read, and number and width of its digits."""

    exponent_nbits: int
    from_top: bool = False  #: most significant digit first
    #: All digits of the width are scanned. False: only significant digits; from the top, each
    #: leading zero digit takes a step without products.
    fixed: bool = False
    #: Width of a digit; 1 from the bottom. Without sliding windows, a digit is the index of its
    #: table entry.
    digit_nbits: int = 1
    #: Greatest width of a window, which begins and ends with a 1; 0: none. Digits are bits; the
    #: last one of a window calls for a product with the entry of the other bits.
    sliding_nbits: int = 0
    #: The table has odd powers, the power 0 and the result itself. A digit takes a step that
    #: squares, then one for each of its bits, from the top, with a product by an entry: at the
    #: digit's last 1, the power of the bits down to there; for a digit of 0, in the last step, the
    #: power 0; otherwise the result, which makes it a square.
    #: ``repr`` leaves it out: names of modules contain the text of a scan, and no two circuits
    #: differ in this alone.
    odd: bool = field(default=False, repr=False)
    #: the exponent is counted down to 0: as many digits as its value, each with a product
    counts: bool = False

    @property
    def ndigits(self) -> int:
        return -(-self.exponent_nbits // self.digit_nbits)

    @property
    def register_nbits(self) -> int:
        """``exponent_nbits`` rounded up to whole digits."""
        return self.ndigits * self.digit_nbits

    @property
    def index_nbits(self) -> int:
        return max(1, self.sliding_nbits - 1, self.digit_nbits)

    def digits(self, exponent: int) -> Iterable[Digit | None]:
        """Return the digits in the order of the scan.

        None for a leading zero, which is passed over.
        """
        if self.counts:
            return self._countdown(exponent)
        if not self.from_top:
            return self._upwards(exponent)
        if self.sliding_nbits:
            return self._windows(exponent)
        return self._downwards(exponent)

    def leading(self, exponent: int, share: float, least: int) -> int:
        """Exponent with at least ``least`` steps, a ``share`` of those that ``exponent`` takes.

        The result has the leading bits of ``exponent``; if counted down, a part of its value.
        """
        if self.counts:
            return min(exponent, max(least, int(exponent * share)))
        nbits = max(least, int(exponent.bit_length() * share))
        return exponent >> max(0, exponent.bit_length() - nbits)

    def _countdown(self, exponent: int) -> Iterator[Digit]:
        for left in range(exponent, 0, -1):
            yield Digit(True, more=left > 1, later=left < exponent)

    def _upwards(self, exponent: int) -> list[Digit]:
        count = self.exponent_nbits if self.fixed else exponent.bit_length()
        left = [exponent >> i for i in range(count)]
        return [Digit(bool(x & 1), more=x > 1, later=i > 0) for i, x in enumerate(left)]

    def _downwards(self, exponent: int) -> Iterator[Digit | None]:
        significant = exponent.bit_length()
        count = self.ndigits if self.fixed else -(-significant // self.digit_nbits)
        yield from [None] * (self.ndigits - count)
        for i in reversed(range(count)):
            value = exponent >> i * self.digit_nbits & (1 << self.digit_nbits) - 1
            indices = self._steps(value) if self.odd else ()
            yield Digit(value != 0, later=i < count - 1, index=value, indices=indices)

    def _steps(self, digit: int) -> tuple[int, ...]:
        """Table index of each step of a digit; the first step reads no entry."""
        one = 1 << self.digit_nbits - 1  #: index of the power 0; that of the result follows
        last = (digit & -digit).bit_length() - 1
        powers = {last: digit >> last + 1} if digit else {0: one}
        return (0, *(powers.get(place, one + 1) for place in reversed(range(self.digit_nbits))))

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
