"""Unit that computes the constant R**2 mod m with the shift-sub multiplier (``Ssmm``)."""

from rsaxcel.fl.constants.contract import ConstantUnit
from rsaxcel.plan.modulus_constants import Formula, PowerOfTwo
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.recurrence import RECURRENCE


class ShiftSubSquare(ConstantUnit):
    """R**2 mod m with R = 2**nbits, for odd m, as the square of R mod m.

    For a modulus of exactly ``nbits`` bits, R mod m is ``R - m``, as in Li and Chu's paper. For a
    shorter modulus, R mod m takes one more product, ``2 * 2**(nbits - 1) mod m``.

    Source: Li and Chu, section III.
    """

    meaning = "shift-sub products, only where R = 2^nbits"

    @classmethod
    def computes(cls, formula: Formula, nbits: int) -> bool:
        return formula == PowerOfTwo(2 * nbits)

    @classmethod
    def parameters(cls, formula: Formula) -> tuple[Parameter, ...]:
        return (RECURRENCE,)

    def products(self, modulus: int) -> list[tuple[int, int]]:
        """Operands of the shift-sub products, in order; the last product squares R mod m."""
        r = 1 << self.nbits
        if modulus >> (self.nbits - 1):
            return [(r - modulus, r - modulus)]
        residue = r % modulus
        return [(2, r >> 1), (residue, residue)]
