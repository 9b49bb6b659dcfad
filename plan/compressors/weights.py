"""Weights modulo a constant: columns that stand for a weight 2^w, and their number in a matrix."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

# Most columns above a residue's width; each of them doubles the number of final adders.
_GUARDS = 3


class Weight(NamedTuple):
    """``2^w`` modulo m as a signed sum of powers of two.

    Parameters
    ----------
    columns : tuple of int
        Exponents of the powers.
    subtracted : int
        0: the sum is added. Otherwise the value of the sum, which is subtracted: the inverted bit
        is added instead, and ``subtracted`` is subtracted as part of the correction.
    """

    columns: tuple[int, ...]
    subtracted: int


@dataclass(frozen=True)
class Weights:
    """Weights of the bits of a matrix with a number of columns, for a modulus.

    Parameters
    ----------
    modulus : int
        m, 2 or more.
    columns : int
        Weights below ``2^columns`` stay as they are. All residues that are used fit the columns.
    """

    modulus: int
    columns: int

    @cached_property
    def _known(self) -> dict[int, Weight]:
        return {}

    def of(self, exponent: int) -> Weight:
        """Weight ``2^exponent`` as its residue r or as -(m - r), whichever has fewer ones.

        r on a tie (Vassoler, section 2.2.1.4); -(m - r) if r does not fit the columns.
        """
        if exponent < self.columns:
            return Weight((exponent,), 0)
        if exponent not in self._known:
            self._known[exponent] = self._reduced(exponent)
        return self._known[exponent]

    def _reduced(self, exponent: int) -> Weight:
        positive = pow(2, exponent, self.modulus)
        negative = self.modulus - positive
        chosen = positive
        if positive >> self.columns or (
            not negative >> self.columns and negative.bit_count() < positive.bit_count()
        ):
            chosen = negative
        columns = tuple(i for i in range(self.columns) if chosen >> i & 1)
        return Weight(columns, 0 if chosen == positive else negative)


def operand_nbits(modulus: int) -> int:
    """Width of a residue in bits."""
    return (modulus - 1).bit_length()


def allowed_columns(modulus: int) -> range:
    """Give the allowed numbers of columns: r or m - r of every power of two fits them."""
    width = operand_nbits(modulus)
    if modulus == 1 << width:
        return range(width, width + 1)
    return range(max(1, width - 1), width + _GUARDS + 1)


def own_columns(modulus: int) -> int:
    """Give n such that the modulus is ``2^n + k`` or ``2^n - k`` with the least k (Vassoler)."""
    n = modulus.bit_length() - 1
    return n if modulus - (1 << n) <= (2 << n) - modulus else n + 1


def candidate_columns(modulus: int) -> tuple[int, ...]:
    """Numbers of columns for which plans are compared, at most three.

    A residue's width is always one of them. With a column less, a carry modulo ``2^n + k`` is
    re-inserted as ``-k``. With a few more, a carry may be re-inserted as fewer bits: modulo
    ``(2^(n + 1) - 1) / 3``, ``2^(n + 1)`` is 1.
    """
    width = operand_nbits(modulus)
    if modulus == 1 << width:
        return (width,)

    def ones(columns: int) -> int:
        return len(Weights(modulus, columns).of(columns).columns)

    fewer = [width - 1] if width > 1 and ones(width - 1) <= ones(width) else []
    more = [c for c in allowed_columns(modulus) if c > width and ones(c) < ones(width)]
    best = sorted(more, key=lambda c: (ones(c), c))[:1]
    return (width, *fewer, *best)
