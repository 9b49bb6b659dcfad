"""Operation: what a configuration computes, with expected answers and random operands."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from rsaxcel.fl.keys import Key
from rsaxcel.fl.status import Status
from rsaxcel.sim.corners import Operands

KeyOf = Callable[[int], Key]
"""Function from a number below ``NUM_KEYS`` to a key."""

NUM_KEYS = 4
FAULT_SHARE = 1 / 50
"""Share of the random operands that break an input rule."""

KEY_SHARE = 1 / 8
"""Share of the random operands that come from an RSA key."""


class Operation(Protocol):
    """Operation of one configuration: its operands, expected answers and random operands.

    Attributes
    ----------
    keys : tuple of str
        Names of the values in a vector.
    optional : tuple of str
        Those that a vector may leave out: random numbers that do not change the result.
    """

    keys: tuple[str, ...]
    optional: tuple[str, ...]

    def fill(self, values: Mapping[str, int]) -> Mapping[str, int]:
        """Return the values of a vector, with the optional ones drawn if they are missing.

        The same other values give the same ones.
        """

    def operands(self, *values: int) -> Operands:
        """Return the operands that the circuit takes, given a vector's values in ``keys``' order.

        By CRT, the two exponents are joined to one operand, and so are the two moduli.
        """

    def values(self, operands: Operands) -> tuple[int, ...]:
        """Return a vector's values in the order of ``keys``, given the operands of a request.

        By CRT, the operands that ``operands`` joins are split again.
        """

    def status(self, operands: Operands) -> Status:
        """Return the status expected for operands, by the input rules or the contract."""

    def undefined(self, operands: Operands) -> str:
        """Say why operands have no defined result although they meet the input rules.

        The text is empty if the result is defined.
        """

    def result(self, operands: Operands) -> int:
        """Return the expected result of operands that meet the input rules."""

    def meanings(self, operands: Operands) -> Iterable[int]:
        """Return all values of ``expect``, the result given in a vector, that count as correct."""

    def draw(self, draw: random.Random, nbits: int, key: KeyOf) -> Operands:
        """Draw random operands, some of them with an RSA key; a few break an input rule."""

    def draw_corner(self, draw: random.Random, nbits: int) -> Operands:
        """Draw operands at the ends of ranges, or whose product is a multiple of the modulus.

        The operands meet the input rules.
        """
