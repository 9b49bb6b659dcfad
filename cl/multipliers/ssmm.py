"""Timing of Ssmm: an iteration per ``bits_per_cycle`` bits of ``b``, up to its highest 1."""

from rsaxcel.cl.lib.serial_control import serial_cycles
from rsaxcel.plan.recurrence import finish_cycles


class Ssmm:
    """Timing of a multiplier that forms one product at a time; see ``cl.lib.serial_control``."""

    overlaps = True
    merged_cycles = 1  #: of a product besides its iterations, with `control=merged`

    def __init__(
        self, nbits: int, bits_per_cycle: int, recurrence: str, handshake_cycles: int | None = None
    ):
        self._bits_per_cycle = bits_per_cycle
        self._finish_cycles = finish_cycles(recurrence)
        self._handshake_cycles = handshake_cycles

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        iterations = -(-b.bit_length() // self._bits_per_cycle)
        return (serial_cycles(iterations, self._finish_cycles, self._handshake_cycles),)
