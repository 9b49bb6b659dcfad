"""Walk through a program for one request: the products of each step, and their variables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rsaxcel.plan.measures import SEED
from rsaxcel.plan.programs import Program
from rsaxcel.plan.scan import NO_DIGIT, Digit
from rsaxcel.plan.steps import (
    ENTRY,
    EXPONENT,
    FACTOR,
    MESSAGE,
    MINUS_ONE,
    MODULUS,
    NEXT,
    ONE,
    ORDER,
    REFERENCE,
    RESULT,
    Product,
    Step,
    When,
)


@dataclass
class State:
    """Values that a program reads and writes for one half, or for a request without halves."""

    modulus: int
    exponent: int
    residues: dict[str, int] = field(default_factory=dict)
    #: constants of the modulus that multipliers read
    constants: dict[str, int] = field(default_factory=dict)
    message: int = 0  #: base, which both halves share; 0 without halves
    #: numbers of the request that both halves share, by name
    numbers: dict[str, int] = field(default_factory=dict)


class Formed(NamedTuple):
    """A product that was formed, with the values of its operands; ``tail`` is 0 without one."""

    product: Product
    half: int  #: half that forms the product
    a: int
    b: int
    tail: int
    result: int


#: A variable: the mapping that has its value, and its name in the mapping.
Variable = tuple[dict[str, int], str]


class Due(NamedTuple):
    """A product that is to be formed, with the variables that it reads and writes."""

    product: Product
    half: int  #: half that forms the product
    read: list[Variable]  #: a, b and tail
    written: Variable


_MOST_STEPS = 1024  #: an exponent that is counted down has steps without limit


def walk(program: Program, states: Sequence[State]) -> Iterator[list[list[Due]]]:
    """Yield the steps of a program in blocks, as lists of products.

    The list of a step is empty if no condition is met, or for a leading zero that is passed over.
    Each block must be executed before the next one is taken: products may form the exponent.
    """
    entries, owners, dummy = program.entries, program.owners, program.dummy
    constants = {ONE: 1, MINUS_ONE: -1, FACTOR: program.factor, "": 0}
    places = program.places(states[0].numbers.get(SEED, 0))
    of_half = [
        {MESSAGE: x.message, REFERENCE: x.message, MODULUS: x.modulus, ORDER: x.modulus - 1}
        for x in states
    ]

    def variable(name: str, half: int, index: int) -> Variable:
        if name in constants:
            return constants, name
        if name == ENTRY:
            return (states[half].residues, entries[index]) if index in entries else (constants, "")
        if name in of_half[half]:
            return of_half[half], name
        if name == RESULT:
            return states[-1].residues, "r"
        return states[owners.get(name, half)].residues, name

    def target(name: str, half: int, index: int) -> Variable:
        if name == EXPONENT:
            return vars(states[half]), name
        return states[half].residues, entries[index + 1] if name == NEXT else name

    # Steps come again and again with the same few digits. A step is kept with its products, so that
    # no other one gets its identity.
    known: dict[tuple[Any, ...], tuple[Step, list[Due]]] = {}

    def due(step: Step, digits: Mapping[int, Digit]) -> list[Due]:
        key = id(step), *digits.items()
        if key not in known:
            known[key] = step, products(step, digits)
        return known[key][1]

    def products(step: Step, digits: Mapping[int, Digit]) -> list[Due]:
        found = []
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
                if p.half in (None, half) and holds[p.when]:
                    read = [variable(x, half, digit.index) for x in (p.a, p.b, p.tail)]
                    found.append(Due(p, half, read, target(p.dst, half, digit.index)))
        return found

    for halves in program.turns:
        none = dict.fromkeys(halves, NO_DIGIT)
        for half in halves:
            states[half].residues.update(dict.fromkeys(program.ones, 1))
        block = [due(step, none) for step in program.enter]
        for step in program.fill:
            for index in program.table.filled if program.table else ():
                block.append(due(step, dict.fromkeys(halves, Digit(index=index))))
        yield block + [due(step, none) for step in program.begin]
        block = []
        if program.loop:
            ndigits = program.scan.ndigits
            scans = [program.scan.digits(states[half].exponent) for half in halves]
            places.begin_turn()
            for number, digits in enumerate(zip(*scans, strict=True), 1):
                if len(block) >= _MOST_STEPS:
                    yield block
                    block = []
                if None in digits:
                    block.append([])
                    continue
                for place, step in enumerate(program.loop):
                    read = [x.of_step(place) for x in digits] if program.scan.odd else digits
                    block.append(due(step, dict(zip(halves, read, strict=True))))
                    left = place + 1 - len(program.loop)
                    first = number == 1 and left < 0
                    last = number == ndigits and left == 0
                    while dummy and places.follows(first, last):
                        block.append(due(dummy, none))
        yield block + [due(step, none) for step in program.leave]
    if program.join:
        yield [due(step, dict.fromkeys(range(program.halves), NO_DIGIT)) for step in program.join]
    if program.check is None:
        return
    for halves in program.turns:
        none = dict.fromkeys(halves, NO_DIGIT)
        block = [due(step, none) for step in program.check.enter]
        for digit in program.check.scan.digits(states[0].numbers[program.check.number] >> 1):
            for step in program.check.loop:
                block.append(due(step, dict.fromkeys(halves, digit or NO_DIGIT)))
        yield block + [due(step, none) for step in program.check.leave]
