"""Timing of the reducers, which the circuits in ``rtl.reducers`` have."""

from rsaxcel.cl.lib import Combinational


class SubtractionReducer:
    """Timing of a reducer that loads an operand, and subtracts once in each of k cycles."""

    overlaps = False

    def __init__(self, nbits: int, excess_nbits: int):
        self._durations = (excess_nbits + 1,)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        return self._durations


class CompressorTreeReducer(Combinational):
    """Timing of a combinational reducer."""


class RemainderReducer(Combinational):
    """Timing of a combinational reducer."""
