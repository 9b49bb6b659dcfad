"""Domains: how residues represent numbers.

A domain lists the steps that convert the base ``b`` and the number 1 into its representation, and
the result ``r`` back, as products like those of a schedule.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rsaxcel.plan.halves import Halves, OfHalf, Recombination
from rsaxcel.plan.measures import WITHOUT_DUMMIES, Dummies
from rsaxcel.plan.modulus_constants import HOST, ModulusConstant, PowerOfTwo
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.programs import Reduction
from rsaxcel.plan.steps import FACTOR, MESSAGE, MINUS_ONE, MODULUS, ONE, Check, Kind, Product, Step

#: Domains by token. The multiplier's R decides between plain and montgomery; with a pseudo-modulus,
#: residues are those modulo the multiple of m.
DOMAINS: Mapping[str, str] = {
    "plain": "ordinary residues: nothing to convert",
    "montgomery": "residues x * R mod m: products divide by R",
    "pseudo_modulus": "products modulo a multiple of m; the result is reduced at the end",
    "crt": "residues x * R modulo p and modulo q, joined by the Chinese remainder theorem",
}

#: Where conversions run, by token.
CONVERSIONS: Mapping[str, str] = {
    "dedicated": "in units of their own",
    "shared": "in the loop's multipliers",
}

#: Width of the moduli of the two halves.
HALF_NBITS = Parameter(
    "half_nbits",
    lambda nbits: -(-nbits // 2),
    lambda nbits: range(-(-nbits // 2), nbits - 1),
    "width of each of the two moduli, whose product has at most nbits bits",
)

PRODUCT = "product"  #: value of `one`: a multiplier forms R mod m, as `1 * R**2 / R mod m`


@dataclass(frozen=True)
class Domain:
    """Representation of the residues ``b`` (base) and ``r`` (result)."""

    name: str  #: name as users see it
    montgomery: bool = False  #: products carry a factor 1/R; the modulus is odd
    #: constants that are residues, such as `r2`, R**2 mod m
    constants: tuple[ModulusConstant, ...] = ()
    #: Steps before the table of powers is filled: convert `b`, and 1 if `r` holds it.
    enter: tuple[Step, ...] = ()
    begin: tuple[Step, ...] = ()  #: steps after that: form 1 if a residue other than `r` holds it
    leave: tuple[Step, ...] = ()  #: steps after the loop: convert `r` back
    ones: tuple[str, ...] = ()  #: residues whose initial value is 1
    dedicated: bool = False  #: conversions have executors of their own: requests overlap
    cofactor: int = 1  #: c: products are formed modulo c * m
    factor: int = 1  #: divisor of the store's final reduction; the last step multiplies by it
    #: None: the result is below the modulus, or the store reduces it.
    reduction: Reduction | None = None
    join: tuple[Step, ...] = ()  #: steps that combine the results of two halves
    check: Check | None = None  #: check of the joined result
    dummies: Dummies = WITHOUT_DUMMIES
    given: tuple[str, ...] = ()  #: residues that measures need
    halves: Halves | None = None  #: layout of two halves within modulus and exponent


def plain(unit: str = "r") -> Domain:
    """Domain of ordinary residues; ``unit`` is the residue that starts as 1."""
    return Domain(name="plain", ones=(unit,))


def r_squared_constant(nbits: int, log2_r: int, source: str = HOST) -> ModulusConstant:
    """Declare R**2 mod m, whose Montgomery product with a value is the value's Montgomery form."""
    formula = PowerOfTwo(2 * log2_r)
    return ModulusConstant("r2", nbits, formula, "R^2 mod m", source, choice="r_squared")


def one_constant(nbits: int, log2_r: int, source: str = HOST, unit: str = "r") -> ModulusConstant:
    """Declare R mod m, the Montgomery form of 1, which the residue ``unit`` holds."""
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

    ``conversions`` is ``dedicated`` as in McNay, figures 11 to 13, or ``shared`` as in Li and Chu,
    section IV. ``unit`` holds R mod m before the loop. With ``one=PRODUCT``, a product of R**2 mod
    m and 1 forms R mod m: before the table of powers is filled if ``unit`` is ``r``, otherwise
    after. ``factor`` is that of the final reduction.
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
    - ``join``: Garner's formula, ``h = (x - m_q) / q mod p`` with ``g = R**2 * factor / q mod p``,
      then ``r = h * q + m_q``.

    Measures (``Added.changed``) add steps, and residues that come with the exponent.

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
    formula = Recombination(2 * log2_r + log2_factor, halves)
    constants.append(ModulusConstant("g_0", nbits, formula, str(formula), half=0))
    domain = Domain(
        name="montgomery, by the Chinese remainder theorem",
        montgomery=True,
        constants=tuple(constants),
        enter=((Product("b", MESSAGE, "k", kind=Kind.DOUBLE),),),
        begin=((Product(unit, ONE, "k"),), (Product(unit, ONE, unit),)),
        leave=(
            (Product("x", ONE, "r", half=0), Product("m_q", FACTOR, "r", half=1, reduced=True)),
        ),
        join=(
            (Product("u", "m_q", unit, half=0),),
            (Product("u", MINUS_ONE, "u", half=0),),
            (Product("h", "x", "g", kind=Kind.DOUBLE, tail="u", half=0, reduced=True),),
            (Product("r", "h", MODULUS, kind=Kind.WHOLE, tail="m_q", half=1),),
        ),
        factor=factor,
        halves=halves,
    )
    for added in halves.measures:
        domain = added.changed(domain)
    return domain


def pseudo_modulus(domain: Domain, cofactor: int) -> Domain:
    """Return a domain with products modulo ``cofactor * m``; values below m are residues, too."""
    # The constants of the modulus are still those of m: only values modulo m matter. Source:
    # Vassoler 2023, section 4.1, equation 21.
    return replace(domain, name=f"{domain.name}, modulo {cofactor} m", cofactor=cofactor)
