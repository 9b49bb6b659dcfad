"""Splits the pseudo-modulus 2^n - 1 into factors that are cheap moduli, too.

For an even n, ``2^n - 1 = (2^(n/2) - 1) * (2^(n/2) + 1)``. The two factors are coprime, because
they are odd and differ by 2. The first factor splits again while n/2 is even. An exponentiation
modulo ``2^n - 1`` is then one exponentiation for each factor, on fewer bits and independent of the
others, and the Chinese remainder theorem joins the results.

Source: Vassoler 2023, section 6.1, which proposes the first split; the rest is ours.
"""

from collections.abc import Sequence
from functools import reduce

from rsaxcel.fl.pseudo_modulus import PseudoModulus

MIN_NBITS = 4
"""Least n: 15 = 3 * 5."""


def split(nbits: int, depth: int | None = None) -> tuple[PseudoModulus, ...]:
    """Give the factors of ``2^nbits - 1``, the least first: each is ``2^t - 1`` or ``2^t + 1``.

    Any two of the factors are coprime. With ``nbits = 2^k * o``, they are ``2^o - 1``, ``2^o + 1``,
    ``2^(2 * o) + 1``, and so on up to ``2^(nbits / 2) + 1``; the first is left out if it is 1.

    Parameters
    ----------
    nbits : int
        n, even, 4 or more.
    depth : int, optional
        Number of times that a factor ``2^t - 1`` is split; as often as possible by default.

    Raises
    ------
    ValueError
        For another ``nbits``, or a depth below 1.
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
    """Give the number below ``2^n - 1`` that has the residues modulo the factors of ``split``.

    Two factors ``2^t - 1`` and ``2^t + 1`` are joined at a time. With residues x and y, the result
    is ``y + (2^t + 1) * z``, where ``z = (x - y) / 2 mod 2^t - 1``: because ``2^t + 1 = 2`` modulo
    ``2^t - 1``, no other inverse is needed. Modulo ``2^t - 1``, halving is a rotation by one bit.

    Parameters
    ----------
    residues : sequence of int
        A residue for each factor, in the order of the factors.
    factors : sequence of PseudoModulus
        Result of ``split``.

    Raises
    ------
    ValueError
        If the numbers of residues and factors differ.
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
    """Give ``base^exponent mod 2^nbits - 1``, by a power modulo each factor of ``split``.

    A member ``(2^nbits - 1) / 3`` of Vassoler's family reduces the result modulo itself once more.
    """
    factors = split(nbits, depth)
    return join([pow(base, exponent, factor.value) for factor in factors], factors)


def cyclotomic_factors(nbits: int) -> dict[int, int]:
    """Give the algebraic factors of ``2^nbits - 1``, by the divisor d of ``nbits``: Phi_d(2).

    Phi_d is the d-th cyclotomic polynomial. The product of all factors is ``2^nbits - 1``. They
    are not always coprime: for 6, they are 1, 3, 7 and 3.

    Raises
    ------
    ValueError
        For ``nbits`` below 1.
    """
    if nbits < 1:
        raise ValueError(f"nbits={nbits}: 1 or more allowed")
    found: dict[int, int] = {}
    for d in (d for d in range(1, nbits + 1) if nbits % d == 0):
        value = (1 << d) - 1
        for smaller, factor in found.items():
            if d % smaller == 0:
                value //= factor
        found[d] = value
    return found
