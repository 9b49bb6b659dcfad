"""MontMac: Montgomery multiplication by three products of the whole width on one multiplier."""

from rsaxcel.fl.multipliers.contract import UnreducedMultiplier
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse


class MontMac(UnreducedMultiplier):
    """``a * b / R mod m`` on operands and results below 2m, with all quotient bits at once."""

    # The width is limited, because the circuit's multiplier grows with the square of the width.
    widths = range(2, 257)
    holds_modulus = False
    label = "Montgomery, one full multiplier"
    source = "Montgomery 1985, REDC, with R above 4m"

    @property
    def r(self) -> int:
        return 1 << self.nbits + 2

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        nbits = self.nbits + 2
        formula = NegatedInverse(nbits)
        return (ModulusConstant("m_prime", nbits, formula, f"m' = -m^-1 mod 2^{nbits}"),)

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Return the product as the circuit forms it, with the request's m', even a wrong one."""
        whole = a * b
        return whole + whole * constants["m_prime"] % self.r * modulus >> self.nbits + 2
