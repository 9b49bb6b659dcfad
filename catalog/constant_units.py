"""Units that compute constants of the modulus, by token (the name by which users choose one)."""

from collections.abc import Mapping

from rsaxcel.catalog.units import BuiltIn, Classes
from rsaxcel.fl.constants import division, doubling, shift_sub
from rsaxcel.plan.modulus_constants import Formula

CONSTANT_UNITS: Mapping[str, Classes] = {
    "division": BuiltIn(division.Division),
    "ssmm": BuiltIn(shift_sub.ShiftSubSquare),
    "doubling": BuiltIn(doubling.Doubling),
}
"""Classes of each unit by its token."""


def units_for(formula: Formula, nbits: int) -> tuple[str, ...]:
    """Tokens of the units that can compute a formula for moduli of ``nbits`` bits."""
    return tuple(
        token for token, unit in CONSTANT_UNITS.items() if unit.fl.computes(formula, nbits)
    )
