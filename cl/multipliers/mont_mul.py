"""Timing of MontMul: ``nbits / bits_per_cycle`` iterations."""

from cl.lib.serial_control import serial_cycles


class MontMul:
    """Timing of a multiplier that forms one product at a time.

    The constructor takes the same parameters as the circuit, and ``handshake_cycles`` (see
    ``cl.lib.serial_control``).
    """

    overlaps = True

    def __init__(self, nbits: int, bits_per_cycle: int, handshake_cycles: int | None = None):
        iterations = nbits // bits_per_cycle
        self._durations = (serial_cycles(iterations, handshake_cycles=handshake_cycles),)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles of a product."""
        return self._durations
