"""Timing of MontMulCsa: a cycle per bit, then two additions with propagation of carries."""

from rsaxcel.cl.lib.serial_control import serial_cycles


class MontMulCsa:
    """Timing of a multiplier that forms one product at a time; see ``cl.lib.serial_control``."""

    overlaps = True

    def __init__(self, nbits: int, resolve_cycles: int, handshake_cycles: int | None = None):
        finish_cycles = 2 * (1 + resolve_cycles)
        self._durations = (serial_cycles(nbits, finish_cycles, handshake_cycles),)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        return self._durations
