"""Units that compute constants of the modulus, by the tokens with which they are chosen."""

from collections.abc import Mapping

import cl.constants.division
import cl.constants.doubling
import cl.constants.shift_sub
import fl.constants.division
import fl.constants.doubling
import fl.constants.shift_sub
import rtl.constants.division
import rtl.constants.doubling
import rtl.constants.shift_sub
from catalog.units import Classes
from plan.modulus_constants import Formula

CONSTANT_UNITS: Mapping[str, Classes] = {
    "division": Classes(
        fl.constants.division.Division,
        cl.constants.division.Division,
        rtl.constants.division.Division,
    ),
    "ssmm": Classes(
        fl.constants.shift_sub.ShiftSubSquare,
        cl.constants.shift_sub.ShiftSubSquare,
        rtl.constants.shift_sub.ShiftSubSquare,
    ),
    "doubling": Classes(
        fl.constants.doubling.Doubling,
        cl.constants.doubling.Doubling,
        rtl.constants.doubling.Doubling,
    ),
}
"""Units by token."""


def units_for(formula: Formula, nbits: int) -> tuple[str, ...]:
    """Tokens of the units that can compute a formula of moduli of ``nbits`` bits."""
    return tuple(
        token for token, unit in CONSTANT_UNITS.items() if unit.fl.computes(formula, nbits)
    )
