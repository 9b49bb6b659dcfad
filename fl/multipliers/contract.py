"""What every modular multiplier declares about itself."""

from abc import ABC, abstractmethod
from typing import ClassVar

from fl.status import check_below, check_odd


class Multiplier(ABC):
    """A modular product ``a * b / r mod m`` on operands and results below m.

    Parameters
    ----------
    nbits : int
        Width of operands, modulus and result in bits.
    **params
        Parameters of the circuit; they do not change what is computed.
    """

    odd_modulus: ClassVar[bool]
    """True where the product is only defined for odd moduli."""

    def __init__(self, nbits: int, **params: object):
        self.nbits = nbits

    @property
    @abstractmethod
    def r(self) -> int:
        """Montgomery's R, or 1 where the product carries no such factor."""

    @abstractmethod
    def product(self, a: int, b: int, modulus: int) -> int:
        """Result of the circuit for operands inside the contract."""

    def check(self, a: int, b: int, modulus: int) -> None:
        """Raise ``ValueError`` for operands outside the contract."""
        if self.odd_modulus:
            check_odd(modulus)
        check_below("a", a, modulus)
        check_below("b", b, modulus)
