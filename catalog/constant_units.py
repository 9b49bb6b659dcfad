"""Units that compute constants of the modulus, by token (the name by which users choose one)."""

from collections.abc import Mapping

from rsaxcel.catalog.units import BuiltIn, Classes
from rsaxcel.cl import constants as cl_constants
from rsaxcel.fl import constants as fl_constants
from rsaxcel.plan.modulus_constants import Formula
from rsaxcel.rtl import constants as rtl_constants

_LEVELS = fl_constants, cl_constants, rtl_constants

CONSTANT_UNITS: Mapping[str, Classes] = {
    "division": BuiltIn("division", _LEVELS, lambda at: at.division.Division),
    "ssmm": BuiltIn("shift_sub_square", _LEVELS, lambda at: at.shift_sub.ShiftSubSquare),
    "doubling": BuiltIn("doubling", _LEVELS, lambda at: at.doubling.Doubling),
}
"""Classes of each unit by its token."""


def units_for(formula: Formula, nbits: int) -> tuple[str, ...]:
    """Tokens of the units that can compute a formula for moduli of ``nbits`` bits."""
    return tuple(
        token for token, unit in CONSTANT_UNITS.items() if unit.fl.computes(formula, nbits)
    )
