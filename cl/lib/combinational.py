"""Timing of a combinational multiplier: a latency of 0 cycles."""


class Combinational:
    """Timing of a multiplier that can begin a product in every cycle: 0 or ``handshake_cycles``."""

    overlaps = True

    def __init__(self, nbits: int, *, handshake_cycles: int = 0, **params: object):
        self._durations = (handshake_cycles,)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        return self._durations
