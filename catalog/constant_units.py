"""Units that compute constants of the modulus, by token (the name by which users choose one)."""

from collections.abc import Mapping

import fl.constants.division
import fl.constants.doubling
import fl.constants.shift_sub
from catalog.units import BuiltIn, Classes
from plan.modulus_constants import Formula

CONSTANT_UNITS: Mapping[str, Classes] = {
    "division": BuiltIn(fl.constants.division.Division),
    "ssmm": BuiltIn(fl.constants.shift_sub.ShiftSubSquare),
    "doubling": BuiltIn(fl.constants.doubling.Doubling),
}
"""Classes of each unit by its token."""


def units_for(formula: Formula, nbits: int) -> tuple[str, ...]:
    """Tokens of the units that can compute a formula for moduli of ``nbits`` bits."""
    return tuple(
        token for token, unit in CONSTANT_UNITS.items() if unit.fl.computes(formula, nbits)
    )
