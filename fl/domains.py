"""Domains: in which representation the products run.

A domain says how ``b`` enters it, what stands for 1, and how the result ``r`` leaves it, as steps
of the same products that the schedule uses.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fl.modulus_constants import HOST, ModulusConstant, PowerOfTwo
from fl.steps import FACTOR, ONE, Product, Reduction, Step

DOMAINS: Mapping[str, str] = {
    "plain": "ordinary residues: nothing to convert",
    "montgomery": "residues x * R mod m: products divide by R",
    "pseudo_modulus": "products modulo a multiple of m; the result is reduced at the end",
}
"""Domains by their tokens, in words. Plain or montgomery follows from the multiplier's R; over a
pseudo-modulus, residues are of that kind, too."""

CONVERSIONS: Mapping[str, str] = {
    "dedicated": "in units of their own",
    "shared": "in the loop's multipliers",
}
"""Where conversions run, in words."""

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
    leaves = Product("r", "r", ONE) if factor == 1 else Product("r", FACTOR, "r")
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


def pseudo_modulus(domain: Domain, cofactor: int) -> Domain:
    """Residues modulo ``cofactor * m``, in the form of another domain.

    Values below m are such residues already. Constants of m do, because all that matters is what
    they are congruent to modulo m.

    Source: Vassoler 2023, section 4.1, equation 21.
    """
    return replace(domain, name=f"{domain.name}, modulo {cofactor} m", cofactor=cofactor)
