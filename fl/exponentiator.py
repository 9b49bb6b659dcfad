"""Functional model of every exponentiator: its programs, run on integers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from fl.multipliers.contract import Multiplier
from fl.status import InputRules, Status
from fl.steps import Program, State, walk


class Outcome(NamedTuple):
    """Response of an exponentiator; the result is 0 unless the status is ok."""

    result: int
    status: Status


@dataclass(frozen=True)
class Exponentiator:
    """Modular exponentiation by a plan of step programs.

    Parameters
    ----------
    rules : InputRules
        What the operands must satisfy.
    programs : tuple of Program
        Machines that a request passes through.
    multiplier : Multiplier
        Forms each product.
    constants : callable, optional
        Modulus to the values of the first program's constants.
    """

    rules: InputRules
    programs: tuple[Program, ...]
    multiplier: Multiplier
    constants: Callable[[int], tuple[int, ...]] | None = None

    def power(self, base: int, exponent: int, modulus: int) -> int:
        """base**exponent mod modulus.

        Raises
        ------
        InputRuleError
            If an operand breaks an input rule.
        """
        self.rules.check(base, exponent, modulus)
        state = State(modulus, exponent, {"b": base})
        for program in self.programs:
            if program.constants:
                values = self.constants(modulus)
                state.residues.update(zip(program.constants, values, strict=True))
            for _ in walk(program, state, self.multiplier.product):
                pass
        return state.residues["r"]

    def outcome(self, base: int, exponent: int, modulus: int) -> Outcome:
        """Give result and status, a status in place of an exception."""
        status = self.rules.status(base, exponent, modulus)
        if status is not Status.OK:
            return Outcome(0, status)
        return Outcome(self.power(base, exponent, modulus), Status.OK)
