"""R**2 mod N from shift-sub products."""

from typing import ClassVar

from fl.parameters import Parameter


class RSquaredSsmm:
    """R**2 mod N with R = 2**nbits, for odd N, as the square of R mod N.

    For a modulus of exactly ``nbits`` bits R mod N is ``R - N``, as the document has it. A shorter
    one takes a product more: ``2 * 2**(nbits - 1)``, which doubles 2 modulo N until it is R.

    Source: Li and Chu, section III.

    Parameters
    ----------
    nbits : int
        log2 of R and width of the modulus.
    """

    parameters: ClassVar[tuple[Parameter, ...]] = ()

    def __init__(self, nbits: int):
        self.nbits = nbits

    def products(self, modulus: int) -> list[tuple[int, int]]:
        """Operands of the shift-sub products, in order; the last one is the square."""
        r = 1 << self.nbits
        if modulus >> (self.nbits - 1):
            return [(r - modulus, r - modulus)]
        residue = r % modulus
        return [(2, r >> 1), (residue, residue)]

    def values(self, modulus: int) -> tuple[int, ...]:
        """Constants in the order in which the domain names them."""
        a, b = self.products(modulus)[-1]
        return (a * b % modulus,)
