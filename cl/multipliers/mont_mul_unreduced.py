"""Timing of MontMulUnreduced: a step per bit of an operand, which may have one above them."""

from cl.lib.serial_control import serial_cycles


class MontMulUnreduced:
    """One product at a time; parameters as the circuit's, and see ``serial_cycles``."""

    overlaps = True

    def __init__(self, nbits: int, handshake_cycles: int | None = None):
        self._durations = (serial_cycles(nbits + 2, 0, handshake_cycles),)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles of a product."""
        return self._durations
