"""Domains: how residues represent numbers.

A domain lists the steps that convert the base ``b`` and the number 1 into the representation of the
domain, and the result ``r`` back. These steps consist of products, like the steps of a schedule.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rsaxcel.plan.blinding import BLIND, MULTIPLE, PRIVATE, UNBLIND, Blinding
from rsaxcel.plan.dummies import DUMMY
from rsaxcel.plan.halves import Halves, OfHalf, Recombination
from rsaxcel.plan.modulus_constants import HOST, ModulusConstant, PowerOfTwo
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.programs import Reduction
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import (
    EXPONENT,
    FACTOR,
    MESSAGE,
    MINUS_ONE,
    MODULUS,
    ONE,
    ORDER,
    REFERENCE,
    RESULT,
    Check,
    Kind,
    Product,
    Step,
    When,
)

DOMAINS: Mapping[str, str] = {
    "plain": "ordinary residues: nothing to convert",
    "montgomery": "residues x * R mod m: products divide by R",
    "pseudo_modulus": "products modulo a multiple of m; the result is reduced at the end",
    "crt": "residues x * R modulo p and modulo q, joined by the Chinese remainder theorem",
}
"""Description of each domain by its token. The multiplier's R decides between plain and montgomery.
With a pseudo-modulus, residues are plain or Montgomery residues modulo the multiple of m."""

CONVERSIONS: Mapping[str, str] = {
    "dedicated": "in units of their own",
    "shared": "in the loop's multipliers",
}
"""Description of where conversions run, by token."""

HALF_NBITS = Parameter(
    "half_nbits",
    lambda nbits: -(-nbits // 2),
    lambda nbits: range(-(-nbits // 2), nbits - 1),
    "width of each of the two moduli, whose product has at most nbits bits",
)
"""Width of the moduli of the two halves."""

UNCHECKED, BY_PUBLIC_EXPONENT = "none", "public_exponent"

CHECKS: Mapping[str, str] = {
    UNCHECKED: "the result is not checked",
    BY_PUBLIC_EXPONENT: "the base is computed again from the result, by the public exponent",
}
"""Description of the checks of a result by token."""

PUBLIC_NBITS = Parameter(
    "public_nbits",
    lambda nbits: 17,
    lambda nbits: range(2, 33),
    "width of the public exponent that checks the result; 65537 has 17 bits",
)
"""Width of the public exponent; all of its bits are scanned, leading zeros included."""

OF_NOTHING, OF_MESSAGE, OF_EXPONENTS, OF_BOTH = "none", "message", "exponents", "both"

BLINDINGS: Mapping[str, str] = {
    OF_NOTHING: "nothing is blinded",
    OF_MESSAGE: "a random factor multiplies the message; another one undoes that in the result",
    OF_EXPONENTS: "a random multiple of p - 1, and of q - 1, is added to the exponents",
    OF_BOTH: "message and exponents",
}
"""Description of what is blinded, by token. The random numbers come with the request."""

BLIND_NBITS = Parameter(
    "blind_nbits",
    lambda nbits: min(32, nbits // 2),
    lambda nbits: range(2, min(64, nbits // 2) + 1),
    "width of the random numbers by which p - 1 and q - 1 are multiplied to blind the exponents",
)
"""Width of the random numbers that blind the exponents."""

PRODUCT = "product"
"""Source of R mod m if a multiplier forms it, as the product ``1 * R**2 / R mod m``."""


@dataclass(frozen=True)
class Domain:
    """Representation of the residues ``b`` (base) and ``r`` (result).

    Parameters
    ----------
    name : str
        Name as users see it.
    montgomery : bool
        Whether products carry a factor 1/R; the modulus then has to be odd.
    constants : tuple of ModulusConstant
        Constants of the modulus that are residues, such as ``r2``, R**2 mod m.
    enter, begin, leave : tuple of Step
        ``enter`` runs before the table of powers is filled. It converts ``b``, and 1 if ``r`` holds
        1 before the loop. ``begin`` runs after the table is filled. It forms the representation of
        1 if a residue other than ``r`` holds 1. ``leave`` runs after the loop and converts ``r``
        back.
    ones : tuple of str
        Residues whose initial value is 1.
    dedicated : bool
        Whether conversions have executors of their own, so that requests overlap.
    cofactor : int
        c: products are formed modulo c * m.
    factor : int
        Number by which the final reduction in the store divides the result; the last step
        multiplies the result by this number to compensate.
    reduction : Reduction or None
        How the final result is brought below the modulus; None: it is already below the modulus, or
        the store reduces it.
    join : tuple of Step
        Steps that combine the results of two halves.
    check : Check or None
        Steps that check the joined result; None: it is not checked.
    halves : Halves or None
        Layout of two halves within modulus and exponent; None: there are no halves.
    """

    name: str
    montgomery: bool = False
    constants: tuple[ModulusConstant, ...] = ()
    enter: tuple[Step, ...] = ()
    begin: tuple[Step, ...] = ()
    leave: tuple[Step, ...] = ()
    ones: tuple[str, ...] = ()
    dedicated: bool = False
    cofactor: int = 1
    factor: int = 1
    reduction: Reduction | None = None
    join: tuple[Step, ...] = ()
    check: Check | None = None
    halves: Halves | None = None


def plain(unit: str = "r") -> Domain:
    """Domain of ordinary residues; ``unit`` is the residue that starts as 1."""
    return Domain(name="plain", ones=(unit,))


def r_squared_constant(nbits: int, log2_r: int, source: str = HOST) -> ModulusConstant:
    """Declare the constant R**2 mod m, by which values are converted into Montgomery form.

    The Montgomery product of this constant and a value is the Montgomery form of the value.
    """
    formula = PowerOfTwo(2 * log2_r)
    return ModulusConstant("r2", nbits, formula, "R^2 mod m", source, choice="r_squared")


def one_constant(nbits: int, log2_r: int, source: str = HOST, unit: str = "r") -> ModulusConstant:
    """Declare the constant R mod m, the Montgomery form of 1, which the residue ``unit`` holds."""
    return ModulusConstant(unit, nbits, PowerOfTwo(log2_r), "R mod m", source, choice="one")


def montgomery(
    nbits: int,
    log2_r: int,
    conversions: str,
    r_squared: str,
    one: str,
    unit: str = "r",
    factor: int = 1,
) -> Domain:
    """Montgomery residues ``x * R mod m``.

    Parameters
    ----------
    nbits : int
        Width of residues in bits.
    log2_r : int
        Binary logarithm of R.
    conversions : str
        Where values are converted into the domain and back, a key of ``CONVERSIONS``:
        ``"dedicated"`` as in McNay, figures 11 to 13, ``"shared"`` as in Li and Chu, section IV.
    r_squared : str
        Source of R**2 mod m.
    one : str
        Source of R mod m, the Montgomery form of 1; ``PRODUCT``: formed from R**2 mod m.
    unit : str
        Residue that holds R mod m before the loop. With ``one=PRODUCT``, a product of R**2 mod m
        and 1 forms it: before the table of powers is filled if ``unit`` is ``r``, otherwise after.
    factor : int
        Number by which the final reduction in the store divides the result.
    """
    constants = [] if one == PRODUCT else [one_constant(nbits, log2_r, one, unit)]
    constants.append(r_squared_constant(nbits, log2_r, r_squared))
    base_enters = Product("b", "b", "r2", lane=1)
    unit_enters = Product(unit, ONE, "r2")
    enter: tuple[Step, ...] = ((base_enters,),)
    begin: tuple[Step, ...] = ()
    if one == PRODUCT and unit == "r":
        enter = ((unit_enters, base_enters),)
    elif one == PRODUCT:
        begin = ((unit_enters,),)
    leaves = Product("r", "r", ONE) if factor == 1 else Product("r", FACTOR, "r", reduced=True)
    return Domain(
        name=f"montgomery, converted {CONVERSIONS[conversions]}, R^2 by {r_squared}"
        + ("" if one == PRODUCT else f", R by {one}"),
        montgomery=True,
        constants=tuple(constants),
        enter=enter,
        begin=begin,
        leave=((leaves,),),
        dedicated=conversions == "dedicated",
        factor=factor,
    )


def crt(halves: Halves, log2_r: int, factor: int, unit: str) -> Domain:
    """Montgomery residues modulo p (half 0) and modulo q (half 1), for the modulus p * q.

    The constant k of a half is R**3 modulo its prime. The steps compute:

    - ``enter``: the residue of the message, ``message * k / R**2 = message * R``. The message has
      up to twice the digits of a residue.
    - ``begin``: the residue of 1, ``k / R = R**2``, then ``R**2 / R = R``.
    - ``leave``: the results ``x`` modulo p, signed and not reduced, and ``m_q``, reduced below q.
    - ``join``: Garner's formula, ``h = (x - m_q) / q mod p`` with ``g = R * factor / q mod p``,
      then ``r = h * q + m_q``.

    With blinding (``plan.blinding``), ``enter`` has more steps. With a blinded message, ``leave``
    begins with a product that unblinds the result. With dummies (``plan.dummies``), ``begin`` forms
    the residue with which they begin, ``b * R**2``: the loop does not square it.

    Parameters
    ----------
    halves : Halves
        Layout of p and q within the modulus, and what is blinded.
    log2_r : int
        Binary logarithm of R.
    factor : int
        Number by which each reduction in the store divides.
    unit : str
        Residue that represents 1.

    Source: H. L. Garner, "The residue number system", 1959; Quisquater and Couvreur, 1982.
    """
    nbits, log2_factor = halves.nbits, factor.bit_length() - 1
    constants = [
        ModulusConstant(
            f"k_{half}",
            nbits,
            OfHalf(PowerOfTwo(3 * log2_r), half, halves),
            f"R^3 mod {'pq'[half]}",
            half=half,
        )
        for half in (0, 1)
    ]
    formula = Recombination(log2_r + log2_factor, halves)
    constants.append(ModulusConstant("g_0", nbits, formula, str(formula), half=0))
    return Domain(
        name="montgomery, by the Chinese remainder theorem",
        montgomery=True,
        constants=tuple(constants),
        enter=_enter_crt(halves.blinding),
        begin=(
            *([(Product(DUMMY, "b", "k"),)] if halves.dummies else []),
            (Product(unit, ONE, "k"),),
            (Product(unit, ONE, unit),),
        ),
        leave=(
            *([(Product("r", UNBLIND, "r"),)] if halves.blinding.message else []),
            (
                Product("x", ONE, "r", half=0),
                Product("m_q", FACTOR, "r", half=1, reduced=True),
            ),
        ),
        join=(
            (Product("u", "m_q", "k", half=0),),
            (Product("u", MINUS_ONE, "u", half=0),),
            (Product("h", "u", "g", kind=Kind.DOUBLE, tail="x", half=0, reduced=True),),
            (Product("r", "h", MODULUS, kind=Kind.WHOLE, tail="m_q", half=1),),
        ),
        check=by_public_exponent(halves.public_nbits) if halves.public_nbits else None,
        factor=factor,
        halves=halves,
    )


def _enter_crt(blinding: Blinding) -> tuple[Step, ...]:
    """Give the steps that form exponents, blinding factors, and the residue of the message.

    The constant k is R**3 modulo the prime. With ``blind`` for the factor of the message, the steps
    compute ``blind * R**2``, ``blind * R**4``, ``message * blind * R**2``, and the residue
    ``message * blind * R``. So no value depends on the message alone. The factor that unblinds the
    result becomes ``unblind * R**2``, then ``unblind * R``.
    """
    steps: list[Step] = []
    if blinding.exponent_nbits:
        steps.append((Product(EXPONENT, MULTIPLE, ORDER, kind=Kind.WHOLE, tail=PRIVATE),))
    if not blinding.message:
        return (*steps, (Product("b", MESSAGE, "k", kind=Kind.DOUBLE),))
    return (
        *steps,
        (Product(UNBLIND, UNBLIND, "k"),),
        (Product(UNBLIND, ONE, UNBLIND),),
        (Product(BLIND, BLIND, "k"),),
        (Product(BLIND, BLIND, "k"),),
        (Product("b", MESSAGE, BLIND, kind=Kind.DOUBLE),),
        (Product("b", ONE, "b"),),
    )


def by_public_exponent(nbits: int) -> Check:
    """Give the steps that compute r**e from the joined result r, and compare it with the message.

    Each half does so modulo its prime.

    The constant k is R**3 modulo the prime. The steps compute:

    - ``enter``: ``y = r * R``; ``s = R**2``; ``w = 1 - message``, in three products; ``v = R``,
      which represents 1
    - ``loop``, for each bit of e but the lowest: v is squared, and multiplied by y for a 1
    - ``leave``: v is squared to ``r**(e - 1) * R``; ``v = r**e / R``, for the lowest bit, which is
      1 in every public exponent; ``d = w + v * R``, which is 1 modulo the prime if ``r**e`` is the
      message

    The last factor r is read from the register of the result again, not taken from y: so a result
    that changes after y was formed is found, too. The message comes from a register of its own
    (``REFERENCE``), not from the residue with which the exponentiation began: that residue may be
    wrong in one half. And d is compared with 1, not 0, because a lane with a flip-flop stuck at 0
    may compute 0 from all operands. The message comes to d by way of w alone, and r by way of v
    alone: if a source is lost, so that 0 is read instead, one of the two is still in d.

    Parameters
    ----------
    nbits : int
        Width of the public exponent e in bits.
    """
    return Check(
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


def pseudo_modulus(domain: Domain, cofactor: int) -> Domain:
    """Give the domain with the steps of ``domain``, but with products modulo ``cofactor * m``.

    A value below m is a residue modulo ``cofactor * m`` without a conversion. The constants of the
    modulus are still those of m, because only the values of residues modulo m matter.

    Source: Vassoler 2023, section 4.1, equation 21.
    """
    return replace(domain, name=f"{domain.name}, modulo {cofactor} m", cofactor=cofactor)
