"""Timing of MulRem: that of its divider."""

from cl.lib.divider import divider_cycles


class MulRem:
    """One product at a time; parameters as the circuit's."""

    overlaps = False

    def __init__(self, nbits: int, bits_per_cycle: int):
        self._durations = (divider_cycles(nbits, bits_per_cycle),)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles in the divider."""
        return self._durations
