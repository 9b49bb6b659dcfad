"""Functional model of every exponentiator: its programs, run on integers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fl.multipliers.contract import Multiplier
from fl.status import InputRuleError, InputRules, Status
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
    host_constants : tuple of str
        Constants of the modulus that come with the request.
    """

    rules: InputRules
    programs: tuple[Program, ...]
    multiplier: Multiplier
    constants: Callable[[int], tuple[int, ...]] | None = None
    host_constants: tuple[str, ...] = ()

    def host_values(self, modulus: int) -> tuple[int, ...]:
        """Constants that the host supplies; zeros for a modulus that is refused anyway."""
        try:
            self.rules.check_modulus(modulus)
        except InputRuleError:
            return (0,) * len(self.host_constants)
        return tuple(self.multiplier.constant(name).value(modulus) for name in self.host_constants)

    def begin(self, base: int, exponent: int, modulus: int, constants: Sequence[int] = ()) -> State:
        """State before the first program.

        Parameters
        ----------
        base, exponent, modulus : int
            Operands inside the input rules.
        constants : sequence of int
            Those that the host supplies; computed here where there are none.
        """
        values = constants or self.host_values(modulus)
        supplied = dict(zip(self.host_constants, values, strict=True))
        return State(modulus, exponent, {"b": base, **supplied})

    def power(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> int:
        """base**exponent mod modulus.

        Parameters
        ----------
        base, exponent, modulus : int
            Operands.
        constants : sequence of int
            Those that the host supplies; computed here where there are none.
        missing : bool
            The host has not supplied them.

        Raises
        ------
        InputRuleError
            If an operand breaks an input rule, or constants are missing.
        """
        self.rules.check(base, exponent, modulus, missing)
        state = self.begin(base, exponent, modulus, constants)
        for program in self.programs:
            if program.constants:
                values = self.constants(modulus)
                state.residues.update(zip(program.constants, values, strict=True))
            for _ in walk(program, state, self.multiplier.product):
                pass
        return self.multiplier.settle(state.residues["r"], modulus)

    def outcome(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> Outcome:
        """Give result and status, a status in place of an exception; operands as ``power``."""
        try:
            return Outcome(self.power(base, exponent, modulus, constants, missing), Status.OK)
        except InputRuleError as error:
            return Outcome(0, error.status)
