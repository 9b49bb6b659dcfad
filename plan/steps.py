"""Steps: the products that domains and schedules list and that programs execute.

A *product* is ``dst = mul(a, b)`` on named residues. A *step* is one or more products that do not
depend on each other. A program (``plan.programs``) is the sequence of steps of one executor.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from rsaxcel.plan.scan import Scan

ONE = "one"
"""Name of the operand that always reads 1."""

FACTOR = "factor"
"""Name of the operand that always reads the divisor of the final reduction."""

ENTRY = "entry"
"""Name of the operand that reads the table entry at the digit's index."""

NEXT = "next"
"""Name of the destination that is the table entry after the one that ``ENTRY`` reads."""

MINUS_ONE = "minus_one"
"""Name of the operand that always reads -1."""

MESSAGE = "message"
"""Name of the operand that reads the base at its full width; both halves read the same base."""

RESULT = "result"
"""Name of the operand that reads the joined result at its full width; both halves read it."""

REFERENCE = "reference"
"""Name of the operand that reads a copy of the base at its full width; both halves read it."""

MODULUS = "modulus"
"""Name of the operand that reads the modulus of the half that forms the product."""

ORDER = "order"
"""Name of the operand that reads the modulus of the half that forms the product, minus 1."""

EXPONENT = "exponent"
"""Name of the destination that is the exponent of the half that forms the product."""

CONSTANT_OPERANDS = (ONE, MINUS_ONE, FACTOR)
"""Names of the operands that are constants rather than residues."""


class When(Enum):
    """Condition under which a product is formed; if it is not met, the destination is unchanged."""

    ALWAYS = "always"
    SET = "set"
    """The digit calls for a product: it is not 0, or a sliding window ends with it."""
    CLEAR = "clear"
    """The digit calls for no product."""
    MORE = "more"
    """The exponent has a set bit above the scanned bit (right-to-left scans only)."""
    LATER = "later"
    """The digit is not the first one of the scan."""
    FIRST = "first"
    """The digit is the first one of the scan."""

    def excludes(self, other: "When") -> bool:
        """Whether no digit meets both conditions."""
        return {self, other} in ({When.SET, When.CLEAR}, {When.LATER, When.FIRST})


class Kind(Enum):
    """Kind of a product: with or without reduction modulo m, and how long operand a may be."""

    MODULAR = "modular"
    """``a * b mod m``, or ``a * b / R mod m`` if the multiplier divides by R."""
    DOUBLE = "double"
    """``(a + tail * R) * b / R**2 mod m``; without a tail, ``a`` has twice a residue's digits."""
    WHOLE = "whole"
    """``a * b + tail``, not reduced modulo m."""


@dataclass(frozen=True)
class Product:
    """One product ``dst = mul(a, b)`` on named residues.

    Parameters
    ----------
    dst, a, b : str
        Names of residues. An operand may also be one of the operand names of this module, such as
        ``ONE``; the destination may also be ``NEXT`` or, of a ``WHOLE`` product, ``EXPONENT``.
    when : When
        Condition under which the product is formed.
    lane : int
        Number of the lane that forms the product; in a program with fewer lanes, this number modulo
        the number of lanes. Not used in a program with two halves, where each half has its lane.
    kind : Kind
        Arithmetic of the product.
    tail : str
        Kind ``DOUBLE``: residue that is added to a with the weight R. Kind ``WHOLE``: residue that
        is added to the product. Empty: none.
    half : int or None
        Half that forms the product; None: both. A residue that only one half forms can be read by
        both.
    reduced : bool
        Whether the store divides the result by ``FACTOR`` and brings it below the modulus.
    compared : bool
        Whether the store compares the reduced result with 1: a half is confirmed by a 1.
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
    compared: bool = False

    def is_of(self, half: int) -> bool:
        """Whether a half forms the product."""
        return self.half in (None, half)

    @property
    def operands(self) -> tuple[str, ...]:
        """Names of the operands."""
        return (self.a, self.tail, self.b) if self.tail else (self.a, self.b)


Step = tuple[Product, ...]


@dataclass(frozen=True)
class Check:
    """Steps that check the joined result in each half, after the steps of ``join``.

    Parameters
    ----------
    scan : Scan
        How the upper bits of the public exponent are read; the lowest bit, always 1, is not read.
    enter, loop, leave : tuple of Step
        Steps before the first bit, for each bit, and after the last bit.
    """

    scan: Scan
    enter: tuple[Step, ...]
    loop: tuple[Step, ...]
    leave: tuple[Step, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps in order: enter, loop, leave."""
        return self.enter + self.loop + self.leave

    @property
    def public_nbits(self) -> int:
        """Width of the public exponent in bits, its lowest bit included."""
        return self.scan.exponent_nbits + 1


@dataclass(frozen=True)
class Table:
    """Powers of the base that a program computes before its loop.

    Entry ``first`` is the residue ``b``. The step ``fill`` is executed for each index from
    ``first`` to ``last - 1`` and forms the next entry. An index without an entry reads 0.

    Parameters
    ----------
    first, last : int
        Indices of the first and the last entry.
    fill : Step
        The products that form the next entry.
    unit : str
        Residue that is the entry of index 0 in a table with ``first = 1``; empty: there is none.
    """

    first: int
    last: int
    fill: Step
    unit: str = ""

    @property
    def entries(self) -> Mapping[int, str]:
        """Names of the residues that hold the entries, by index."""
        powers = {i: "b" if i == self.first else f"t{i}" for i in range(self.first, self.last + 1)}
        return {0: self.unit, **powers} if self.unit else powers

    @property
    def filled(self) -> range:
        """Indices for which the step ``fill`` is executed."""
        return range(self.first, self.last)
