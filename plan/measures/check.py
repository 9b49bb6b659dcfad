"""Check of a result by the public exponent."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rsaxcel.plan.measures.measure import Added, Measure, Number
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import FACTOR, MINUS_ONE, ONE, REFERENCE, RESULT, Check, Kind, Product, When

UNCHECKED, BY_PUBLIC_EXPONENT = "none", "public_exponent"

CHECKS: Mapping[str, str] = {
    UNCHECKED: "the result is not checked",
    BY_PUBLIC_EXPONENT: "the base is computed again from the result, by the public exponent",
}

#: Width of the public exponent; all of its bits are scanned, leading zeros included.
PUBLIC_NBITS = Parameter(
    "public_nbits",
    lambda nbits: 17,
    lambda nbits: range(2, 33),
    "width of the public exponent that checks the result; 65537 has 17 bits",
)

PUBLIC_EXPONENT = "public_exponent"  #: number of a request


@dataclass(frozen=True)
class ByPublicExponent(Added):
    """The check of a design by two primes."""

    nbits: int  #: width of the public exponent

    def numbers(self, half_nbits: int) -> tuple[Number, ...]:
        title = "public exponent"
        return (Number(PUBLIC_EXPONENT, None, self.nbits, True, title, PUBLIC_NBITS.name),)

    def changed(self, domain: Any) -> Any:
        return replace(domain, check=by_public_exponent(self.nbits))

    def confirms(self, result: int, base: int, modulus: int, numbers: Mapping[str, int]) -> bool:
        return (pow(result, numbers[PUBLIC_EXPONENT], modulus) - base) % modulus == 0


CHECK = Measure(
    "check",
    CHECKS,
    "only a result that two halves are joined to is checked",
    {BY_PUBLIC_EXPONENT: [PUBLIC_NBITS]},
    {BY_PUBLIC_EXPONENT: ByPublicExponent},
)


def by_public_exponent(nbits: int) -> Check:
    """Return steps that compute r**e from the joined result r, and compare it with the message.

    Each half does so modulo its prime, with the constant k = R**3:

    - ``enter``: ``y = r * R``; ``s = R**2``; ``w = 1 - message``, in three products; ``v = R``,
      which represents 1
    - ``loop``, for each bit of e but the lowest: v is squared, and multiplied by y for a 1
    - ``leave``: v is squared to ``r**(e - 1) * R``; ``v = r**e / R``, for the lowest bit, which is
      1 in every public exponent; ``d = w + v * R``, which is 1 modulo the prime if ``r**e`` is the
      message

    The last factor r is read from the result's register again, not from y: a later change is found,
    too. The message comes from ``REFERENCE``, not from the residue with which the exponentiation
    began, which may be wrong in one half. d is compared with 1, not 0: a lane with a flip-flop
    stuck at 0 may compute 0 from all operands. The message comes to d by way of w alone, and r by
    way of v alone: if a source is lost and 0 is read, one of the two is still in d.
    """
    return Check(
        number=PUBLIC_EXPONENT,
        scan=Scan(nbits - 1, from_top=True, fixed=True),
        enter=(
            (Product("y", RESULT, "k", kind=Kind.DOUBLE),),
            (Product("s", ONE, "k"),),
            (Product("w", REFERENCE, "s", kind=Kind.DOUBLE),),
            (Product("w", MINUS_ONE, "w"),),
            (Product("w", ONE, "s", kind=Kind.DOUBLE, tail="w"),),
            (Product("v", ONE, "s"),),
        ),
        loop=((Product("v", "v", "v"),), (Product("v", "y", "v", When.SET),)),
        leave=(
            (Product("v", "v", "v"),),
            (Product("v", RESULT, "v", kind=Kind.DOUBLE),),
            (Product("d", "w", "k", kind=Kind.DOUBLE, tail="v"),),
            (Product("d", FACTOR, "d", reduced=True, compared=True),),
        ),
    )
