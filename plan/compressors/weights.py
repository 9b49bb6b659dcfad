"""Weights ``2^w`` modulo m as sums of powers of two, and the number of columns of a matrix."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

#: Largest number of columns of a matrix beyond the width of a residue. Each column more doubles the
#: number of adders that form the final sum.
_GUARDS = 3


class Weight(NamedTuple):
    """``2^w`` modulo m as a signed sum of powers of two."""

    columns: tuple[int, ...]  #: exponents of the powers, whose sum is s
    #: 0 if 2^w is s; s if 2^w is -s: a bit b is worth -s * b = s * (1 - b) - s, so the inverted bit
    #: is added in `columns`, and s is subtracted as part of the correction.
    subtracted: int


@dataclass(frozen=True)
class Weights:
    """Weights modulo m of the bits of a matrix with a given number of columns."""

    modulus: int
    columns: int  #: number of columns; weights from 2^columns on are replaced by residues that fit

    @cached_property
    def _known(self) -> dict[int, Weight]:
        return {}

    def of(self, exponent: int) -> Weight:
        """Weight as its residue r, or as -(m - r) if m - r has fewer ones or r does not fit.

        If both have as many ones, r is chosen (Vassoler, section 2.2.1.4).
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
    return (modulus - 1).bit_length()


def allowed_columns(modulus: int) -> range:
    """Return the numbers of columns with which every power of two can be re-weighted modulo m.

    The power's residue r or m - r fits the columns.
    """
    width = operand_nbits(modulus)
    if modulus == 1 << width:
        return range(width, width + 1)
    return range(max(1, width - 1), width + _GUARDS + 1)


def tree_columns(modulus: int, choice: str) -> int | None:
    """Return the columns for the choice ``own``; None for ``best``: the planner chooses."""
    return own_columns(modulus) if choice == "own" else None


def own_columns(modulus: int) -> int:
    """Return the columns of the document's trees (Vassoler, sections 2.2.1.2 to 2.2.1.4).

    The bits of a residue: in figure 5 (b), modulo `2^5 + 11`, the first re-weighted bit is that of
    `2^6`. Only modulo `2^n + 1` there are n columns, as `2^n` is -1.
    """
    nbits = operand_nbits(modulus)
    return nbits - 1 if nbits > 1 and modulus == (1 << nbits - 1) + 1 else nbits


def candidate_columns(modulus: int) -> tuple[int, ...]:
    """Return up to three numbers of columns for which plans are compared.

    With one column less, a carry modulo ``2^n + k`` is re-weighted to ``-k``; with one to three
    more, to fewer bits: modulo ``(2^(n + 1) - 1) / 3``, ``2^(n + 1)`` is 1.
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
