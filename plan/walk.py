"""Execution of programs on integers, step by step."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rsaxcel.plan.measures.dummies import SEED
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
    """A product that is formed, with the values of its operands; ``tail`` is 0 without one."""

    product: Product
    half: int  #: half that forms the product
    a: int
    b: int
    tail: int


Multiply = Callable[[Formed], int]


def walk(program: Program, states: Sequence[State], multiply: Multiply) -> Iterator[list[Formed]]:
    """Execute a program on integers, and yield the products of each step.

    The list is empty if no condition is met, or for a leading zero that is passed over. ``states``,
    one per half, change: after the last step, they hold the results.
    """
    entries, owners, dummy = program.entries, program.owners, program.dummy
    constants = {ONE: 1, MINUS_ONE: -1, FACTOR: program.factor, "": 0}
    places = program.places(states[0].numbers.get(SEED, 0))

    def read(name: str, half: int, index: int) -> int:
        if name in constants:
            return constants[name]
        if name == ENTRY:
            return states[half].residues[entries[index]] if index in entries else 0
        if name in (MESSAGE, REFERENCE):
            return states[half].message
        if name in (MODULUS, ORDER):
            return states[half].modulus - (name == ORDER)
        if name == RESULT:
            return states[-1].residues["r"]
        return states[owners.get(name, half)].residues[name]

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
                if p.half in (None, half) and holds[p.when]:
                    a, b, tail = (read(x, half, digit.index) for x in (p.a, p.b, p.tail))
                    issued.append(Formed(p, half, a, b, tail))
        results = [multiply(each) for each in issued]
        for (p, half, *_), result in zip(issued, results, strict=True):
            if p.dst == EXPONENT:
                states[half].exponent = result
                continue
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
            ndigits = program.scan.ndigits
            scans = [program.scan.digits(states[half].exponent) for half in halves]
            places.begin_turn()
            for number, digits in enumerate(zip(*scans, strict=True), 1):
                if None in digits:
                    yield []
                    continue
                for left, step in enumerate(program.loop, 1 - len(program.loop)):
                    yield run(step, dict(zip(halves, digits, strict=True)))
                    first = number == 1 and left < 0
                    last = number == ndigits and left == 0
                    while dummy and places.follows(first, last):
                        yield run(dummy, none)
        for step in program.leave:
            yield run(step, none)
    for step in program.join:
        yield run(step, dict.fromkeys(range(program.halves), NO_DIGIT))
    if program.check is None:
        return
    for halves in program.turns:
        none = dict.fromkeys(halves, NO_DIGIT)
        for step in program.check.enter:
            yield run(step, none)
        for digit in program.check.scan.digits(states[0].numbers[program.check.number] >> 1):
            for step in program.check.loop:
                yield run(step, dict.fromkeys(halves, digit or NO_DIGIT))
        for step in program.check.leave:
            yield run(step, none)
