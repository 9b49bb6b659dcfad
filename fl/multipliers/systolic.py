"""Systolic: Montgomery products of radix 2**k in a row of processing elements."""

from rsaxcel.fl.multipliers.contract import WordMultiplier
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse
from rsaxcel.plan.parameters import Parameter


class Systolic(WordMultiplier):
    """``a * b / R mod m``, one word of a per step, in a row of processing elements.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    radix_nbits : int
        k: bits of a word; R = 2**(k * words).
    final_subtraction : str
        ``"on"``: products are brought below m (algorithm 1). ``"off"``: they stay below 2m
        (algorithm 2), for which R has to exceed 4m; the document's 2m is not enough
        (docs/records/errata.md).
    """

    label = "Montgomery, systolic row"
    fetches_ahead = True
    source = "Morales-Romero et al., algorithms 1 to 4, figures 1 to 5"
    parameters = (
        Parameter(
            "radix_nbits",
            lambda nbits: 16,
            lambda nbits: range(4, 33),
            "bits of a word and of the multipliers in an element",
            symbol="k",
        ),
        Parameter(
            "final_subtraction",
            lambda nbits: "off",
            lambda nbits: ("off", "on"),
            "whether every product is brought below m (algorithm 1) or not (algorithm 2)",
        ),
    )

    def __init__(self, nbits: int, radix_nbits: int, final_subtraction: str):
        super().__init__(nbits)
        self.radix_nbits = radix_nbits
        self.subtracts = final_subtraction == "on"

    @property
    def word_nbits(self) -> int:
        return self.radix_nbits

    @property
    def words(self) -> int:
        """Words of an operand, at least 2: a row has a first and a last element."""
        spare = 0 if self.subtracts else 2
        return max(2, -(-(self.nbits + spare) // self.radix_nbits))

    @property
    def r(self) -> int:
        return 1 << self.radix_nbits * self.words

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        formula = NegatedInverse(self.radix_nbits)
        return (ModulusConstant("m_prime", self.radix_nbits, formula, "m' = -m^-1 mod 2^k"),)

    def operand_limit(self, modulus: int) -> int:
        """Return m with the final subtraction; otherwise 2m."""
        return modulus if self.subtracts else super().operand_limit(modulus)

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Return the product as the circuit forms it, with the request's m', even a wrong one.

        With the final subtraction, by algorithm 1 of ``source``, else by algorithm 2.
        """
        m_prime = constants["m_prime"]
        mask = (1 << self.radix_nbits) - 1
        if modulus * m_prime + 1 & mask == 0:
            result = super().product(a, b, modulus)
        else:
            # m' is wrong for this modulus: the low words that are shifted out are not zeros
            result = 0
            for i in range(self.words):
                result += (a >> i * self.radix_nbits & mask) * b
                digit = (result & mask) * m_prime & mask
                result = result + digit * modulus >> self.radix_nbits
        return self.final_reduction(result, modulus) if self.subtracts else result
