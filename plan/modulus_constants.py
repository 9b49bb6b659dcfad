"""Constants of a modulus: what they are, how wide, what they are computed from, and where.

A constant is declared once, by the multiplier or the domain that needs it. Everything that holds
operands, hands them on or computes constants follows the declaration: messages, stores, the
accelerator's registers, the units, and the C code of a host that knows only the modulus.

Formulas are built from a closed set of operations, so that each of them can be turned into code.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

HOST = "host"
"""Source of constants that come with the request; the others are named after their units."""


class Formula(ABC):
    """How a constant follows from the modulus, an integer from 1 on."""

    @abstractmethod
    def value(self, modulus: int) -> int:
        """Constant of a modulus."""

    @abstractmethod
    def most_nbits(self, modulus_nbits: int) -> int:
        """Bits that the constants of all moduli from 2 on, of so many bits, fit."""


@dataclass(frozen=True)
class PowerOfTwo(Formula):
    """``2**exponent mod m``, such as R mod m and R**2 mod m."""

    exponent: int

    def value(self, modulus: int) -> int:
        """Give the power modulo the modulus."""
        return pow(2, self.exponent, modulus)

    def most_nbits(self, modulus_nbits: int) -> int:
        """As many as the modulus has."""
        return modulus_nbits

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"2^{self.exponent} mod m"


@dataclass(frozen=True)
class Reciprocal(Formula):
    """``floor(2**exponent / m)``, as Barrett's reduction has it."""

    exponent: int

    def value(self, modulus: int) -> int:
        """Give the quotient."""
        return (1 << self.exponent) // modulus

    def most_nbits(self, modulus_nbits: int) -> int:
        """As many as the quotient by the least modulus, 2, has: the exponent's number."""
        return max(1, self.exponent)

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"floor(2^{self.exponent} / m)"


@dataclass(frozen=True)
class NegatedInverse(Formula):
    """``-m**-1 mod 2**nbits``, Montgomery's m', of an odd modulus."""

    nbits: int

    def value(self, modulus: int) -> int:
        """Give the inverse, negated."""
        return negated_inverse(modulus, 1 << self.nbits)

    def most_nbits(self, modulus_nbits: int) -> int:
        """Those of the power."""
        return self.nbits

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"-m^-1 mod 2^{self.nbits}"


@dataclass(frozen=True)
class ProductOf(Formula):
    """Product of two constants, as integers."""

    a: Formula
    b: Formula

    def value(self, modulus: int) -> int:
        """Give the product."""
        return self.a.value(modulus) * self.b.value(modulus)

    def most_nbits(self, modulus_nbits: int) -> int:
        """Those of both."""
        return self.a.most_nbits(modulus_nbits) + self.b.most_nbits(modulus_nbits)

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"({self.a}) * ({self.b})"


@dataclass(frozen=True)
class Remainder(Formula):
    """Another constant modulo the modulus."""

    of: Formula

    def value(self, modulus: int) -> int:
        """Give the remainder."""
        return self.of.value(modulus) % modulus

    def most_nbits(self, modulus_nbits: int) -> int:
        """As many as the modulus has."""
        return modulus_nbits

    def __str__(self) -> str:
        """Give the formula as users read it."""
        return f"({self.of}) mod m"


@dataclass(frozen=True)
class ModulusConstant:
    """A constant, declared once for all levels.

    Parameters
    ----------
    name : str
        Field of messages, and port of the circuits that read it.
    nbits : int
        Width in bits.
    formula : Formula
        What it is.
    description : str
        A few words for users, such as ``R mod m``.
    source : str
        What supplies it: ``HOST``, or a unit (a key of ``catalog.constant_units.UNITS``).
    choice : str
        Parameter by which users choose the source; its own name unless given.
    half : int or None
        Half whose residue it is, where there are two; its name ends in it.
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
        """Residue that it is, within its half."""
        return self.name if self.half is None else self.name.removesuffix(f"_{self.half}")

    @property
    def choice_name(self) -> str:
        """Parameter by which users choose the source."""
        return self.choice or self.name

    def check_width(self, modulus_nbits: int) -> None:
        """Raise ``ValueError`` where a modulus of so many bits has a constant that does not fit."""
        needed = self.formula.most_nbits(modulus_nbits)
        if self.nbits < needed:
            raise ValueError(
                f"constant {self.name}: {self.formula} has up to {needed} bits, {self.nbits} are "
                "declared"
            )

    def __str__(self) -> str:
        """Give the name; it enters the names of Verilog modules."""
        return self.name


Widths = tuple[tuple[str, int], ...]
"""Names with their widths in bits."""


def from_host(constants: Iterable[ModulusConstant]) -> tuple[ModulusConstant, ...]:
    """Those that come with the request."""
    return tuple(constant for constant in constants if constant.source == HOST)


def from_units(constants: Iterable[ModulusConstant]) -> tuple[ModulusConstant, ...]:
    """Those that the circuit computes."""
    return tuple(constant for constant in constants if constant.source != HOST)


def widths_of(constants: Sequence[ModulusConstant]) -> Widths:
    """Names of constants with their widths in bits."""
    return tuple((constant.name, constant.nbits) for constant in constants)


def values_of(constants: Sequence[ModulusConstant], modulus: int) -> Mapping[str, int]:
    """Values of constants by their names."""
    return {constant.name: constant.formula.value(modulus) for constant in constants}


@lru_cache(maxsize=1024)
def negated_inverse(modulus: int, r: int) -> int:
    """Give -modulus**-1 mod r: every product of an exponentiation needs the same one."""
    return -pow(modulus, -1, r) % r
