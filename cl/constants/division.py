"""Timing of constants by dividing: a bit of the quotient for each of the power's zeros."""

from cl.lib.divider import divider_cycles
from plan.modulus_constants import ModulusConstant, PowerOfTwo, Reciprocal


class Division:
    """One modulus at a time; parameters as the circuit's."""

    overlaps = False

    def __init__(self, nbits: int, constant: ModulusConstant, bits_per_cycle: int):
        assert isinstance(constant.formula, PowerOfTwo | Reciprocal)
        self._durations = (divider_cycles(constant.formula.exponent, bits_per_cycle),)

    def durations(self, modulus: int) -> tuple[int, ...]:
        """Cycles in the divider."""
        return self._durations
