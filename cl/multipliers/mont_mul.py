"""Timing of MontMul: ``nbits / bits_per_cycle`` iterations."""

from rsaxcel.cl.elastic import Steady
from rsaxcel.cl.lib.serial_control import serial_cycles
from rsaxcel.plan.recurrence import finish_cycles


class MontMul(Steady):
    """Timing of a multiplier that forms one product at a time; see ``cl.lib.serial_control``."""

    overlaps = True

    def __init__(
        self, nbits: int, bits_per_cycle: int, recurrence: str, handshake_cycles: int | None = None
    ):
        iterations = nbits // bits_per_cycle
        finish = finish_cycles(recurrence)
        super().__init__(serial_cycles(iterations, finish, handshake_cycles))
