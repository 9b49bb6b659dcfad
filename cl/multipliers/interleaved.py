"""Timing of Interleaved: a doubling for each bit, and two more cycles for each 1 of ``a``."""


class Interleaved:
    """Timing of a multiplier that forms one product at a time."""

    overlaps = False
    merged_cycles = 0  #: of a product besides its iterations, with `control=merged`

    def __init__(self, nbits: int, handshake_cycles: int = 1):
        self._fixed_cycles = nbits + handshake_cycles

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        return (self._fixed_cycles + 2 * a.bit_count(),)
