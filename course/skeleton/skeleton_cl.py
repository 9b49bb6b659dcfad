"""Skeleton: the cycle model."""

from rsaxcel.cl.lib import serial_cycles


class Skeleton:
    """One product at a time, one bit per cycle; same parameters as the circuit."""

    # TODO: whether the circuit accepts operands in the cycle in which a result is taken.
    overlaps = True

    def __init__(self, nbits: int):
        self._nbits = nbits

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles of each stage of a product."""
        # TODO: the cycles of your circuit; they may depend on the operands.
        return (serial_cycles(self._nbits, finish_cycles=0),)
