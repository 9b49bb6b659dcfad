"""Reducers: the three reductions of a final result as units of their own.

``a mod m`` for ``a`` below ``2**excess_nbits * m``. The request has the fields of a product's
request, so that a reducer runs wherever a multiplier runs alone; b has one bit, and is not read.
"""

from typing import ClassVar

from rsaxcel.fl.contract import MODULUS, Multiplier
from rsaxcel.plan.modulus_constants import Widths
from rsaxcel.plan.parameters import Parameter

#: Bits by which the operand may be wider than the modulus.
EXCESS_NBITS = Parameter(
    "excess_nbits",
    lambda nbits: 2,
    lambda nbits: range(1, 129),
    "k: the operand is below 2^k times the modulus",
)


class _Reducer(Multiplier):
    """Base class of the reducers; the operand is below ``2**excess_nbits * m``."""

    unary = True
    odd_modulus = False
    r = 1
    parameters: ClassVar[tuple[Parameter, ...]] = (EXCESS_NBITS,)

    def __init__(self, nbits: int, excess_nbits: int, **params: object):
        super().__init__(nbits, **params)
        self._excess_nbits = excess_nbits

    def operand_limit(self, modulus: int) -> int:
        return modulus << self._excess_nbits

    def excess_nbits(self, cofactor: int = 1) -> int:
        """Return 0: the result is below the modulus."""
        return 0

    @property
    def operand_widths(self) -> Widths:
        """Widths of a wide a, and of b, which has one bit and is not read."""
        return ("a", self.operand_nbits), ("b", 1)

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a % modulus


class _ConstantReducer(_Reducer):
    """Base class of the reducers for one modulus, which is hexadecimal."""

    holds_modulus = False
    needs_store = True
    widths = range(4, 257)
    parameters = (EXCESS_NBITS, MODULUS)

    def __init__(self, nbits: int, excess_nbits: int, modulus: str):
        super().__init__(nbits, excess_nbits)
        self.constant_modulus = int(modulus, 16)


class SubtractionReducer(_Reducer):
    """``a mod m`` by subtracting ever smaller multiples of the modulus, one a cycle."""

    label = "subtractions"
    source = "the last step of Montgomery's reduction, for k bits"
    widths = range(2, 4097)


class CompressorTreeReducer(_ConstantReducer):
    """``a mod m`` for one modulus, by re-weighted bits in a tree of compressors."""

    label = "compressor tree, one modulus"
    source = "Vassoler 2023, section 4.2.1, figures 17 and 25"


class RemainderReducer(_ConstantReducer):
    """``a mod m`` for one modulus, by the operator ``%``."""

    label = "operator, one modulus"
    source = "Vassoler 2023, section 5.1, equation 29, figure 24"
