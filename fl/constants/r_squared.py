"""R**2 mod N, the constant that brings values into Montgomery form."""

from typing import ClassVar

from fl.parameters import Parameter, divisors


class RSquared:
    """R**2 mod N with R = 2**nbits, computed by dividing (McNay, MontConvertIn).

    Parameters
    ----------
    nbits : int
        log2 of R and width of the modulus.
    **params
        Parameters of the circuit; they do not change what is computed.
    """

    parameters: ClassVar = (
        Parameter(
            "r2_bits_per_cycle",
            lambda nbits: 2,
            lambda nbits: divisors(2 * nbits),
            "quotient bits per cycle of the unit that computes R^2 mod N",
        ),
    )

    def __init__(self, nbits: int, **params: object):
        self.nbits = nbits

    def values(self, modulus: int) -> tuple[int, ...]:
        """Constants in the order in which the domain names them."""
        return ((1 << 2 * self.nbits) % modulus,)
