"""Barrett: how many cycles it takes."""

from rsaxcel.cl.lib import serial_cycles


class Barrett:
    """One product at a time, three steps of a cycle each; parameters as the circuit's."""

    overlaps = True

    def __init__(self, nbits: int):
        self._durations = (serial_cycles(3, finish_cycles=0),)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles of a product, stage by stage."""
        return self._durations
