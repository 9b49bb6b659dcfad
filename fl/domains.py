"""Domains: in which representation the products run.

A domain says how ``b`` enters it, what stands for 1, and how the result ``r`` leaves it, as steps
of the same products that the schedule uses.
"""

from dataclasses import dataclass, replace

from fl.steps import ONE, Product, Step


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

_INTO_MONTGOMERY = ((Product("r", ONE, "r2"), Product("b", "b", "r2")),)
_OUT_OF_MONTGOMERY = ((Product("r", "r", ONE),),)

MONTGOMERY_DEDICATED = Domain(
    name="montgomery, dedicated conversion units",
    montgomery=True,
    constants=("r2",),
    constants_unit="constants.r_squared:RSquared",
    enter=_INTO_MONTGOMERY,
    leave=_OUT_OF_MONTGOMERY,
    dedicated=True,
)
"""Montgomery residues; ConvertIn and ConvertOut as in McNay, figures 11 to 13."""

MONTGOMERY_SHARED = replace(
    MONTGOMERY_DEDICATED, name="montgomery, conversions in the loop's multipliers", dedicated=False
)
"""The same conversions, by the multipliers of the loop."""
