"""Timing of MontMulUnreduced: ``nbits + 2`` iterations, as R = 2**(nbits + 2)."""

from rsaxcel.cl.lib.serial_control import serial_cycles


class MontMulUnreduced:
    """Timing of a multiplier that forms one product at a time; see ``cl.lib.serial_control``."""

    overlaps = True

    def __init__(self, nbits: int, handshake_cycles: int | None = None):
        self._durations = (serial_cycles(nbits + 2, 0, handshake_cycles),)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        return self._durations
