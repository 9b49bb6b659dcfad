"""Timing of MulRem: cycles of its divider, and of operand registers if there are any."""

from rsaxcel.cl.lib.divider import aligning_divider_cycles, divider_cycles
from rsaxcel.fl.multipliers.contract import REGISTERED


class MulRem:
    """Timing of a multiplier that forms one product at a time."""

    overlaps = False

    def __init__(self, nbits: int, bits_per_cycle: int, divider: str, operands: str):
        self._bits_per_cycle = bits_per_cycle
        self._aligns = divider == "aligning"
        self._divided_nbits = nbits if divider == "preloaded" else 2 * nbits
        self._register_cycles = int(operands == REGISTERED)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles in the operand registers and in the divider, which are one stage."""
        if self._aligns:
            cycles = aligning_divider_cycles(a * b // modulus, self._bits_per_cycle)
        else:
            cycles = divider_cycles(self._divided_nbits, self._bits_per_cycle)
        return (self._register_cycles + cycles,)
