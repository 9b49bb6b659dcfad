"""Timing of the unit that computes the constant R**2 mod m by doubling."""

from rsaxcel.cl.lib.serial_control import serial_cycles
from rsaxcel.fl.constants.doubling import Doubling as Golden
from rsaxcel.plan.modulus_constants import ModulusConstant


class Doubling:
    """Timing of a unit that handles one modulus at a time; see ``cl.lib.serial_control``."""

    overlaps = True

    def __init__(
        self,
        nbits: int,
        constant: ModulusConstant,
        resolve_cycles: int,
        handshake_cycles: int | None = None,
    ):
        self._golden = Golden(nbits, constant)
        self._words = resolve_cycles
        self._handshake_cycles = handshake_cycles

    def durations(self, modulus: int) -> tuple[int, ...]:
        _, count = self._golden.doublings(modulus)
        return (serial_cycles(count * self._words, self._words, self._handshake_cycles),)
