"""Skeleton: how many cycles it takes."""

from cl.lib.serial_control import serial_cycles


class Skeleton:
    """One product at a time, a bit per cycle; parameters as the circuit's."""

    # TODO: whether it accepts operands in the cycle in which it gives a result away.
    overlaps = True

    def __init__(self, nbits: int):
        self._nbits = nbits

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles of a product, stage by stage."""
        # TODO: the cycles of your circuit; they may depend on the operands.
        return (serial_cycles(self._nbits, finish_cycles=0),)
