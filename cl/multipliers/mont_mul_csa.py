"""Timing of MontMulCsa: a cycle per bit, then two additions with propagation of carries."""

from rsaxcel.cl.elastic import Steady
from rsaxcel.cl.lib.serial_control import serial_cycles


class MontMulCsa(Steady):
    """Timing of a multiplier that forms one product at a time; see ``cl.lib.serial_control``."""

    overlaps = True

    def __init__(self, nbits: int, resolve_cycles: int, handshake_cycles: int | None = None):
        finish_cycles = 2 * (1 + resolve_cycles)
        super().__init__(serial_cycles(nbits, finish_cycles, handshake_cycles))
