"""Steps: the currency between domains, schedules and the machines that run them.

A *product* is ``dst = mul(a, b)`` on named residues. A *step* is one or more products that do not
depend on each other. What executes them is a program (``plan.programs``).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

ONE = "one"
"""Name of the operand that always reads 1."""

FACTOR = "factor"
"""Name of the operand that always reads what the final reduction divides by."""

ENTRY = "entry"
"""Name of the operand that reads the table's entry of the digit's index."""

NEXT = "next"
"""Name of the destination that is the table's entry behind the one that ``ENTRY`` reads."""

MINUS_ONE = "minus_one"
"""Name of the operand that always reads -1."""

MESSAGE = "message"
"""Name of the operand that reads the base of both halves, as wide as both."""

MODULUS = "modulus"
"""Name of the operand that reads the modulus of the half."""

CONSTANT_OPERANDS = (ONE, MINUS_ONE, FACTOR)
"""Operands that no residue is read for."""


class When(Enum):
    """Condition under which a product is formed; otherwise its destination stays as it is."""

    ALWAYS = "always"
    SET = "set"
    """The digit calls for a product: it is not 0, or a window of bits ends with it."""
    CLEAR = "clear"
    """The digit calls for none."""
    MORE = "more"
    """The exponent has a set bit above the current one; bits are scanned from the least one."""
    LATER = "later"
    """The digit is not the first one."""
    FIRST = "first"
    """It is."""

    def excludes(self, other: "When") -> bool:
        """Whether no digit meets both conditions."""
        return {self, other} in ({When.SET, When.CLEAR}, {When.LATER, When.FIRST})


class Kind(Enum):
    """What a product is."""

    MODULAR = "modular"
    """``a * b``, divided by R where the multiplier does, modulo m."""
    DOUBLE = "double"
    """``(a + tail * R) * b / R**2`` modulo m; an a alone has the digits of two."""
    WHOLE = "whole"
    """``a * b + tail``, as an integer."""


@dataclass(frozen=True)
class Product:
    """One product ``dst = mul(a, b)`` on named residues.

    Parameters
    ----------
    dst, a, b : str
        Residues; the operands may be one of the names above, the destination ``NEXT``.
    when : When
        Condition.
    lane : int
        Lane that forms it, modulo the number of lanes, where a program has no halves.
    kind : Kind
        What it is.
    tail : str
        Residue whose digits follow those of a, in a double one; what is added, in a whole one.
    half : int or None
        Half that forms it; None: each. A residue that one half forms is read by both.
    reduced : bool
        Whether the store brings its result below the modulus, divided by ``FACTOR``.
    """

    dst: str
    a: str
    b: str
    when: When = When.ALWAYS
    lane: int = 0
    kind: Kind = Kind.MODULAR
    tail: str = ""
    half: int | None = None
    reduced: bool = False

    def is_of(self, half: int) -> bool:
        """Whether a half forms it."""
        return self.half in (None, half)

    @property
    def operands(self) -> tuple[str, ...]:
        """Names of the operands."""
        return (self.a, self.tail, self.b) if self.tail else (self.a, self.b)


Step = tuple[Product, ...]


@dataclass(frozen=True)
class Table:
    """Powers of the base that a program computes before its loop.

    Entry ``first`` is the residue ``b``; the step ``fill`` is executed with the indices from there
    to the last but one, and forms the entry behind each. An index without an entry reads 0.

    Parameters
    ----------
    first, last : int
        Indices of the first and the last entry.
    fill : Step
        The products that form the next entry.
    unit : str
        Residue that is an entry besides, that of index 0, where ``first`` is 1.
    """

    first: int
    last: int
    fill: Step
    unit: str = ""

    @property
    def entries(self) -> Mapping[int, str]:
        """Residues of the entries by their index."""
        powers = {i: "b" if i == self.first else f"t{i}" for i in range(self.first, self.last + 1)}
        return {0: self.unit, **powers} if self.unit else powers

    @property
    def filled(self) -> range:
        """Indices with which the step is executed."""
        return range(self.first, self.last)
