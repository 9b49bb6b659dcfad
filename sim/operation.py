"""Operation of a configuration, with expected answers and random operands."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping

from rsaxcel.fl.keys import Key
from rsaxcel.fl.status import Status
from rsaxcel.sim.corners import Operands

KeyOf = Callable[[int], Key]  #: returns the key of a number below NUM_KEYS

NUM_KEYS = 4
FAULT_SHARE = 1 / 50  #: share of random operands that break an input rule

KEY_SHARE = 1 / 8  #: share of random operands that come from an RSA key


class Operation(ABC):
    """Operation of one configuration: its operands, expected answers and random operands."""

    keys: tuple[str, ...]  #: names of the values in a vector
    optional: tuple[str, ...] = ()  #: random numbers in a vector that do not change the result

    def fill(self, values: Mapping[str, int]) -> Mapping[str, int]:
        """Return a vector's values, with missing optional ones drawn, always the same numbers."""
        return values

    @abstractmethod
    def operands(self, *values: int) -> Operands:
        """Return the circuit's operands from values in ``keys``' order.

        CRT joins exponents and moduli.
        """

    @abstractmethod
    def values(self, operands: Operands) -> tuple[int, ...]:
        """Return a vector's values in the order of ``keys``; the reverse of ``operands``."""

    @abstractmethod
    def status(self, operands: Operands) -> Status:
        """Return the status expected for operands, by the input rules or the contract."""

    def undefined(self, operands: Operands) -> str:
        """Say why operands have no defined result although they meet the input rules.

        The text is empty if the result is defined.
        """
        return ""

    @abstractmethod
    def result(self, operands: Operands) -> int:
        """Return the expected result of operands that meet the input rules."""

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Return all values of ``expect``, the result given in a vector, that count as correct."""
        return (self.result(operands),)

    @abstractmethod
    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw random operands, some of them with an RSA key; a few break an input rule."""

    @abstractmethod
    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw valid operands at ends of ranges, or with a product that is 0 mod the modulus."""
