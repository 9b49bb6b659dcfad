"""Timing of MulRem: that of its divider."""

from cl.lib.divider import aligning_divider_cycles, divider_cycles


class MulRem:
    """One product at a time; parameters as the circuit's."""

    overlaps = False

    def __init__(self, nbits: int, bits_per_cycle: int, divider: str):
        self._bits_per_cycle = bits_per_cycle
        self._aligns = divider == "aligning"
        self._divided_nbits = nbits if divider == "preloaded" else 2 * nbits

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles in the divider."""
        if self._aligns:
            return (aligning_divider_cycles(a * b // modulus, self._bits_per_cycle),)
        return (divider_cycles(self._divided_nbits, self._bits_per_cycle),)
