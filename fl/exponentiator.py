"""Functional model of every exponentiator: its programs, executed on integers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple

from rsaxcel.fl.contract import Multiplier
from rsaxcel.fl.status import InputRuleError, InputRules, Status
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.modulus_constants import ModulusConstant, from_host, from_units
from rsaxcel.plan.programs import Program
from rsaxcel.plan.walk import Formed, State, walk


class Outcome(NamedTuple):
    """Response of an exponentiator; the result is 0 unless the status is ok."""

    result: int
    status: Status


def host_values(
    rules: InputRules, constants: Sequence[ModulusConstant], modulus: int
) -> tuple[int, ...]:
    """Values of constants that the host sends for a modulus; zeros if the input rules refuse it."""
    try:
        rules.check_modulus(modulus)
    except InputRuleError:
        return (0,) * len(constants)
    return tuple(x.formula.value(modulus) for x in constants)


@dataclass(frozen=True)
class ExponentiatorFL:
    """Functional model of an exponentiator, which executes the programs of its plan."""

    rules: InputRules
    programs: tuple[Program, ...]  #: programs that a request passes through, first to last
    multiplier: Multiplier  #: golden model of the multiplier
    #: Constants of the domain, then constants that the multiplier reads.
    constants: tuple[ModulusConstant, ...] = ()
    halves: Halves | None = None  #: layout of two halves within modulus and exponent

    @cached_property
    def host_constants(self) -> tuple[ModulusConstant, ...]:
        return from_host(self.constants)

    def host_values(self, modulus: int) -> tuple[int, ...]:
        return host_values(self.rules, self.host_constants, modulus)

    def begin(
        self, base: int, exponent: int, modulus: int, constants: Sequence[int] = ()
    ) -> list[State]:
        """Return the states before the first program: one for each half, or one without halves.

        Missing ``constants`` (of ``host_constants``) are computed here.
        """
        given = constants or self.host_values(modulus)
        values = dict(zip((c.name for c in self.host_constants), given, strict=True))
        for constant in from_units(self.constants):
            values[constant.name] = constant.formula.value(modulus)
        if self.halves is None:
            held = {c.name: values.pop(c.name) for c in self.multiplier.constants}
            return [State(modulus, exponent, {"b": base, **values}, held)]
        private, numbers = self.halves.split_numbers(exponent)[0], self.halves.numbers_of(exponent)
        halves = zip(self.halves.split(modulus), private, strict=True)
        states = [State(m, e, message=base, numbers=numbers) for m, e in halves]
        for part in self.halves.parts:
            value = exponent >> part.low & (1 << part.nbits) - 1
            states[part.half].residues[part.name] = value
        for constant in self.constants:
            if constant.half is not None:
                states[constant.half].residues[constant.residue] = values[constant.name]
        return states

    def run(self, program: Program, states: Sequence[State]) -> Iterator[list[Formed]]:
        """Execute a program on ``states``, which then hold the results.

        Yields the products of each step, after a block of steps is executed (``plan.walk``).
        """
        form = partial(self.multiplier.form, states=states, cofactor=program.cofactor)
        return chain.from_iterable(map(form, walk(program, states)))

    def finish(self, states: Sequence[State]) -> int:
        """Return the final result from the states after the last program.

        ``InputRuleError`` if the result does not pass the program's check: the public exponent does
        not belong to the other exponents.
        """
        compared = {p.dst for step in self.programs[-1].steps for p in step if p.compared}
        if any(state.residues[name] != 1 for state in states for name in compared):
            raise InputRuleError(
                Status.FAULT_DETECTED, "the result, to the public exponent, is not the base"
            )
        state = states[-1]
        result, program = state.residues["r"], self.programs[-1]
        reduction = program.reduction
        if program.ends_reduced:
            return result
        if reduction is None:
            return self.multiplier.final_reduction(result, state.modulus)
        if result >= state.modulus << reduction.excess_nbits:
            raise ArithmeticError(
                f"{type(self.multiplier).__name__}: the last product modulo {state.modulus:#x}, "
                f"{result:#x}, is not below 2^{reduction.excess_nbits} times the modulus"
            )
        return result % state.modulus

    def answer(self, states: Sequence[State]) -> Outcome:
        """Return result and status from the states after the last program (``finish``)."""
        try:
            return Outcome(self.finish(states), Status.OK)
        except InputRuleError as error:
            return Outcome(0, error.status)

    def power(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> int:
        """Compute base**exponent mod modulus; ``InputRuleError`` for a broken rule or failed check.

        Missing ``constants`` (of ``host_constants``) are computed here; ``missing``: the host has
        not supplied the constants.
        """
        self.rules.check(base, exponent, modulus, missing)
        states = self.begin(base, exponent, modulus, constants)
        for program in self.programs:
            for _ in self.run(program, states):
                pass
        return self.finish(states)

    def outcome(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> Outcome:
        """Return what ``power`` gives, and its status; an ``InputRuleError`` becomes the status."""
        try:
            return Outcome(self.power(base, exponent, modulus, constants, missing), Status.OK)
        except InputRuleError as error:
            return Outcome(0, error.status)
