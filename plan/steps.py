"""Steps: the products that domains and schedules list and that programs execute.

A *product* is ``dst = mul(a, b)`` on named residues. A *step* is one or more products that do not
depend on each other. A program (``plan.programs``) is the sequence of steps of one executor.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from rsaxcel.plan.scan import Scan

ONE = "one"  #: operand that reads 1

FACTOR = "factor"  #: operand that reads the divisor of the final reduction

ENTRY = "entry"  #: operand that reads the table entry at the digit's index

NEXT = "next"  #: destination: the table entry after that of ENTRY

MINUS_ONE = "minus_one"  #: operand that reads -1

MESSAGE = "message"  #: operand that reads the base at its full width, the same for both halves

#: operand that reads the joined result at its full width, the same for both halves
RESULT = "result"

#: operand that reads the base again at its full width, by a selection of its own
REFERENCE = "reference"

MODULUS = "modulus"  #: operand that reads the modulus of the half that forms the product

#: operand that reads that modulus minus 1: for a prime, the order of its group of residues
ORDER = "order"

EXPONENT = "exponent"  #: destination: the exponent of the half that forms the product

CONSTANT_OPERANDS = (ONE, MINUS_ONE, FACTOR)  #: operands that are constants rather than residues


class When(Enum):
    """Condition under which a product is formed; otherwise, the destination is unchanged."""

    ALWAYS = "always"
    SET = "set"  #: the digit is not 0, or a sliding window ends with it
    CLEAR = "clear"  #: the digit calls for no product
    MORE = "more"  #: a set bit is above the scanned bit (right-to-left scans only)
    LATER = "later"  #: not the first digit of the scan
    FIRST = "first"  #: first digit of the scan

    def excludes(self, other: "When") -> bool:
        return {self, other} in ({When.SET, When.CLEAR}, {When.LATER, When.FIRST})


BY_DIGIT = (When.SET, When.CLEAR, When.MORE)  #: the exponent decides whether the product is formed


class Kind(Enum):
    """Kind of a product: with or without reduction modulo m, and length of operand a."""

    MODULAR = "modular"  #: `a * b mod m`, or `a * b / R mod m` if the multiplier divides by R
    #: `(a + tail * R) * b / R**2 mod m`; without a tail, `a` has twice a residue's digits.
    DOUBLE = "double"
    WHOLE = "whole"  #: `a * b + tail`, not reduced modulo m


@dataclass(frozen=True)
class Product:
    """One product ``dst = mul(a, b)`` on named residues."""

    dst: str  #: residue, NEXT or, of a WHOLE product, EXPONENT
    a: str  #: residue, or an operand name of this module, such as ONE
    b: str
    when: When = When.ALWAYS
    lane: int = 0  #: lane, modulo the number of lanes; not used with halves, which have a lane each
    kind: Kind = Kind.MODULAR
    tail: str = ""  #: DOUBLE: residue added to a with the weight R; WHOLE: added to the product
    #: Half that forms the product; None: both. Both can read a residue that one half forms.
    half: int | None = None
    reduced: bool = False  #: the store divides the result by FACTOR and brings it below the modulus
    compared: bool = False  #: the store compares the reduced result with 1, which confirms a half

    def is_of(self, half: int) -> bool:
        return self.half in (None, half)

    @property
    def operands(self) -> tuple[str, ...]:
        return (self.a, self.tail, self.b) if self.tail else (self.a, self.b)


Step = tuple[Product, ...]


@dataclass(frozen=True)
class Check:
    """Steps that check the joined result in each half, after the steps of ``join``."""

    scan: Scan  #: scan of the public exponent without its lowest bit, which is always 1
    enter: tuple[Step, ...]  #: steps before the first bit
    loop: tuple[Step, ...]  #: steps for each bit
    leave: tuple[Step, ...]  #: steps after the last bit
    number: str = field(repr=False)  #: name of the public exponent in a request

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.enter + self.loop + self.leave

    @property
    def sections(self) -> Mapping[str, tuple[Step, ...]]:
        return {"check": self.enter, "bit": self.loop, "judge": self.leave}


@dataclass(frozen=True)
class Table:
    """Powers of the base that a program computes before its loop.

    Entry ``first`` is ``b``. Steps of the program form the next ``begun`` entries; the step
    ``fill``, repeated for each index from there up to ``last - 1``, forms the entry after it. An
    index without an entry reads 0.
    """

    first: int
    last: int
    fill: Step
    unit: str = ""  #: entry of the power 0, after the other ones; empty: there is none
    #: entry after that: the loop's own result; empty: there is none
    itself: str = field(default="", repr=False)
    begun: int = field(default=0, repr=False)

    @property
    def entries(self) -> Mapping[int, str]:
        """Names of the residues that hold the entries, by index."""
        powers = {i: "b" if i == self.first else f"t{i}" for i in range(self.first, self.last + 1)}
        more = [name for name in (self.unit, self.itself) if name]
        return powers | dict(enumerate(more, self.last + 1))

    @property
    def filled(self) -> range:
        """Indices for which the step ``fill`` is executed."""
        return range(self.first + self.begun, self.last)
