"""R**2 mod N by doubling."""

from typing import ClassVar

from fl.parameters import Parameter


class RSquaredDoubling:
    """R**2 mod N with R = 2**nbits, for odd N, by doubling modulo N.

    A modulus of exactly ``nbits`` bits takes nbits doublings of ``R - N``, a shorter one 2 * nbits
    doublings of 1.

    Parameters
    ----------
    nbits : int
        log2 of R and width of the modulus.
    **params
        Parameters of the circuit; they do not change what is computed.
    """

    parameters: ClassVar = (
        Parameter(
            "r2_resolve_cycles",
            lambda nbits: min(16, -(-nbits // 64)),
            lambda nbits: range(1, nbits + 1),
            "cycles of a doubling in the unit that computes R^2 mod N",
        ),
    )

    def __init__(self, nbits: int, **params: object):
        self.nbits = nbits

    def doublings(self, modulus: int) -> tuple[int, int]:
        """First value, and how often it is doubled."""
        if modulus >> (self.nbits - 1):
            return (1 << self.nbits) - modulus, self.nbits
        return 1, 2 * self.nbits

    def values(self, modulus: int) -> tuple[int, ...]:
        """Constants in the order in which the domain names them."""
        first, count = self.doublings(modulus)
        return ((first << count) % modulus,)
