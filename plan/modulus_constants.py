"""Constants of the modulus: formula, width and source of each.

A multiplier or domain declares each once; messages, stores, registers, units and the C code for a
host that knows only the modulus follow. Formulas are built only from the classes in this package,
so that C code can be generated for each.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

HOST = "host"  #: source of a constant that comes with the request; other sources are names of units


class Formula(ABC):
    """Formula of a constant of the modulus; the modulus is an integer of 1 or more."""

    @abstractmethod
    def value(self, modulus: int) -> int:
        """Value of the constant for a modulus."""

    @property
    def for_host(self) -> "Formula | None":
        """The same formula by classes of this package; None: a host cannot compute it."""
        return self

    @abstractmethod
    def most_nbits(self, modulus_nbits: int) -> int:
        """Width in bits that holds the constant for any modulus from 2 to 2**modulus_nbits - 1."""


@dataclass(frozen=True)
class PowerOfTwo(Formula):
    """``2**exponent mod m``, such as R mod m and R**2 mod m."""

    exponent: int

    def value(self, modulus: int) -> int:
        return pow(2, self.exponent, modulus)

    def most_nbits(self, modulus_nbits: int) -> int:
        return modulus_nbits

    def __str__(self) -> str:
        return f"2^{self.exponent} mod m"


@dataclass(frozen=True)
class Reciprocal(Formula):
    """``floor(2**exponent / m)``, the constant of Barrett's reduction."""

    exponent: int

    def value(self, modulus: int) -> int:
        return (1 << self.exponent) // modulus

    def most_nbits(self, modulus_nbits: int) -> int:
        """Return the bits of the quotient by the least modulus, 2."""
        return max(1, self.exponent)

    def __str__(self) -> str:
        return f"floor(2^{self.exponent} / m)"


@dataclass(frozen=True)
class NegatedInverse(Formula):
    """``-m**-1 mod 2**nbits``, Montgomery's m', for an odd modulus m."""

    nbits: int

    def value(self, modulus: int) -> int:
        return negated_inverse(modulus, 1 << self.nbits)

    def most_nbits(self, modulus_nbits: int) -> int:
        return self.nbits

    def __str__(self) -> str:
        return f"-m^-1 mod 2^{self.nbits}"


@dataclass(frozen=True)
class ProductOf(Formula):
    """Product of two constants, not reduced modulo m."""

    a: Formula
    b: Formula

    def value(self, modulus: int) -> int:
        return self.a.value(modulus) * self.b.value(modulus)

    def most_nbits(self, modulus_nbits: int) -> int:
        return self.a.most_nbits(modulus_nbits) + self.b.most_nbits(modulus_nbits)

    def __str__(self) -> str:
        return f"({self.a}) * ({self.b})"


@dataclass(frozen=True)
class Remainder(Formula):
    """Value of another formula, reduced modulo m."""

    of: Formula

    def value(self, modulus: int) -> int:
        return self.of.value(modulus) % modulus

    def most_nbits(self, modulus_nbits: int) -> int:
        return modulus_nbits

    def __str__(self) -> str:
        return f"({self.of}) mod m"


@dataclass(frozen=True)
class ModulusConstant:
    """A constant of the modulus, declared once for all levels."""

    name: str  #: name of the constant's field in messages, and of its port in circuits
    nbits: int
    formula: Formula
    description: str  #: description for users, such as `R mod m`
    source: str = HOST  #: HOST, or a key of catalog.units.CONSTANT_UNITS
    choice: str = ""  #: parameter that chooses the source; empty: the constant's name
    #: half that holds the constant as a residue; `name` then ends in `_0` or `_1`
    half: int | None = None

    @property
    def residue(self) -> str:
        """Name of the residue that holds the constant: ``name`` without the number of the half."""
        return self.name if self.half is None else self.name.removesuffix(f"_{self.half}")

    @property
    def choice_name(self) -> str:
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
        """Return the name, which becomes a part of the names of Verilog modules."""
        return self.name


Widths = tuple[tuple[str, int], ...]


def from_host(constants: Iterable[ModulusConstant]) -> tuple[ModulusConstant, ...]:
    return tuple(constant for constant in constants if constant.source == HOST)


def from_units(constants: Iterable[ModulusConstant]) -> tuple[ModulusConstant, ...]:
    return tuple(constant for constant in constants if constant.source != HOST)


def widths_of(constants: Sequence[ModulusConstant]) -> Widths:
    return tuple((constant.name, constant.nbits) for constant in constants)


@lru_cache(maxsize=1024)
def negated_inverse(modulus: int, r: int) -> int:
    """Return ``-modulus**-1 mod r``; cached, since all products of an exponentiation need it."""
    return -pow(modulus, -1, r) % r
