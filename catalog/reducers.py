"""Reducers by name: the reductions of a final result, to be simulated and synthesized alone."""

from rsaxcel.catalog.design import MultiplierEntry
from rsaxcel.catalog.units import BuiltIn
from rsaxcel.fl import reducers

_CLASSES = (
    reducers.SubtractionReducer,
    reducers.CompressorTreeReducer,
    reducers.RemainderReducer,
)

REDUCERS = {unit.name: MultiplierEntry(unit) for unit in map(BuiltIn, _CLASSES)}
"""Every reducer by its name; a reducer is a unit like a multiplier, but no choice on an axis."""
