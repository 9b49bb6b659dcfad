"""Pseudo-moduli: multiples of a modulus that are cheap to reduce by.

Products may be formed modulo ``c * m`` in place of ``m``, with one reduction modulo m at the end.
The multiple pays if ``c * m`` is ``2^t - 1`` or ``2^t + 1``: the bits from t upwards are then added
to the bits below t, or subtracted (a fold). docs/explanation/pseudo-moduli.md says which
moduli have such a multiple.

Source: Vassoler 2023, section 4.1, equations 21 to 23.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import gcd, isqrt, prod

from rsaxcel.fl.status import InputRuleError, Status
from rsaxcel.store.errors import UserError

#: Signed ones of k in a cheap 2^t +- k: the digits 1 and -1 in its shortest signed-digit form. A
#: fold adds the upper bits once for each digit.
MAX_SIGNED_ONES = 4

FAMILY_COFACTOR = 3  #: cofactor of Vassoler's family

MIN_FAMILY_NBITS = 4  #: width of the smallest pseudo-modulus of Vassoler's family, 15 = 3 * 5

#: If a modulus has no pseudo-modulus, the error message gives the multiplicative order of 2 modulo
#: the odd part of the modulus. If this odd part has more than 32 bits, the order is searched only
#: up to ``_SEARCHED``; if it is not found, the message gives ``_SEARCHED`` as its lower bound.
_EXACT_NBITS = 32
_SEARCHED = 1 << 22
_MAX_SEARCHED_NBITS = 40
_NAMED_NBITS = 64


class NoPseudoModulus(UserError):  # noqa: N818 - most moduli have none; that is no error
    """Raised if no multiple of a modulus is both of a cheap form and short enough."""


@dataclass(frozen=True)
class PseudoModulus:
    """A multiple of a modulus, of a cheap form: ``cofactor * modulus = 2^exponent + offset``."""

    modulus: int  #: modulus m, 2 or more
    cofactor: int  #: cofactor c; 1 if the modulus itself has the form
    exponent: int  #: exponent t: a product is folded at this bit
    offset: int  #: -1 or 1 in the cheapest forms, 0 for a power of two

    def __post_init__(self) -> None:
        if self.value != (1 << self.exponent) + self.offset:
            raise ValueError(f"{self.cofactor} * {self.modulus} is not {self}")

    @property
    def value(self) -> int:
        return self.cofactor * self.modulus

    @property
    def sign(self) -> int:
        return (self.offset > 0) - (self.offset < 0)

    @property
    def growth_nbits(self) -> int:
        """Bits by which ``exponent`` exceeds the width of the modulus."""
        return max(0, self.exponent - self.modulus.bit_length())

    @cached_property
    def signed_ones(self) -> int:
        return signed_ones(self.offset)

    def __str__(self) -> str:
        """Return the form, such as ``2^32 - 1``; a long offset is written as powers of two."""
        if abs(self.offset) < 1 << 10:
            terms = [self.offset] if self.offset else []
            texts = [str(abs(x)) for x in terms]
        else:
            terms = list(_signed_digits(self.offset))[::-1]
            texts = [f"2^{abs(x).bit_length() - 1}" if abs(x) > 1 else "1" for x in terms]
        signs = ["-" if x < 0 else "+" for x in terms]
        pairs = zip(signs, texts, strict=True)
        return " ".join([f"2^{self.exponent}", *(f"{sign} {text}" for sign, text in pairs)])


def find_pseudo_modulus(m: int, growth_nbits: int) -> PseudoModulus:
    """Find the cheapest pseudo-modulus of m: a multiple of m next to a power of two, ``2^t``.

    t exceeds the width of m by at most ``growth_nbits`` (a residue modulo ``2^t + 1`` has ``t + 1``
    bits). A power of two is its own. For an odd m, in the order of preference:

    1. ``2^t - 1`` or ``2^t + 1``, with the least t.
    2. ``2^t - k`` or ``2^t + k`` with the fewest signed ones of k (at most ``MAX_SIGNED_ONES``),
       then the least t, then the least k. k has at most one bit more than half of t: two folds
       leave a few bits more than t.

    For ``2^a * n`` with an odd n, that of n is multiplied by 2^a, whose a bits are not folded.

    Search: no multiple is shorter than m, so ``growth_nbits + 2`` exponents t are possible. Baby
    steps and giant steps find the first t with ``2^t = 1`` or ``-1 mod m`` in about ``2 *
    sqrt(growth_nbits + 2)`` products; else each t is tried with a doubling. ``NoPseudoModulus``
    says what is known of the order of 2.
    """
    if m < 2:
        raise InputRuleError(Status.MODULUS_TOO_SMALL, f"modulus {m} is below 2")
    if growth_nbits < 0:
        raise ValueError(f"growth_nbits={growth_nbits}: 0 or more allowed")
    zeros = (m & -m).bit_length() - 1
    odd = m >> zeros
    if odd == 1:
        return PseudoModulus(m, 1, zeros, 0)
    window = range(odd.bit_length() - 1, odd.bit_length() + growth_nbits + 1)
    t = _first_exponent(2, odd, (1, odd - 1), window)
    if t is not None:
        offset = -1 if pow(2, t, odd) == 1 else 1
    elif cheap := _cheapest(odd, window):
        t, offset = cheap
    else:
        raise NoPseudoModulus(_none(m, odd, growth_nbits))
    return PseudoModulus(m, ((1 << t) + offset) // odd, t + zeros, offset << zeros)


def multiplicative_order(base: int, m: int, factors: Sequence[int] = ()) -> int:
    """Least t > 0 with ``base^t = 1 mod m``; base and m have no common factor.

    The product of ``factors`` is a known multiple, such as p - 1 and q - 1 for m = p * q, the
    primes of which are divided out. Without ``factors``, m has at most 40 bits: baby and giant
    steps take about ``2 * sqrt(m)`` products.
    """
    if m < 2 or gcd(base, m) != 1:
        raise ValueError(f"base={base}: prime to the modulus {m}, of 2 or more, allowed")
    if not factors and m.bit_length() > _MAX_SEARCHED_NBITS:
        raise ValueError(
            f"modulus of {m.bit_length()} bits: {_MAX_SEARCHED_NBITS} at most allowed without "
            "factors of a multiple of the order"
        )
    order = prod(factors) if factors else _first_exponent(base, m, (1,), range(1, m)) or 0
    if order < 1 or pow(base, order, m) != 1:
        raise ValueError(f"the order of {base} modulo {m} does not divide the product of {factors}")
    for prime in {p for factor in factors for p in _primes_of(factor)}:
        while order % prime == 0 and pow(base, order // prime, m) == 1:
            order //= prime
    return order


def family_member(nbits: int) -> int:
    """Modulus ``(2^nbits - 1) / 3`` of Vassoler's family, for even ``nbits`` of 4 or more.

    The pseudo-modulus of the result is `2^nbits - 1`; every second bit is 1. Source: Vassoler 2023,
    equations 22 and 23, where n is `nbits - 2`; the printed limit n/2 of the sum has to be n/2 - 1
    (docs/records/errata.md).
    """
    if nbits < MIN_FAMILY_NBITS or nbits % 2:
        raise ValueError(f"nbits={nbits}: even widths from {MIN_FAMILY_NBITS} bits on allowed")
    return ((1 << nbits) - 1) // FAMILY_COFACTOR


def is_family_member(m: int) -> bool:
    """Whether a modulus is ``(2^t - 1) / 3`` with an even t of 4 or more (Vassoler's family)."""
    return m >= family_member(MIN_FAMILY_NBITS) and (3 * m + 1).bit_count() == 1


def signed_ones(k: int) -> int:
    """Count the ones and minus ones in the shortest signed-digit representation of a number."""
    return sum(1 for _ in _signed_digits(k))


def _signed_digits(k: int) -> Iterator[int]:
    """Yield the non-adjacent form of k: signed powers of two whose sum is k, the least first."""
    while k:
        low = k & -k
        # a run of ones is the bit above the run minus the run's lowest bit
        digit = -low if k & 2 * low else low
        yield digit
        k -= digit


def _first_exponent(base: int, m: int, targets: Collection[int], exponents: range) -> int | None:
    """Least exponent in a range with ``base^exponent mod m`` in ``targets``, if any.

    Baby steps: ``base^v`` for v below the length of a giant step. At each ``start`` of a giant
    step, ``base^(start + v)`` is a target if ``base^v`` is ``target / base^start``.
    """
    step = isqrt(exponents.stop - exponents.start) + 1
    babies: dict[int, int] = {}
    power = 1
    for v in range(step):
        babies.setdefault(power, v)
        power = power * base % m
    giant, back = pow(power, -1, m), pow(base, -exponents.start, m)
    for start in range(exponents.start, exponents.stop, step):
        found = [babies[x] for target in targets if (x := target * back % m) in babies]
        if found:
            exponent = start + min(found)
            return exponent if exponent in exponents else None
        back = back * giant % m
    return None


def _cheapest(odd: int, exponents: range) -> tuple[int, int] | None:
    """Exponent t and offset of the cheapest multiple ``2^t + offset`` of an odd modulus, if any.

    Order: fewest signed ones (at most ``MAX_SIGNED_ONES``), least t, least magnitude.
    """
    found = []
    power = pow(2, exponents.start, odd)
    for t in exponents:
        # The multiples next to 2^t, below and above it.
        for offset in (-power, odd - power):
            if abs(offset).bit_length() <= t // 2 + 1:
                found.append((signed_ones(offset), t, abs(offset), offset))
        power = 2 * power % odd
    if not found:
        return None
    ones, t, _, offset = min(found)
    return (t, offset) if ones <= MAX_SIGNED_ONES else None


def _none(m: int, odd: int, growth_nbits: int) -> str:
    """Error message with the order of 2 modulo the odd part, or the order's lower bound."""
    nbits = m.bit_length()
    name = f"modulus {m:#x}" if nbits <= _NAMED_NBITS else f"modulus of {nbits} bits"
    most = odd if odd.bit_length() <= _EXACT_NBITS else _SEARCHED
    order = _first_exponent(2, odd, (1,), range(1, most + 1))
    known = f"above {most:,}" if order is None else f"{order:,}"
    return (
        f"{name}: no multiple of it is 2^t - 1, 2^t + 1 or another cheap form with t up to "
        f"{nbits + growth_nbits}; the order of 2 modulo {'it' if odd == m else 'its odd part'} is "
        f"{known}"
    )


def _primes_of(n: int) -> Iterator[int]:
    """Yield the prime factors of n, each once, found by trial division."""
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            yield divisor
            while n % divisor == 0:
                n //= divisor
        divisor += 1 if divisor == 2 else 2
    if n > 1:
        yield n


def split(nbits: int, depth: int | None = None) -> tuple[PseudoModulus, ...]:
    """Return coprime factors of ``2^nbits - 1``, the least first: ``2^t - 1`` or ``2^t + 1``.

    ``2^n - 1 = (2^(n/2) - 1) * (2^(n/2) + 1)`` for even n; the factors are odd, differ by 2, and so
    are coprime. The first splits again while n/2 is even. An exponentiation becomes one for each
    factor, on fewer bits and independent, joined by the Chinese remainder theorem. Source: Vassoler
    2023, section 6.1, which proposes the first split; the rest is ours.

    With ``nbits = 2^k * o`` (4 or more): ``2^o - 1`` (unless 1), ``2^o + 1``, ``2^(2 * o) + 1``, up
    to ``2^(nbits / 2) + 1``. ``depth`` limits the splits.
    """
    if nbits < MIN_FAMILY_NBITS or nbits % 2:
        raise ValueError(f"nbits={nbits}: even widths from {MIN_FAMILY_NBITS} bits on allowed")
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
    return reduce(_join_two, others, first[0])


def _join_two(lower: int, pair: tuple[int, PseudoModulus]) -> int:
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
