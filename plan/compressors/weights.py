"""Weights ``2^w`` modulo m as sums of powers of two, and the number of columns of a matrix."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

# Largest number of columns of a matrix beyond the width of a residue. Each column more doubles the
# number of adders that form the final sum.
_GUARDS = 3


class Weight(NamedTuple):
    """``2^w`` modulo m as a signed sum of powers of two.

    Parameters
    ----------
    columns : tuple of int
        Exponents of the powers.
    subtracted : int
        0 if ``2^w`` is the sum s of the powers, modulo m. If ``2^w`` is ``-s`` modulo m, this field
        is s. Then a bit b of weight ``2^w`` has the value ``-s * b = s * (1 - b) - s``: the
        inverted bit is added in ``columns``, and s is subtracted as part of the correction.
    """

    columns: tuple[int, ...]
    subtracted: int


@dataclass(frozen=True)
class Weights:
    """Weights modulo m of the bits of a matrix with a given number of columns.

    Parameters
    ----------
    modulus : int
        m, 2 or more.
    columns : int
        Number of columns. Weights below ``2^columns`` stay as they are; higher ones are replaced by
        residues that fit the columns.
    """

    modulus: int
    columns: int

    @cached_property
    def _known(self) -> dict[int, Weight]:
        return {}

    def of(self, exponent: int) -> Weight:
        """Weight ``2^exponent`` as its residue r, or as -(m - r) if m - r has fewer ones than r.

        If both have as many ones, r is chosen (Vassoler, section 2.2.1.4). If r does not fit the
        columns, -(m - r) is chosen.
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
    """Give the numbers of columns that a matrix may have for a modulus m.

    With each of them, every power of two can be re-weighted: its residue r or m - r fits the
    columns.
    """
    width = operand_nbits(modulus)
    if modulus == 1 << width:
        return range(width, width + 1)
    return range(max(1, width - 1), width + _GUARDS + 1)


def tree_columns(modulus: int, choice: str) -> int | None:
    """Give the number of columns for the choice ``own``; None for ``best``: the planner chooses."""
    return own_columns(modulus) if choice == "own" else None


def own_columns(modulus: int) -> int:
    """Give the number of columns of the document's trees (Vassoler, sections 2.2.1.2 to 2.2.1.4).

    They are the bits of a residue: in figure 5 (b), modulo ``2^5 + 11``, the first re-weighted
    bit is that of ``2^6``. Only modulo ``2^n + 1`` there are n columns, as ``2^n`` is -1.
    """
    nbits = operand_nbits(modulus)
    return nbits - 1 if nbits > 1 and modulus == (1 << nbits - 1) + 1 else nbits


def candidate_columns(modulus: int) -> tuple[int, ...]:
    """Numbers of columns for which plans are compared, at most three.

    The width of a residue is always a candidate. With one column less, a carry modulo ``2^n + k``
    is re-weighted to ``-k``. With one to three columns more, a carry may be re-weighted to fewer
    bits: modulo ``(2^(n + 1) - 1) / 3``, for example, ``2^(n + 1)`` is 1.
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
