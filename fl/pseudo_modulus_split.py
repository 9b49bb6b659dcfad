"""Splits the pseudo-modulus 2^n - 1 into factors that are cheap moduli, too.

``2^n - 1 = (2^(n/2) - 1) * (2^(n/2) + 1)`` for even n; the factors are odd, differ by 2, and so are
coprime. The first splits again while n/2 is even. An exponentiation becomes one for each factor, on
fewer bits and independent, joined by the Chinese remainder theorem. Source: Vassoler 2023, section
6.1, which proposes the first split; the rest is ours.
"""

from collections.abc import Sequence
from functools import reduce

from rsaxcel.fl.pseudo_modulus import PseudoModulus

MIN_NBITS = 4  #: width of the smallest split pseudo-modulus, 15 = 3 * 5


def split(nbits: int, depth: int | None = None) -> tuple[PseudoModulus, ...]:
    """Return coprime factors of ``2^nbits - 1``, the least first: ``2^t - 1`` or ``2^t + 1``.

    With ``nbits = 2^k * o`` (4 or more): ``2^o - 1`` (unless 1), ``2^o + 1``, ``2^(2 * o) + 1``, up
    to ``2^(nbits / 2) + 1``. ``depth`` limits the splits.
    """
    if nbits < MIN_NBITS or nbits % 2:
        raise ValueError(f"nbits={nbits}: even widths from {MIN_NBITS} bits on allowed")
    if depth is not None and depth < 1:
        raise ValueError(f"depth={depth}: 1 or more allowed")
    upper: list[PseudoModulus] = []
    while nbits % 2 == 0 and (depth is None or len(upper) < depth):
        nbits //= 2
        upper.insert(0, PseudoModulus((1 << nbits) + 1, 1, nbits, 1))
    lower = PseudoModulus((1 << nbits) - 1, 1, nbits, -1) if nbits > 1 else None
    return (lower, *upper) if lower else tuple(upper)


def join(residues: Sequence[int], factors: Sequence[PseudoModulus]) -> int:
    """Return the number below ``2^n - 1`` that has the residues modulo the factors of ``split``.

    Residues x modulo `2^t - 1` and y modulo `2^t + 1` join to `y + (2^t + 1) * z` with `z = (x - y)
    / 2 mod 2^t - 1` (`2^t + 1 = 2` there); halving is a rotation by one bit.
    """
    first, *others = zip(residues, factors, strict=True)
    return reduce(_join, others, first[0])


def _join(lower: int, pair: tuple[int, PseudoModulus]) -> int:
    upper, factor = pair
    t = factor.exponent
    ones = (1 << t) - 1
    difference = (lower - upper) % ones
    half = difference >> 1 | (difference & 1) << t - 1
    return upper + factor.value * half


def split_power(base: int, exponent: int, nbits: int, depth: int | None = None) -> int:
    """Return ``base^exponent mod 2^nbits - 1``, by a power modulo each factor of ``split``.

    A member `(2^nbits - 1) / 3` of Vassoler's family reduces the result once more.
    """
    factors = split(nbits, depth)
    return join([pow(base, exponent, factor.value) for factor in factors], factors)
