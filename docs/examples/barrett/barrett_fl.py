"""Barrett: what is computed."""

from rsaxcel.fl.contract import Multiplier
from rsaxcel.plan.modulus_constants import ModulusConstant, Reciprocal


class Barrett(Multiplier):
    """``a * b mod m`` for any modulus from 2 upwards, by a product with its reciprocal."""

    odd_modulus = False
    r = 1
    holds_modulus = False
    widths = range(8, 257)
    source = "Barrett, CRYPTO '86"

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        """The reciprocal; the host computes it, once for a modulus."""
        nbits = 2 * self.nbits
        return (ModulusConstant("mu", nbits, Reciprocal(nbits), "reciprocal of m"),)

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Product modulo ``modulus``, by the steps of the circuit.

        With x = a * b below m**2 the quotient q is floor(x / m), or one less: one subtraction
        of the modulus is enough.
        """
        x = a * b
        q = x * constants["mu"] >> 2 * self.nbits
        rest = x - q * modulus
        return rest - modulus if rest >= modulus else rest
