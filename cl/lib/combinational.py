"""Timing of a combinational multiplier: the result is there with the operands."""


class Combinational:
    """A product in every cycle; parameters as the circuit's."""

    overlaps = True

    def __init__(self, nbits: int, *, handshake_cycles: int = 0, **params: object):
        self._durations = (handshake_cycles,)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """No cycle of its own."""
        return self._durations
