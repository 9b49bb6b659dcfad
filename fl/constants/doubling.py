"""Unit that computes the constant R**2 mod m (R: Montgomery's R) by doubling modulo m."""

from rsaxcel.fl.constants.contract import ConstantUnit
from rsaxcel.plan.modulus_constants import Formula, PowerOfTwo
from rsaxcel.plan.parameters import Parameter


class Doubling(ConstantUnit):
    """R**2 mod m with R = 2**nbits, for odd m, by doubling modulo m.

    A modulus of exactly ``nbits`` bits takes ``nbits`` doublings, which start from ``R - m``. A
    shorter modulus takes ``2 * nbits`` doublings, which start from 1.
    """

    meaning = "doublings with a short adder, only where R = 2^nbits"

    @classmethod
    def computes(cls, formula: Formula, nbits: int) -> bool:
        return formula == PowerOfTwo(2 * nbits)

    @classmethod
    def parameters(cls, formula: Formula) -> tuple[Parameter, ...]:
        return (
            Parameter(
                "resolve_cycles",
                lambda nbits: min(16, -(-nbits // 64)),
                lambda nbits: range(1, nbits + 1),
                "cycles of a doubling",
            ),
        )

    def doublings(self, modulus: int) -> tuple[int, int]:
        """Return the value that is doubled first, and the number of doublings."""
        if modulus >> (self.nbits - 1):
            return (1 << self.nbits) - modulus, self.nbits
        return 1, 2 * self.nbits
