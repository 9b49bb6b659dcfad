"""Timing of constants that a divider computes, with k quotient bits of a dividend ``2**k``."""

from rsaxcel.cl.elastic import Steady
from rsaxcel.cl.lib.divider import divider_cycles
from rsaxcel.plan.modulus_constants import ModulusConstant, PowerOfTwo, Reciprocal


class Division(Steady):
    """Timing of a divider that handles one modulus at a time, with the circuit's parameters."""

    overlaps = False

    def __init__(self, nbits: int, constant: ModulusConstant, bits_per_cycle: int):
        assert isinstance(constant.formula, PowerOfTwo | Reciprocal)
        super().__init__(divider_cycles(constant.formula.exponent, bits_per_cycle))
