"""Timing of R**2 mod N by doubling."""

from cl.lib.serial_control import serial_cycles
from fl.constants.r_squared_doubling import RSquaredDoubling as Golden


class RSquaredDoubling:
    """One modulus at a time; parameters as the circuit's, and see ``serial_cycles``."""

    overlaps = True

    def __init__(self, nbits: int, r2_resolve_cycles: int = 1, handshake_cycles: int | None = None):
        self._golden = Golden(nbits)
        self._words = r2_resolve_cycles
        self._handshake_cycles = handshake_cycles

    def durations(self, modulus: int) -> tuple[int, ...]:
        """Cycles of the doublings, and of settling the sign."""
        _, count = self._golden.doublings(modulus)
        return (serial_cycles(count * self._words, self._words, self._handshake_cycles),)
