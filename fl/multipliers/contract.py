"""What every modular multiplier declares about itself."""

from abc import ABC, abstractmethod
from typing import ClassVar

from fl.parameters import Parameter
from fl.status import InputRules, check_below, check_fits


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
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    """Parameters of the circuit."""
    constant_time: ClassVar[bool] = True
    """True where no operand value changes the number of cycles."""
    source: ClassVar[str]
    """Document and algorithm."""

    def __init__(self, nbits: int, **params: object):
        self.nbits = nbits

    @property
    @abstractmethod
    def r(self) -> int:
        """Montgomery's R, or 1 where the product carries no such factor."""

    @abstractmethod
    def product(self, a: int, b: int, modulus: int) -> int:
        """Form the product as the circuit does, for operands inside the contract."""

    def check(self, a: int, b: int, modulus: int) -> None:
        """Raise ``InputRuleError`` for operands outside the contract."""
        for name, value in (("a", a), ("b", b), ("modulus", modulus)):
            check_fits(name, value, self.nbits)
        InputRules(self.nbits, self.odd_modulus).check_modulus(modulus)
        check_below("a", a, modulus)
        check_below("b", b, modulus)
