"""Reducers by name: the reductions of a final result, to be simulated and synthesized alone."""

from rsaxcel import cl, fl, rtl
from rsaxcel.catalog.design import MultiplierEntry
from rsaxcel.catalog.units import BuiltIn

_LEVELS = fl, cl, rtl

_UNITS = (
    BuiltIn("subtraction_reducer", _LEVELS, lambda at: at.reducers.SubtractionReducer),
    BuiltIn("compressor_tree_reducer", _LEVELS, lambda at: at.reducers.CompressorTreeReducer),
    BuiltIn("remainder_reducer", _LEVELS, lambda at: at.reducers.RemainderReducer),
)

REDUCERS = {unit.name: MultiplierEntry(unit) for unit in _UNITS}
"""Every reducer by its name; a reducer is a unit like a multiplier, but no choice on an axis."""
