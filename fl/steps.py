"""Step lists: the currency between domains, schedules and the machines that run them.

A *product* is ``dst = mul(a, b)`` on named residues. A *step* is one or more products that do not
depend on each other. A *program* is what one step machine does for one request: steps on entry,
steps that fill a table, steps once per digit of the exponent, steps on leaving. The functional
level runs a program on integers, the cycle level adds up their timing, the register-transfer level
sequences it over its lanes.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from fl.modulus_constants import ModulusConstant
from fl.scan import NO_DIGIT, Digit, Scan

ONE = "one"
"""Name of the operand that always reads 1."""

FACTOR = "factor"
"""Name of the operand that always reads what the final reduction divides by."""

ENTRY = "entry"
"""Name of the operand that reads the table's entry of the digit's index."""

NEXT = "next"
"""Name of the destination that is the table's entry behind the one that ``ENTRY`` reads."""


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


@dataclass(frozen=True)
class Product:
    """One modular product ``dst = mul(a, b)`` on named residues.

    Parameters
    ----------
    dst, a, b : str
        Residues; the operands may be ``ONE``, ``FACTOR`` or ``ENTRY``, the destination ``NEXT``.
    when : When
        Condition.
    lane : int
        Lane that forms it, modulo the number of lanes.
    """

    dst: str
    a: str
    b: str
    when: When = When.ALWAYS
    lane: int = 0


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


def multiple_nbits(cofactor: int, nbits: int) -> int:
    """Bits of a multiple of a modulus of ``nbits`` bits."""
    return (cofactor * ((1 << nbits) - 1)).bit_length()


@dataclass(frozen=True)
class Reduction:
    """How the result of the last product gets below the modulus m.

    Parameters
    ----------
    excess_nbits : int
        That result is below ``2**excess_nbits * m``.
    steps : int
        Cycles in which the circuit is applied to it, again and again.
    circuit : type
        Combinational component (``rtl.reductions``).
    params : tuple of (str, value)
        Its parameters besides the width of m and ``excess_nbits``.
    """

    excess_nbits: int
    steps: int
    circuit: type
    params: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Program:
    """What one step machine executes for one request.

    Parameters
    ----------
    name : str
        Instance name of the machine.
    residues : tuple of str
        Names of the residues that it holds, those of a table included.
    receives, sends : tuple of str
        Values in the request and in the response; ``m`` and ``e`` stand for modulus and exponent.
    lanes : int
        Multipliers side by side.
    scan : Scan
        How the exponent is read.
    ones : tuple of str
        Residues that start as 1.
    supplied : tuple of ModulusConstant
        Constants that units of this machine supply before the first step, as residues or to the
        multipliers.
    held : tuple of ModulusConstant
        Constants that the multipliers read.
    enter, begin, loop, leave : tuple of Step
        Steps before the table is filled and after, per digit of the exponent, and at the end.
    table : Table or None
        What is computed between ``enter`` and ``begin``.
    cofactor : int
        Products run modulo so many times the modulus.
    factor : int
        What ``FACTOR`` reads.
    reduction : Reduction or None
        What follows the last step; None where its result is below the modulus, or where the store
        of an engine sees to it.

    Raises
    ------
    ValueError
        Where a step names no residue of the program, or a product could read what another one of
        its step has written.
    """

    name: str
    residues: tuple[str, ...]
    receives: tuple[str, ...]
    sends: tuple[str, ...]
    lanes: int
    scan: Scan
    ones: tuple[str, ...] = ()
    supplied: tuple[ModulusConstant, ...] = ()
    held: tuple[ModulusConstant, ...] = ()
    enter: tuple[Step, ...] = ()
    table: Table | None = None
    begin: tuple[Step, ...] = ()
    loop: tuple[Step, ...] = ()
    leave: tuple[Step, ...] = ()
    cofactor: int = 1
    factor: int = 1
    reduction: Reduction | None = None

    def __post_init__(self) -> None:
        """Check the steps."""
        known = {*self.residues, ONE, FACTOR, *((ENTRY, NEXT) if self.table else ())}
        for step in self.steps:
            for product in step:
                unknown = {product.dst, product.a, product.b} - known
                if unknown or product.dst in (ONE, FACTOR, ENTRY):
                    raise ValueError(f"program {self.name}: {product} names no residue of {known}")
            self._check_independent(step)

    def _check_independent(self, step: Step) -> None:
        """Products that begin a step read what it finds; those that wait for a lane come later."""
        for k, product in enumerate(step):
            others = [p for p in step if p is not product and not p.when.excludes(product.when)]
            if any(p.dst == product.dst for p in others):
                raise ValueError(f"program {self.name}: two products of a step give {product.dst}")
            waits = any(
                p.lane % self.lanes == product.lane % self.lanes for p in step[:k] if p in others
            )
            if waits and any(p.dst in (product.a, product.b) for p in others):
                raise ValueError(
                    f"program {self.name}: {product} may read what its step has written"
                )

    def __str__(self) -> str:
        """Give the name."""
        return self.name

    def product_nbits(self, nbits: int) -> int:
        """Width of the modulus of the products, where moduli have ``nbits`` bits."""
        return multiple_nbits(self.cofactor, nbits)

    @property
    def fill(self) -> tuple[Step, ...]:
        """Steps that fill the table, none where there is nothing to compute."""
        return (self.table.fill,) if self.table and self.table.filled else ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps in order: enter, fill, begin, loop, leave."""
        return self.enter + self.fill + self.begin + self.loop + self.leave

    @property
    def entries(self) -> Mapping[int, str]:
        """Residues of the table's entries by their index."""
        return self.table.entries if self.table else {}


@dataclass
class State:
    """Values that a program works on."""

    modulus: int
    exponent: int
    residues: dict[str, int] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    """Constants of the modulus, those that multipliers read."""


Multiply = Callable[[int, int], int]
"""Modular product of two residues."""


def walk(
    program: Program, state: State, product: Multiply
) -> Iterator[list[tuple[Product, int, int]]]:
    """Execute a program on integers.

    Yields, step by step, the products formed, each with its operands' values; ``state`` holds the
    results once the iterator is exhausted. An empty list is a step in which no condition held, or
    a digit that is passed over.
    """
    entries = program.entries

    def read(name: str, index: int) -> int:
        if name == ONE:
            return 1
        if name == FACTOR:
            return program.factor
        if name == ENTRY:
            return state.residues[entries[index]] if index in entries else 0
        return state.residues[name]

    def run(step: Step, digit: Digit) -> list[tuple[Product, int, int]]:
        holds = {
            When.ALWAYS: True,
            When.SET: digit.set,
            When.CLEAR: not digit.set,
            When.MORE: digit.more,
            When.LATER: digit.later,
            When.FIRST: not digit.later,
        }
        issued = [
            (p, read(p.a, digit.index), read(p.b, digit.index)) for p in step if holds[p.when]
        ]
        for p, a, b in issued:
            name = entries[digit.index + 1] if p.dst == NEXT else p.dst
            state.residues[name] = product(a, b)
        return issued

    state.residues.update(dict.fromkeys(program.ones, 1))
    for step in program.enter:
        yield run(step, NO_DIGIT)
    for step in program.fill:
        for index in program.table.filled if program.table else ():
            yield run(step, Digit(index=index))
    for step in program.begin:
        yield run(step, NO_DIGIT)
    if program.loop:
        for digit in program.scan.digits(state.exponent):
            if digit is None:
                yield []
            else:
                for step in program.loop:
                    yield run(step, digit)
    for step in program.leave:
        yield run(step, NO_DIGIT)
