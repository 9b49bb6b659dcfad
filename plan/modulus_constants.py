"""Constants of the modulus: formula, width and source of each.

A constant is declared once, by the multiplier or the domain that needs it. Messages, stores,
registers of the accelerator, the units that compute constants, and the C code for a host that knows
only the modulus all follow this declaration.

Formulas are built only from the classes of formulas in this package, so that C code can be
generated for each formula.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

HOST = "host"
"""Source of constants that come with the request; every other source is the name of a unit."""


class Formula(ABC):
    """Formula of a constant of the modulus; the modulus is an integer of 1 or more."""

    @abstractmethod
    def value(self, modulus: int) -> int:
        """Value of the constant for a modulus."""

    @abstractmethod
    def most_nbits(self, modulus_nbits: int) -> int:
        """Width in bits that holds the constant for any modulus from 2 to 2**modulus_nbits - 1."""


@dataclass(frozen=True)
class PowerOfTwo(Formula):
    """``2**exponent mod m``, such as R mod m and R**2 mod m."""

    exponent: int

    def value(self, modulus: int) -> int:
        """Give ``2**exponent`` modulo ``modulus``."""
        return pow(2, self.exponent, modulus)

    def most_nbits(self, modulus_nbits: int) -> int:
        """Give the width of the modulus, which holds every remainder."""
        return modulus_nbits

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"2^{self.exponent} mod m"


@dataclass(frozen=True)
class Reciprocal(Formula):
    """``floor(2**exponent / m)``, the constant of Barrett's reduction."""

    exponent: int

    def value(self, modulus: int) -> int:
        """Give the quotient ``2**exponent / modulus``, rounded down."""
        return (1 << self.exponent) // modulus

    def most_nbits(self, modulus_nbits: int) -> int:
        """Give ``exponent``, the bits of the quotient if the divisor is the least modulus, 2."""
        return max(1, self.exponent)

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"floor(2^{self.exponent} / m)"


@dataclass(frozen=True)
class NegatedInverse(Formula):
    """``-m**-1 mod 2**nbits``, Montgomery's m', for an odd modulus m."""

    nbits: int

    def value(self, modulus: int) -> int:
        """Give the negated inverse of ``modulus``, modulo ``2**nbits``."""
        return negated_inverse(modulus, 1 << self.nbits)

    def most_nbits(self, modulus_nbits: int) -> int:
        """Give ``nbits``: the inverse is below ``2**nbits``."""
        return self.nbits

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"-m^-1 mod 2^{self.nbits}"


@dataclass(frozen=True)
class ProductOf(Formula):
    """Product of two constants, not reduced modulo m."""

    a: Formula
    b: Formula

    def value(self, modulus: int) -> int:
        """Give the product of both constants, not reduced."""
        return self.a.value(modulus) * self.b.value(modulus)

    def most_nbits(self, modulus_nbits: int) -> int:
        """Give the sum of the widths of both constants."""
        return self.a.most_nbits(modulus_nbits) + self.b.most_nbits(modulus_nbits)

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"({self.a}) * ({self.b})"


@dataclass(frozen=True)
class Remainder(Formula):
    """Value of another formula, reduced modulo m."""

    of: Formula

    def value(self, modulus: int) -> int:
        """Give the value of the other formula, reduced modulo ``modulus``."""
        return self.of.value(modulus) % modulus

    def most_nbits(self, modulus_nbits: int) -> int:
        """Give the width of the modulus, which holds every remainder."""
        return modulus_nbits

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"({self.of}) mod m"


@dataclass(frozen=True)
class ModulusConstant:
    """A constant of the modulus, declared once for all levels.

    Parameters
    ----------
    name : str
        Name of its field in messages, and of its port in circuits that read the constant.
    nbits : int
        Width in bits.
    formula : Formula
        Formula that gives the constant's value for a modulus.
    description : str
        A few words for users, such as ``R mod m``.
    source : str
        Who computes the constant: ``HOST``, or a unit of the circuit (a key of
        ``catalog.constant_units.CONSTANT_UNITS``).
    choice : str
        Parameter by which users choose the source; empty: it has the name of the constant.
    half : int or None
        Half that holds the constant as one of its residues; ``name`` then ends in ``_0`` or ``_1``.
        None: there are no halves.
    """

    name: str
    nbits: int
    formula: Formula
    description: str
    source: str = HOST
    choice: str = ""
    half: int | None = None

    @property
    def residue(self) -> str:
        """Name of the residue that holds the constant: ``name`` without the number of the half."""
        return self.name if self.half is None else self.name.removesuffix(f"_{self.half}")

    @property
    def choice_name(self) -> str:
        """Name of the parameter by which users choose the source of the constant."""
        return self.choice or self.name

    def check_width(self, modulus_nbits: int) -> None:
        """Raise ``ValueError`` if the constant of some modulus is wider than declared."""
        needed = self.formula.most_nbits(modulus_nbits)
        if self.nbits < needed:
            raise ValueError(
                f"constant {self.name}: {self.formula} has up to {needed} bits, {self.nbits} are "
                "declared"
            )

    def __str__(self) -> str:
        """Give the name, which becomes a part of the names of Verilog modules."""
        return self.name


Widths = tuple[tuple[str, int], ...]
"""Names with their widths in bits."""


def from_host(constants: Iterable[ModulusConstant]) -> tuple[ModulusConstant, ...]:
    """Select the constants that the host computes and sends with a request."""
    return tuple(constant for constant in constants if constant.source == HOST)


def from_units(constants: Iterable[ModulusConstant]) -> tuple[ModulusConstant, ...]:
    """Select the constants that units of the circuit compute."""
    return tuple(constant for constant in constants if constant.source != HOST)


def widths_of(constants: Sequence[ModulusConstant]) -> Widths:
    """Give the names of constants with their widths in bits, as the message types take them."""
    return tuple((constant.name, constant.nbits) for constant in constants)


@lru_cache(maxsize=1024)
def negated_inverse(modulus: int, r: int) -> int:
    """Give ``-modulus**-1 mod r``; cached, since all products of an exponentiation need it."""
    return -pow(modulus, -1, r) % r
