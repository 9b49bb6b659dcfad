"""Timing of the unit that computes ``-m**-1 mod 2**k``: a cycle for each bit."""

from rsaxcel.cl.elastic import Steady
from rsaxcel.cl.lib.serial_control import serial_cycles
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse


class Inversion(Steady):
    """Timing of a unit that handles one modulus at a time; see ``cl.lib.serial_control``."""

    overlaps = True

    def __init__(self, nbits: int, constant: ModulusConstant):
        assert isinstance(constant.formula, NegatedInverse)
        super().__init__(serial_cycles(constant.formula.nbits, 0))
