"""Reducers by name: the reductions of a final result, to be simulated and synthesized alone."""

import fl.reducers
from catalog.design import MultiplierEntry
from catalog.units import BuiltIn

_CLASSES = (
    fl.reducers.SubtractionReducer,
    fl.reducers.CompressorTreeReducer,
    fl.reducers.RemainderReducer,
)

REDUCERS = {unit.name: MultiplierEntry(unit) for unit in map(BuiltIn, _CLASSES)}
"""Every reducer by its name; a reducer is a unit like a multiplier, but no choice on an axis."""
