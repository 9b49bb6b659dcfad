"""Powers of two modulo m, and reciprocals, by dividing."""

from rsaxcel.fl.constants.contract import ConstantUnit
from rsaxcel.plan.modulus_constants import Formula, PowerOfTwo, Reciprocal
from rsaxcel.plan.parameters import Parameter, divisors

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
