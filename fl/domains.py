"""Domains: in which representation the products run.

A domain says how ``b`` enters it, what stands for 1, and how the result ``r`` leaves it, as steps
of the same products that the schedule uses.
"""

from dataclasses import dataclass

from fl.steps import ONE, Product, Step

R_SQUARED_UNITS = {
    "division": "constants.r_squared:RSquared",
    "ssmm": "constants.r_squared_ssmm:RSquaredSsmm",
    "doubling": "constants.r_squared_doubling:RSquaredDoubling",
}
"""Units that supply R**2 mod m, by the way in which they do."""

HOST = "host"
"""The choice of constants that the host supplies with the request."""

CONVERSIONS = {
    "dedicated": "in units of their own",
    "shared": "in the loop's multipliers",
}
"""Where conversions run, in words."""


@dataclass(frozen=True)
class Domain:
    """Representation of the residues ``b`` (base) and ``r`` (result).

    Parameters
    ----------
    name : str
        As users see it.
    montgomery : bool
        Whether products carry a factor 1/R, which makes odd moduli a must.
    constants : tuple of str
        Residues that a unit supplies.
    constants_unit : str or None
        Reference (``fl.units.Unit``) of the unit that supplies them.
    host_constants : tuple of str
        Residues that the host supplies: ``r`` is R mod m, ``r2`` is R**2 mod m.
    enter, leave : tuple of Step
        Steps that bring ``b`` and the initial ``r`` in, and ``r`` out.
    ones : tuple of str
        Residues that simply start as 1.
    dedicated : bool
        Whether conversions have machines of their own, so that requests overlap.
    """

    name: str
    montgomery: bool = False
    constants: tuple[str, ...] = ()
    constants_unit: str | None = None
    host_constants: tuple[str, ...] = ()
    enter: tuple[Step, ...] = ()
    leave: tuple[Step, ...] = ()
    ones: tuple[str, ...] = ()
    dedicated: bool = False


PLAIN = Domain(name="plain", ones=("r",))
"""Ordinary residues: nothing to convert."""


ONE_SOURCES = ("product", HOST)
"""Where R mod m comes from, which stands for 1: a product by R**2 mod m, or the host."""


def montgomery(conversions: str, r_squared: str, one: str = "product") -> Domain:
    """Montgomery residues ``x * R mod m``.

    Parameters
    ----------
    conversions : str
        Where values enter and leave the domain, a key of ``CONVERSIONS``: ``"dedicated"`` as in
        McNay, figures 11 to 13, ``"shared"`` as in Li and Chu, section IV.
    r_squared : str
        Where R**2 mod m comes from, a key of ``R_SQUARED_UNITS`` or ``HOST``.
    one : str
        Where R mod m comes from, of ``ONE_SOURCES``.

    Raises
    ------
    ValueError
        For a choice that there is not.
    """
    for name, choice, allowed in (
        ("conversions", conversions, CONVERSIONS),
        ("r_squared", r_squared, (*R_SQUARED_UNITS, HOST)),
        ("one", one, ONE_SOURCES),
    ):
        if choice not in allowed:
            raise ValueError(f"{name}={choice}: {', '.join(allowed)} are allowed")
    by_host = tuple(name for name, source in (("r", one), ("r2", r_squared)) if source == HOST)
    base_enters = Product("b", "b", "r2")
    return Domain(
        name=f"montgomery, converted {CONVERSIONS[conversions]}, R^2 by {r_squared}"
        + (f", R by {one}" if one == HOST else ""),
        montgomery=True,
        constants=() if r_squared == HOST else ("r2",),
        constants_unit=R_SQUARED_UNITS.get(r_squared),
        host_constants=by_host,
        enter=((base_enters,) if one == HOST else (Product("r", ONE, "r2"), base_enters),),
        leave=((Product("r", "r", ONE),),),
        dedicated=conversions == "dedicated",
    )
