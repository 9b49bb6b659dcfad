"""Timing of MontMulUnreduced: ``nbits + 2`` iterations, as R = 2**(nbits + 2)."""

from rsaxcel.cl.elastic import Steady
from rsaxcel.cl.lib.serial_control import serial_cycles


class MontMulUnreduced(Steady):
    """Timing of a multiplier that forms one product at a time; see ``cl.lib.serial_control``."""

    overlaps = True

    def __init__(self, nbits: int, handshake_cycles: int | None = None):
        super().__init__(serial_cycles(nbits + 2, 0, handshake_cycles))
