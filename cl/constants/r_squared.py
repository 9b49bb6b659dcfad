"""Timing of R**2 mod N: a division of 2 * nbits + 1 bits, the first of them preloaded."""

from cl.lib.divider import divider_cycles


class RSquared:
    """One modulus at a time; parameters as the circuit's."""

    overlaps = False

    def __init__(self, nbits: int, r2_bits_per_cycle: int = 2):
        self._durations = (divider_cycles(2 * nbits, r2_bits_per_cycle),)

    def durations(self, modulus: int) -> tuple[int, ...]:
        """Cycles in the divider."""
        return self._durations
