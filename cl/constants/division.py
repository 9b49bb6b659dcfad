"""Timing of constants that a divider computes, from a dividend ``2**k``."""

from rsaxcel.cl.lib.divider import aligning_divider_cycles, divider_cycles
from rsaxcel.fl.constants.division import ALIGNING
from rsaxcel.plan.modulus_constants import ModulusConstant, PowerOfTwo, Reciprocal


class Division:
    """Timing of a divider that handles one modulus at a time, with the circuit's parameters."""

    overlaps = False

    def __init__(self, nbits: int, constant: ModulusConstant, bits_per_cycle: int, divider: str):
        assert isinstance(constant.formula, PowerOfTwo | Reciprocal)
        self._exponent = constant.formula.exponent
        self._bits_per_cycle = bits_per_cycle
        self._aligns = divider == ALIGNING

    def durations(self, modulus: int) -> tuple[int, ...]:
        """Cycles of the division; a restoring one takes as many for every modulus."""
        if self._aligns:
            quotient = (1 << self._exponent) // modulus
            return (aligning_divider_cycles(quotient, self._bits_per_cycle),)
        return (divider_cycles(self._exponent, self._bits_per_cycle),)
