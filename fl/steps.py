"""Step lists: the currency between domains, schedules and the machines that run them.

A *product* is ``dst = mul(a, b)`` on named residues. A *step* is one or more products that do not
depend on each other. A *program* is what one step machine does for one request: steps on entry,
steps that fill a table, steps once per digit of the exponent, steps on leaving. The functional
level runs a program on integers, the cycle level adds up their timing, the register-transfer level
sequences it over its lanes.

A program may have two *halves*, each with a modulus, an exponent and residues of its own. All its
steps are executed for both, side by side on two lanes or one after the other on one, and then the
steps that join them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from fl.halves import Halves
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
    join : tuple of Step
        Steps when both halves are there.
    split : Halves or None
        How modulus and exponent carry two halves; None: they do not. Half 1 comes first where there
        is one lane.
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
    join: tuple[Step, ...] = ()
    split: Halves | None = None
    cofactor: int = 1
    factor: int = 1
    reduction: Reduction | None = None

    def __post_init__(self) -> None:
        """Check the steps."""
        written = {*self.residues, *((NEXT,) if self.table else ())}
        read = {*self.residues, *CONSTANT_OPERANDS, *((ENTRY,) if self.table else ())}
        if self.halves > 1:
            read |= {MESSAGE, MODULUS}
        for step in self.steps:
            for product in step:
                if not {*product.operands} <= read or product.dst not in written:
                    known = ", ".join(sorted(read))
                    raise ValueError(f"program {self.name}: {product} names no residue of {known}")
            self._check_independent(step)

    def _check_independent(self, step: Step) -> None:
        """Products that begin a step read what it finds; those that wait for a lane come later."""
        for k, product in enumerate(step):
            others = [p for p in step if p is not product and _both(p, product)]
            if any(p.dst == product.dst for p in others):
                raise ValueError(f"program {self.name}: two products of a step give {product.dst}")
            waits = any(
                p.lane % self.lanes == product.lane % self.lanes for p in step[:k] if p in others
            )
            if waits and any(p.dst in product.operands for p in others):
                raise ValueError(
                    f"program {self.name}: {product} may read what its step has written"
                )

    def __str__(self) -> str:
        """Give the name."""
        return self.name

    def product_nbits(self, nbits: int) -> int:
        """Width of the modulus of the products, where moduli have ``nbits`` bits."""
        return multiple_nbits(self.cofactor, self.split.nbits if self.split else nbits)

    @property
    def fill(self) -> tuple[Step, ...]:
        """Steps that fill the table, none where there is nothing to compute."""
        return (self.table.fill,) if self.table and self.table.filled else ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps in order: enter, fill, begin, loop, leave, join."""
        return self.enter + self.fill + self.begin + self.loop + self.leave + self.join

    @property
    def halves(self) -> int:
        """How many: 1 or 2."""
        return 2 if self.split else 1

    @property
    def exponent_nbits(self) -> int:
        """Width of the exponent as it travels, in bits."""
        return self.split.joined_nbits if self.split else self.scan.exponent_nbits

    @property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """Halves that the steps up to ``leave`` are executed for side by side, turn by turn."""
        if self.halves == 1:
            return ((0,),)
        return ((0, 1),) if self.lanes > 1 else ((1,), (0,))

    @property
    def owners(self) -> Mapping[str, int]:
        """Halves of the residues that only one of them forms."""
        formed: dict[str, set[int | None]] = {}
        for product in (p for step in self.steps for p in step):
            formed.setdefault(product.dst, set()).add(product.half)
        alone = {name: halves.pop() for name, halves in formed.items() if len(halves) == 1}
        return {name: half for name, half in alone.items() if half is not None}

    @property
    def arrivals(self) -> tuple[tuple[str, str, int], ...]:
        """Values in the request that are residues: field, residue and half."""
        if self.halves == 1:
            return tuple((name, name, 0) for name in self.receives if name in self.residues)
        named = (name.rpartition("_") for name in self.receives if name not in ("b", "e", "m"))
        return tuple((f"{name}_{half}", name, int(half)) for name, _, half in named)

    @property
    def ends_reduced(self) -> bool:
        """Whether a store has brought the last result below the modulus."""
        return any(product.reduced for step in self.steps for product in step)

    def lane(self, product: Product, half: int) -> int:
        """Lane that forms a product of a half."""
        return (half if self.halves > 1 else product.lane) % self.lanes

    @property
    def entries(self) -> Mapping[int, str]:
        """Residues of the table's entries by their index."""
        return self.table.entries if self.table else {}


def _both(p: Product, q: Product) -> bool:
    """Whether there is a digit for which both are formed, of one half."""
    return not p.when.excludes(q.when) and (None in (p.half, q.half) or p.half == q.half)


@dataclass
class State:
    """Values that a program works on, of a half."""

    modulus: int
    exponent: int
    residues: dict[str, int] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    """Constants of the modulus, those that multipliers read."""
    message: int = 0
    """Base of both halves, where there are two."""


class Formed(NamedTuple):
    """A product that is formed, with the values of its operands.

    Parameters
    ----------
    product : Product
        What it is.
    half : int
        Whose it is.
    a, b, tail : int
        Values of its operands, 0 for a tail that there is not.
    """

    product: Product
    half: int
    a: int
    b: int
    tail: int


Multiply = Callable[[Formed], int]
"""Result of a product."""


def walk(program: Program, states: Sequence[State], multiply: Multiply) -> Iterator[list[Formed]]:
    """Execute a program on integers.

    Yields, step by step, the products formed; ``states``, one of each half, hold the results once
    the iterator is exhausted. An empty list is a step in which no condition held, or a digit that
    is passed over.
    """
    entries = program.entries

    def read(name: str, half: int, index: int) -> int:
        constant = {ONE: 1, MINUS_ONE: -1, FACTOR: program.factor, "": 0}
        if name in constant:
            return constant[name]
        if name == ENTRY:
            return states[half].residues[entries[index]] if index in entries else 0
        if name in (MESSAGE, MODULUS):
            return states[half].message if name == MESSAGE else states[half].modulus
        return states[program.owners.get(name, half)].residues[name]

    def run(step: Step, digits: Mapping[int, Digit]) -> list[Formed]:
        issued = []
        for half, digit in digits.items():
            holds = {
                When.ALWAYS: True,
                When.SET: digit.set,
                When.CLEAR: not digit.set,
                When.MORE: digit.more,
                When.LATER: digit.later,
                When.FIRST: not digit.later,
            }
            for p in step:
                if holds[p.when] and p.is_of(half):
                    a, b, tail = (read(x, half, digit.index) for x in (p.a, p.b, p.tail))
                    issued.append(Formed(p, half, a, b, tail))
        results = [multiply(each) for each in issued]
        for (p, half, *_), result in zip(issued, results, strict=True):
            name = entries[digits[half].index + 1] if p.dst == NEXT else p.dst
            states[half].residues[name] = result
        return issued

    for halves in program.turns:
        none = dict.fromkeys(halves, NO_DIGIT)
        for half in halves:
            states[half].residues.update(dict.fromkeys(program.ones, 1))
        for step in program.enter:
            yield run(step, none)
        for step in program.fill:
            for index in program.table.filled if program.table else ():
                yield run(step, dict.fromkeys(halves, Digit(index=index)))
        for step in program.begin:
            yield run(step, none)
        if program.loop:
            scans = [program.scan.digits(states[half].exponent) for half in halves]
            for digits in zip(*scans, strict=True):
                if None in digits:
                    yield []
                    continue
                for step in program.loop:
                    yield run(step, dict(zip(halves, digits, strict=True)))
        for step in program.leave:
            yield run(step, none)
    for step in program.join:
        yield run(step, dict.fromkeys(range(program.halves), NO_DIGIT))
