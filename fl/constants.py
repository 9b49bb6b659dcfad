"""Units that compute constants of the modulus: the formulas and the parameters of each unit."""

from abc import ABC, abstractmethod
from typing import ClassVar

from rsaxcel.plan.modulus_constants import (
    Formula,
    ModulusConstant,
    NegatedInverse,
    PowerOfTwo,
    Reciprocal,
)
from rsaxcel.plan.parameters import Parameter, divisors
from rsaxcel.plan.recurrence import RECURRENCE


class ConstantUnit(ABC):
    """A unit that computes one constant of the modulus; the constant's formula is its golden model.

    ``params`` are the circuit's parameters; these do not change the constant.
    """

    meaning: ClassVar[str]  #: way of computing, in a few words for users

    def __init__(self, nbits: int, constant: ModulusConstant, **params: object):
        self.nbits = nbits
        self.constant = constant

    @classmethod
    @abstractmethod
    def computes(cls, formula: Formula, nbits: int) -> bool:
        """Whether the unit can compute a formula for moduli of ``nbits`` bits."""

    @classmethod
    def parameters(cls, formula: Formula) -> tuple[Parameter, ...]:
        """Parameters of the circuit of a formula.

        Users write `r2_bits_per_cycle` for constant `r2`.
        """
        return ()


ALIGNING = "aligning"  #: value of the parameter `divider`: cycles depend on the modulus


class Division(ConstantUnit):
    """``2**k mod m`` or ``floor(2**k / m)`` from a divider, for any modulus m of 2 or more.

    Source: McNay, section 3.2, unit MontConvertIn.
    """

    meaning = "a divider"

    @classmethod
    def computes(cls, formula: Formula, nbits: int) -> bool:
        return isinstance(formula, PowerOfTwo | Reciprocal) and formula.exponent > 0

    @classmethod
    def parameters(cls, formula: Formula) -> tuple[Parameter, ...]:
        if not isinstance(formula, PowerOfTwo | Reciprocal):
            return ()
        exponent = formula.exponent
        return (
            Parameter(
                "bits_per_cycle",
                lambda nbits: 1 + (exponent + 1) % 2,
                lambda nbits: divisors(exponent),
                "quotient bits per cycle",
            ),
            Parameter(
                "divider",
                lambda nbits: "restoring",
                lambda nbits: ("restoring", ALIGNING),
                "restoring, or one that first shifts the modulus up to the power (aligning)",
            ),
        )


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


class Inversion(ConstantUnit):
    """``-m**-1 mod 2**k`` for odd m: the quotient of a bit-serial Montgomery reduction of 1."""

    meaning = "additions of m, only for m'"

    @classmethod
    def computes(cls, formula: Formula, nbits: int) -> bool:
        return isinstance(formula, NegatedInverse)
