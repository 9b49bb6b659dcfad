"""What every modular multiplier declares about itself."""

from abc import ABC, abstractmethod
from typing import ClassVar

from fl.messages import Widths
from fl.modulus_constants import ModulusConstant, PowerOfTwo, n_prime
from fl.parameters import Parameter
from fl.status import InputRules, check_below, check_fits


class Multiplier(ABC):
    """A modular product ``a * b / r mod m`` on operands and results below ``operand_limit``.

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
    timed_by: ClassVar[tuple[str, ...]] = ("a", "b", "modulus")
    """Operands that the number of cycles depends on where it is not constant."""
    holds_modulus: ClassVar[bool] = True
    """True where the circuit keeps the modulus; otherwise the requester does, until the response is
    taken, and every multiplier saves a register."""
    shares_b: ClassVar[bool] = False
    """True where the products that lanes form side by side must have the same b."""
    source: ClassVar[str]
    """Document and algorithm."""

    def __init__(self, nbits: int, **params: object):
        self.nbits = nbits

    @property
    @abstractmethod
    def r(self) -> int:
        """Montgomery's R, a power of two, or 1 where the product carries no such factor."""

    @abstractmethod
    def product(self, a: int, b: int, modulus: int) -> int:
        """Form the product as the circuit does, for operands inside the contract."""

    def operand_limit(self, modulus: int) -> int:
        """Operands are below this: m, or more where products may stay above it."""
        return modulus

    @property
    def operand_nbits(self) -> int:
        """Bits of an operand, which may be more than those of the modulus."""
        return (self.operand_limit((1 << self.nbits) - 1) - 1).bit_length()

    def settle(self, result: int, modulus: int) -> int:
        """Bring the result of the last product below the modulus, as the store does."""
        return result

    @property
    def modulus_constants(self) -> Widths:
        """Constants of the modulus that the host supplies for the products; widths in bits."""
        return ()

    def constant(self, name: str) -> ModulusConstant:
        """Constant of the modulus: R mod m (``r``), R**2 mod m (``r2``), or one of its own.

        Raises
        ------
        ValueError
            For a name that there is not.
        """
        if name not in ("r", "r2"):
            raise ValueError(f"constant {name}: r, r2 are allowed")
        log2_r = self.r.bit_length() - 1
        return PowerOfTwo(2 * log2_r if name == "r2" else log2_r)

    def check(self, a: int, b: int, modulus: int) -> None:
        """Raise ``InputRuleError`` for operands outside the contract."""
        for name, value in (("a", a), ("b", b)):
            check_fits(name, value, self.operand_nbits)
        check_fits("modulus", modulus, self.nbits)
        InputRules(self.nbits, self.odd_modulus).check_modulus(modulus)
        limit = self.operand_limit(modulus)
        check_below("a", a, limit, "limit")
        check_below("b", b, limit, "limit")


class MontgomeryMultiplier(Multiplier):
    """``a * b / R mod m`` with R = 2**nbits and an odd modulus, however the circuit forms it."""

    odd_modulus = True

    @property
    def r(self) -> int:
        """R = 2**nbits."""
        return 1 << self.nbits

    def product(self, a: int, b: int, modulus: int) -> int:
        """Montgomery product.

        Whatever the order of its additions of operand and modulus, each of them followed by a
        halving, they add up to ``(a * b + q * modulus) / R`` with q the only value below R that
        makes it whole.
        """
        low = self.r - 1
        q = (a * b & low) * n_prime(modulus, self.r) & low
        s = (a * b + q * modulus) >> self.nbits
        return s - modulus if s >= modulus else s


class WordMultiplier(MontgomeryMultiplier):
    """``a * b / R mod m`` on operands and results below 2m, by an engine that addresses words.

    With R above 4m no product has to be reduced; the store settles the last one. The circuit reads
    and writes a memory of words (``rtl.stores.words``).
    """

    @property
    @abstractmethod
    def word_nbits(self) -> int:
        """Bits of a word."""

    @property
    @abstractmethod
    def words(self) -> int:
        """Words of an operand."""

    def operand_limit(self, modulus: int) -> int:
        """Operands are below 2m, as the products are."""
        return 2 * modulus

    def product(self, a: int, b: int, modulus: int) -> int:
        """Montgomery product without a final subtraction."""
        low = self.r - 1
        q = (a * b & low) * n_prime(modulus, self.r) & low
        return (a * b + q * modulus) // self.r

    def settle(self, result: int, modulus: int) -> int:
        """Subtract the modulus from a result that is not below it."""
        return result - modulus if result >= modulus else result
