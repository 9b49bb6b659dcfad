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
        Residues supplied from outside the products.
    constants_unit : str or None
        Reference (``fl.units.Unit``) of the unit that supplies them.
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
    enter: tuple[Step, ...] = ()
    leave: tuple[Step, ...] = ()
    ones: tuple[str, ...] = ()
    dedicated: bool = False


PLAIN = Domain(name="plain", ones=("r",))
"""Ordinary residues: nothing to convert."""


def montgomery(conversions: str, r_squared: str) -> Domain:
    """Montgomery residues ``x * R mod m``.

    Parameters
    ----------
    conversions : str
        Where values enter and leave the domain, a key of ``CONVERSIONS``: ``"dedicated"`` as in
        McNay, figures 11 to 13, ``"shared"`` as in Li and Chu, section IV.
    r_squared : str
        Where R**2 mod m comes from, a key of ``R_SQUARED_UNITS``.

    Raises
    ------
    ValueError
        For a choice that there is not.
    """
    for name, choice, allowed in (
        ("conversions", conversions, CONVERSIONS),
        ("r_squared", r_squared, R_SQUARED_UNITS),
    ):
        if choice not in allowed:
            raise ValueError(f"{name}={choice}: {', '.join(allowed)} are allowed")
    return Domain(
        name=f"montgomery, converted {CONVERSIONS[conversions]}, R^2 by {r_squared}",
        montgomery=True,
        constants=("r2",),
        constants_unit=R_SQUARED_UNITS[r_squared],
        enter=((Product("r", ONE, "r2"), Product("b", "b", "r2")),),
        leave=((Product("r", "r", ONE),),),
        dedicated=conversions == "dedicated",
    )
