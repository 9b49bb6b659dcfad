"""Steps of an operation over its cycles, from the cycle model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit
from rsaxcel.cl.elastic import latency
from rsaxcel.plan.walk import Due, walk
from rsaxcel.sim.corners import Operands


@dataclass(frozen=True)
class StepSpan:
    """A step: its products in words, its first cycle, and the cycle after its last one."""

    name: str
    begin: int
    end: int


def steps_of(configuration: Circuit, operands: Operands) -> list[StepSpan]:
    """Return the steps of an operation; cycle 0 is the one in which the request is accepted.

    The list is empty without a schedule of the catalog, or where one lane executes the turns of two
    halves: the model does not say where a turn ends.
    """
    if not isinstance(configuration, Configuration):
        return []
    timing = configuration.timing
    states = timing.golden.begin(*operands, ())
    found: list[StepSpan] = []
    begin = 0
    for program in timing.golden.programs:
        if len(program.turns) > 1:
            return []
        at = begin + timing.handshake.request_cycles + timing.handshake.start_cycles
        if program.computed_constants:
            modulus = states[0].modulus
            at += max(latency(unit.durations(modulus)) for unit in timing.units) + 1
        moduli = [program.cofactor * state.modulus for state in states]
        more = timing.more_cycles(program)
        dues = chain.from_iterable(walk(program, states))
        check_begins = program.check.enter[0] if program.check else ()
        for formed, due in zip(timing.golden.run(program, states), dues, strict=True):
            cycles = timing.step_cycles(formed, program, moduli, more)
            squares = sum(map(_is_square, due))
            if any(x.product in check_begins for x in due):  # the check is a turn of its own
                at += timing.handshake.later_turn_cycles
            names = ["square"] * bool(squares) + ["product"] * (len(formed) > squares)
            found.append(StepSpan(" and ".join(names) or "no product", at, at + cycles))
            at += cycles
        begin = at + timing.handshake.unload_cycles
        begin += program.reduction.steps if program.reduction else 0
    return found


def _is_square(due: Due) -> bool:
    """Whether both operands are one variable, maybe by its index in the table."""
    (values, name), (others, other) = due.read[:2]
    return values is others and name == other


def digits_of(configuration: Configuration, operands: Operands) -> list[StepSpan]:
    """Cycles of each digit of the exponent in scan order, named by steps or ``no product``."""
    found: list[StepSpan] = []
    steps = iter(steps_of(configuration, operands))
    for program in configuration.programs:
        filled = len(program.table.filled) if program.fill and program.table else 0
        _skip(steps, len(program.enter) + filled + len(program.begin))
        digits = program.scan.digits(operands[1]) if program.loop else ()
        for digit in digits:
            own = [next(steps) for _ in range(1 if digit is None else len(program.loop))]
            found.append(StepSpan(", ".join(x.name for x in own), own[0].begin, own[-1].end))
        _skip(steps, len(program.leave) + len(program.join))
    return found


def _skip(steps: Iterator[StepSpan], count: int) -> None:
    for _ in range(count):
        next(steps)
