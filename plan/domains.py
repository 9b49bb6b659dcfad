"""Domains: in which representation the products run.

A domain says how ``b`` enters it, what stands for 1, and how the result ``r`` leaves it, as steps
of the same products that the schedule uses.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from plan.halves import Halves, OfHalf, Recombination
from plan.modulus_constants import HOST, ModulusConstant, PowerOfTwo
from plan.parameters import Parameter
from plan.programs import Reduction
from plan.steps import FACTOR, MESSAGE, MINUS_ONE, MODULUS, ONE, Kind, Product, Step

DOMAINS: Mapping[str, str] = {
    "plain": "ordinary residues: nothing to convert",
    "montgomery": "residues x * R mod m: products divide by R",
    "pseudo_modulus": "products modulo a multiple of m; the result is reduced at the end",
    "crt": "residues x * R modulo p and modulo q, joined by the Chinese remainder theorem",
}
"""Domains by their tokens, in words. Plain or montgomery follows from the multiplier's R; over a
pseudo-modulus, residues are of that kind, too."""

CONVERSIONS: Mapping[str, str] = {
    "dedicated": "in units of their own",
    "shared": "in the loop's multipliers",
}
"""Where conversions run, in words."""

HALF_NBITS = Parameter(
    "half_nbits",
    lambda nbits: -(-nbits // 2),
    lambda nbits: range(-(-nbits // 2), nbits - 1),
    "width of each of the two moduli, whose product has at most nbits bits",
)
"""Width of the halves of a modulus."""

PRODUCT = "product"
"""Source of R mod m where it is a product by R**2 mod m."""


@dataclass(frozen=True)
class Domain:
    """Representation of the residues ``b`` (base) and ``r`` (result).

    Parameters
    ----------
    name : str
        As users see it.
    montgomery : bool
        Whether products carry a factor 1/R, which makes odd moduli a must.
    constants : tuple of ModulusConstant
        Residues that come from somewhere else: ``r`` is R mod m, ``r2`` is R**2 mod m.
    enter, begin, leave : tuple of Step
        Steps that bring ``b`` and what stands for 1 in (this in ``begin``, where it is a residue of
        its own), and ``r`` out.
    ones : tuple of str
        Residues that simply start as 1.
    dedicated : bool
        Whether conversions have machines of their own, so that requests overlap.
    cofactor : int
        Products run modulo so many times the modulus.
    factor : int
        What the store divides the last result by, so that the last step multiplies by it.
    reduction : Reduction or None
        What brings the last result below the modulus, where it need not be.
    join : tuple of Step
        Steps that make one result of those of two halves.
    halves : Halves or None
        How modulus and exponent carry two halves; None: they do not.
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
    halves: Halves | None = None


def plain(unit: str = "r") -> Domain:
    """Ordinary residues; ``unit`` is the residue that starts as 1."""
    return Domain(name="plain", ones=(unit,))


def r_squared_constant(nbits: int, log2_r: int, source: str = HOST) -> ModulusConstant:
    """R**2 mod m, the factor that brings a value into residue form."""
    formula = PowerOfTwo(2 * log2_r)
    return ModulusConstant("r2", nbits, formula, "R^2 mod m", source, choice="r_squared")


def one_constant(nbits: int, log2_r: int, source: str = HOST, unit: str = "r") -> ModulusConstant:
    """R mod m, which stands for 1, in the residue ``unit``."""
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
        R is two to the power of it.
    conversions : str
        Where values enter and leave the domain, a key of ``CONVERSIONS``: ``"dedicated"`` as in
        McNay, figures 11 to 13, ``"shared"`` as in Li and Chu, section IV.
    r_squared : str
        Source of R**2 mod m.
    one : str
        Source of R mod m, which stands for 1; ``PRODUCT`` makes it of R**2 mod m.
    unit : str
        Residue that it is; what is not ``r`` enters behind the table.
    factor : int
        What the store divides the last result by.
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
    """Montgomery residues modulo p and modulo q of a modulus p * q, as wide as both.

    The constant k of each half is R**3 mod its modulus. The message enters it, with twice the
    digits of a residue, by a product that is divided by R**2, and k gives R**2 and R. Half 1, of q,
    leaves it for a result below q. Half 0, of p, leaves it with a signed one, of which R times
    that below q is subtracted; times 1 / q modulo p, it is what q is to be multiplied by.

    Parameters
    ----------
    halves : Halves
        How p and q travel.
    log2_r : int
        R is two to the power of it.
    factor : int
        What the store divides reduced results by.
    unit : str
        Residue that stands for 1.

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
        enter=((Product("b", MESSAGE, "k", kind=Kind.DOUBLE),),),
        begin=((Product(unit, ONE, "k"),), (Product(unit, ONE, unit),)),
        leave=(
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
        factor=factor,
        halves=halves,
    )


def pseudo_modulus(domain: Domain, cofactor: int) -> Domain:
    """Residues modulo ``cofactor * m``, in the form of another domain.

    Values below m are such residues already. Constants of m do, because all that matters is what
    they are congruent to modulo m.

    Source: Vassoler 2023, section 4.1, equation 21.
    """
    return replace(domain, name=f"{domain.name}, modulo {cofactor} m", cofactor=cofactor)
