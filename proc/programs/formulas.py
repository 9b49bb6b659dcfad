"""Writes the table by which an accelerator's driver computes the constants of the modulus.

Each operation of a formula is a step, executed by a function in ``constants.c`` or, for two halves,
which are secret, in ``half_constants.c``, whose time depends on lengths only. Shared operations are
computed once. Values are exact integers for every modulus from 1 on; formulas without a function in
C are refused.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from struct import pack

from rsaxcel.circuit import Halves, ModulusConstant
from rsaxcel.plan.halves import OfHalf, Recombination
from rsaxcel.plan.modulus_constants import (
    Formula,
    NegatedInverse,
    PowerOfTwo,
    ProductOf,
    Reciprocal,
    Remainder,
)
from rsaxcel.proc.isa import MEMORY_NBYTES

_MAX_WORDS = 128
_MAX_NUMBER_WORDS = 4 * _MAX_WORDS
_MAX_NBYTES = MEMORY_NBYTES // 2
_WORD_NBITS = 32
_WORD_NBYTES = 4
_EXPONENT_LIMIT = 1 << 32


class _Operation(IntEnum):
    """Operations of steps, as ``constants.h`` numbers them."""

    PUT = 0
    POWER_OF_TWO = 1
    RECIPROCAL = 2
    NEGATED_INVERSE = 3
    PRODUCT_OF = 4
    REMAINDER_OF = 5
    CHOOSE_HALF = 6
    RECOMBINATION = 7


@dataclass(frozen=True)
class _Step:
    """``struct step`` of ``constants.h``: an operation, and its factors by their steps' indices."""

    operation: _Operation
    number: int = 0
    factors: tuple[int, ...] = ()
    words: int = 0


_STEP_NBYTES = 7 * _WORD_NBYTES
_HEADER_NBYTES = 9 * _WORD_NBYTES


@dataclass(frozen=True)
class DriverFormulas:
    """The steps that compute a driver's constants: ``struct formulas`` of ``constants.h``."""

    halves: Halves | None  #: layout of the halves of the modulus
    count: int  #: number of constants
    least_each: int  #: words of the widest constant
    steps: Sequence[_Step]  #: steps in the order of their execution

    def data(self, start: int, constants: int, constant_words: int, on_bus: bool) -> bytes:
        """Return the table, which starts at address ``start``, for a driver.

        ``constants`` and ``constant_words`` are addresses of the space for constants, behind which
        steps have theirs, and of the variable with their length.
        """
        of_halves = (0, 0, 0)
        if x := self.halves:
            above = x.exponents_nbits - x.joined_nbits
            of_halves = (above, _words(x.padded_nbits), x.nbits)
        header = (on_bus, *of_halves, constants, constant_words, self.count, self.least_each)
        words = [*header, len(self.steps)]
        space = constants + _WORD_NBYTES * self.count * _most_each(self.least_each)
        for step in self.steps:
            places = [start + _HEADER_NBYTES + _STEP_NBYTES * i for i in step.factors]
            a, b = (*places, 0, 0)[:2]
            words += (step.operation, step.number, a, b, space, 0, 0)
            space += _WORD_NBYTES * step.words
        return pack(f"<{len(words)}I", *words)


def table_of(constants: Sequence[ModulusConstant]) -> DriverFormulas:
    """Return the table that computes constants, in the driver's order.

    A power of two whose exponent has 33 to 64 bits is computed modulo m, from two smaller powers.
    ``ValueError`` for unknown operations, or values that do not fit.
    """
    steps = _Steps()
    halves = halves_of(constants)
    for constant in constants:
        try:
            if halves and not isinstance(constant.formula, _OF_HALVES):
                raise ValueError(f"{constant.formula}: the modulus consists of two halves")
            steps.put(constant)
        except ValueError as error:
            raise ValueError(f"constant {constant.name}: {error}") from error
    least_each = max((_words(constant.nbits) for constant in constants), default=1)
    words = sum(x.words for x in steps.found) + len(constants) * _most_each(least_each)
    if words * _WORD_NBYTES > _MAX_NBYTES:
        raise ValueError(
            f"{len(constants)} constants: the host needs {words * _WORD_NBYTES} bytes of "
            f"memory to compute them; {_MAX_NBYTES} are allowed"
        )
    return DriverFormulas(halves, len(constants), least_each, steps.found)


def _most_each(least_each: int) -> int:
    return max(_MAX_WORDS + 1, least_each)


_OF_HALVES = (OfHalf, Recombination)  #: formulas for a modulus that consists of two halves


def halves_of(constants: Iterable[ModulusConstant]) -> Halves | None:
    """Layout of the halves whose constants are among ``constants``, if any."""
    return next((c.formula.halves for c in constants if isinstance(c.formula, _OF_HALVES)), None)


class _Steps:
    """Steps that compute formulas, each formula once."""

    def __init__(self) -> None:
        self.found: list[_Step] = []
        self._results: dict[Formula, int] = {}

    def put(self, constant: ModulusConstant) -> None:
        """Append steps that compute a constant and write it to its place in the output."""
        longest = _WORD_NBITS * _MAX_NUMBER_WORDS
        if not 1 <= constant.nbits <= longest:
            raise ValueError(f"{constant.nbits} bits wide: 1 to {longest} are allowed")
        result = self._result(constant.formula)
        self.found.append(_Step(_Operation.PUT, constant.nbits, (result,)))

    def _result(self, formula: Formula) -> int:
        """Return the index of a formula's step; append steps if the formula has none."""
        formula = formula.for_host or formula
        if formula not in self._results:
            self._results[formula] = self._compute(formula)
        return self._results[formula]

    def _compute(self, formula: Formula) -> int:
        match formula:
            case OfHalf(PowerOfTwo(exponent), half, halves):
                _check_range("exponent", exponent, 0, _EXPONENT_LIMIT - 1)
                self.found.append(_Step(_Operation.CHOOSE_HALF, half))
                words = _words(halves.padded_nbits)
                return self._step(formula, _Operation.POWER_OF_TWO, words, exponent)
            case Recombination(exponent, halves):
                _check_range("exponent", exponent, halves.nbits, _EXPONENT_LIMIT // 2)
                words = _words(halves.padded_nbits)
                return self._step(formula, _Operation.RECOMBINATION, words, exponent)
            case PowerOfTwo(exponent) if _EXPONENT_LIMIT <= exponent < _EXPONENT_LIMIT**2:
                half = exponent // 2
                square = ProductOf(PowerOfTwo(half), PowerOfTwo(exponent - half))
                return self._result(Remainder(square))
            case PowerOfTwo(exponent):
                _check_range("exponent", exponent, 0, _EXPONENT_LIMIT**2 - 1)
                return self._step(formula, _Operation.POWER_OF_TWO, _MAX_WORDS, exponent)
            case Reciprocal(exponent):
                _check_range("exponent", exponent, 0)
                return self._step(formula, _Operation.RECIPROCAL, _words(exponent + 1), exponent)
            case NegatedInverse(nbits):
                _check_range("number of bits", nbits, 1)
                return self._step(formula, _Operation.NEGATED_INVERSE, _words(nbits), nbits)
            case ProductOf(a, b):
                both = (self._result(a), self._result(b))
                words = sum(self.found[i].words for i in both)
                return self._step(formula, _Operation.PRODUCT_OF, words, 0, *both)
            case Remainder(of):
                inner = self._result(of)
                words = min(self.found[inner].words, _MAX_WORDS)
                return self._step(formula, _Operation.REMAINDER_OF, words, 0, inner)
        raise ValueError(f"{formula}: the host has no such operation")

    def _step(
        self, formula: Formula, operation: _Operation, words: int, number: int, *factors: int
    ) -> int:
        if words > _MAX_NUMBER_WORDS:
            bits = (
                f"up to {_WORD_NBITS * words} bits, {_WORD_NBITS * _MAX_NUMBER_WORDS} are allowed"
            )
            raise ValueError(f"{formula} is too long for the host: {bits}")
        self.found.append(_Step(operation, number, factors, words))
        return len(self.found) - 1


def _words(nbits: int) -> int:
    return -(-nbits // _WORD_NBITS)


def _check_range(what: str, value: int, least: int, most: int | None = None) -> None:
    if value < least or (most is not None and value > most):
        allowed = f"{least} or more is" if most is None else f"{least} to {most} are"
        raise ValueError(f"{what} {value}: {allowed} allowed")
