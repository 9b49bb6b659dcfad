"""What a design or a multiplier computes, by Python's own integers.

Results and statuses to expect come from here and from the input rules, never from a model.
"""

from collections.abc import Iterable
from typing import Any, Protocol

from catalog import MultiplierConfiguration
from fl.status import InputRules, Status

Operands = tuple[int, int, int]


class Operation(Protocol):
    """How to run and check one configuration.

    Attributes
    ----------
    keys : tuple of str
        Names of the operands in vectors; the modulus comes last.
    odd_modulus : bool
        Whether the input rules demand an odd modulus.
    constant_modulus : int
        The only modulus that the rules allow; 0: any.
    """

    keys: tuple[str, str, str]
    odd_modulus: bool
    constant_modulus: int

    def status(self, operands: Operands) -> Status:
        """Status to expect, by the input rules."""

    def result(self, operands: Operands) -> int:
        """Give the result to expect of operands that break no rule."""

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Values of a vector's ``expect`` that stand for this result."""


class Power:
    """``base**exp mod n``, of whoever has these input rules."""

    keys = ("base", "exp", "n")

    def __init__(self, rules: InputRules) -> None:
        self._rules = rules
        self.odd_modulus = rules.odd_modulus
        self.constant_modulus = rules.constant_modulus

    def status(self, operands: Operands) -> Status:
        """Status to expect, by the input rules."""
        return self._rules.status(*operands)

    def result(self, operands: Operands) -> int:
        """Python's ``pow``."""
        return pow(*operands)

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Only the result itself."""
        return (pow(*operands),)


class Product:
    """``a * b / R mod n``, where R is 1 unless the multiplier is a Montgomery multiplier."""

    keys = ("a", "b", "n")

    def __init__(self, configuration: MultiplierConfiguration) -> None:
        self._configuration = configuration
        self._r = configuration.r
        self.odd_modulus = configuration.golden.odd_modulus
        self.constant_modulus = configuration.constant_modulus

    def status(self, operands: Operands) -> Status:
        """Status to expect, by the input rules."""
        return self._configuration.outcome(*operands).status

    def result(self, operands: Operands) -> int:
        """Product with the multiplier's own factor 1/R."""
        a, b, modulus = operands
        return a * b * pow(self._r, -1, modulus) % modulus

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Give the result, and the plain product, which most vectors have."""
        a, b, modulus = operands
        return (self.result(operands), a * b % modulus)


def operation(configuration: Any) -> Operation:
    """Operation of a design's or a multiplier's configuration."""
    if isinstance(configuration, MultiplierConfiguration):
        return Product(configuration)
    return Power(configuration.rules)
