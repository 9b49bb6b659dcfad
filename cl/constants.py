"""Timing of the units that compute constants of the modulus, each for one modulus at a time."""

from rsaxcel.cl.elastic import Steady, latency
from rsaxcel.cl.lib import aligning_divider_cycles, divider_cycles, serial_cycles
from rsaxcel.cl.multipliers import Ssmm
from rsaxcel.fl import constants as golden
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse, PowerOfTwo, Reciprocal


class Division:
    """Timing of a divider with the circuit's parameters; the dividend is ``2**k``."""

    overlaps = False

    def __init__(self, nbits: int, constant: ModulusConstant, bits_per_cycle: int, divider: str):
        assert isinstance(constant.formula, PowerOfTwo | Reciprocal)
        self._exponent = constant.formula.exponent
        self._bits_per_cycle = bits_per_cycle
        self._aligns = divider == golden.ALIGNING

    def durations(self, modulus: int) -> tuple[int, ...]:
        """Cycles of the division; a restoring one takes as many for every modulus."""
        if self._aligns:
            quotient = (1 << self._exponent) // modulus
            return (aligning_divider_cycles(quotient, self._bits_per_cycle),)
        return (divider_cycles(self._exponent, self._bits_per_cycle),)


class Doubling:
    """Timing of the unit that computes R**2 mod m by doubling; see ``cl.lib.serial_cycles``."""

    overlaps = True

    def __init__(
        self,
        nbits: int,
        constant: ModulusConstant,
        resolve_cycles: int,
        handshake_cycles: int | None = None,
    ):
        self._golden = golden.Doubling(nbits, constant)
        self._words = resolve_cycles
        self._handshake_cycles = handshake_cycles

    def durations(self, modulus: int) -> tuple[int, ...]:
        _, count = self._golden.doublings(modulus)
        return (serial_cycles(count * self._words, self._words, self._handshake_cycles),)


class Inversion(Steady):
    """Timing of the unit that computes ``-m**-1 mod 2**k``: a cycle for each bit."""

    overlaps = True

    def __init__(self, nbits: int, constant: ModulusConstant):
        assert isinstance(constant.formula, NegatedInverse)
        super().__init__(serial_cycles(constant.formula.nbits, 0))


class ShiftSubSquare:
    """Timing of R**2 mod m from one shift-sub product, or two for a short modulus."""

    overlaps = True

    def __init__(
        self,
        nbits: int,
        constant: ModulusConstant,
        recurrence: str,
        handshake_cycles: int | None = None,
    ):
        self._golden = golden.ShiftSubSquare(nbits, constant)
        self._ssmm = Ssmm(nbits, 1, recurrence, handshake_cycles)

    def durations(self, modulus: int) -> tuple[int, ...]:
        products = self._golden.products(modulus)
        return (sum(latency(self._ssmm.durations(a, b, modulus)) for a, b in products),)
