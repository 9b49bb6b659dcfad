"""Writes C code by which an accelerator's driver computes the constants of the modulus.

Each operation of a formula becomes a call of a function in ``constants.c``, or, for a modulus of
two halves, which are secret, in ``half_constants.c``, whose time depends on lengths only. An
operation that several constants share is computed once. For every modulus from 1 on, all values are
exact integers: the C code reserves space for the greatest length of each value. Formulas without a
function in C are refused.
"""

from collections.abc import Iterable, Sequence

from plan.halves import Halves, OfHalf, Recombination
from plan.modulus_constants import (
    Formula,
    ModulusConstant,
    NegatedInverse,
    PowerOfTwo,
    ProductOf,
    Reciprocal,
    Remainder,
)
from proc.isa import MEMORY_NBYTES

SOURCE_NAME = "formulas.c"
_MAX_WORDS = 128
_MAX_NUMBER_WORDS = 4 * _MAX_WORDS
_MAX_NBYTES = MEMORY_NBYTES // 2
_WORD_NBITS = 32
_EXPONENT_LIMIT = 1 << 32

_SOURCE = """\
/* Written by formulas.py for one accelerator's constants. */
#include "constants.h"
#include "words.h"

_Static_assert(MAX_WORDS == {max_words} && MAX_NUMBER_WORDS == {max_number_words},
               "formulas.py has other limits");

/* The linker script defines the symbol constants: the start of this section. */
uint32_t constants_space[{count} * {most_each}] __attribute__((section(".bss.constants")));

{spaces}

uint32_t compute_constants(uint32_t *place, const struct operands *operands,
                           uint32_t accelerator_words)
{{
  uint32_t each = accelerator_words + 1 < {least_each} ? {least_each} : accelerator_words + 1;
  uint32_t words = {count} * each;
  clear(place, words);
{begin}
{calls}
  return words;
}}
"""


def source_of(constants: Sequence[ModulusConstant]) -> str:
    """Return the C source of the function ``compute_constants`` (declared in ``constants.h``).

    A power of two whose exponent has 33 to 64 bits is computed modulo m, from two smaller powers.

    Parameters
    ----------
    constants : sequence of ModulusConstant
        The constants, in the order in which the driver sends them to the accelerator.

    Raises
    ------
    ValueError
        If a formula has an unknown operation or an exponent out of range, an intermediate value is
        too long, a constant is wider than its space, or the constants need too much memory.
    """
    calls = _Calls()
    halves = halves_of(constants)
    for position, constant in enumerate(constants):
        try:
            if halves and not isinstance(constant.formula, _OF_HALVES):
                raise ValueError(f"{constant.formula}: the modulus consists of two halves")
            calls.put(position, constant)
        except ValueError as error:
            raise ValueError(f"constant {constant.name}: {error}") from error
    least_each = max((_words(constant.nbits) for constant in constants), default=1)
    most_each = max(_MAX_WORDS + 1, least_each)
    words = sum(calls.spaces) + len(constants) * most_each
    if words * _WORD_NBITS // 8 > _MAX_NBYTES:
        raise ValueError(
            f"{len(constants)} constants: the host needs {words * _WORD_NBITS // 8} bytes of "
            f"memory to compute them; {_MAX_NBYTES} are allowed"
        )
    return _SOURCE.format(
        max_words=_MAX_WORDS,
        max_number_words=_MAX_NUMBER_WORDS,
        count=len(constants),
        least_each=least_each,
        most_each=most_each,
        spaces="\n".join(f"static uint32_t space_{i}[{n}];" for i, n in enumerate(calls.spaces)),
        begin="\n".join(f"  {line}" for line in _begin(halves)),
        calls="\n".join(f"  {line}" for line in calls.lines),
    )


_OF_HALVES = (OfHalf, Recombination)
"""Formulas for a modulus that consists of two halves."""


def halves_of(constants: Iterable[ModulusConstant]) -> Halves | None:
    """Layout of the halves whose constants are among ``constants``; None: there are no halves."""
    return next((c.formula.halves for c in constants if isinstance(c.formula, _OF_HALVES)), None)


def _begin(halves: Halves | None) -> tuple[str, ...]:
    """Lines of C that leave all constants 0 if the accelerator will refuse the modulus."""
    fits = "choose_modulus(operands, accelerator_words)"
    if halves:
        fits = f"halves_fit(operands, {_words(halves.padded_nbits)}, {halves.nbits})"
    return (f"if (!{fits})", "  return words;")


class _Calls:
    """Lines of C that compute formulas by calls, each formula once, with space for each result.

    Attributes
    ----------
    spaces : list of int
        Greatest length in words of each result, by the result's index.
    lines : list of str
        The lines of C.
    """

    def __init__(self) -> None:
        self.spaces: list[int] = []
        self.lines: list[str] = []
        self._results: dict[Formula, int] = {}

    def put(self, position: int, constant: ModulusConstant) -> None:
        """Append lines that compute a constant and write it to its place in the output."""
        longest = _WORD_NBITS * _MAX_NUMBER_WORDS
        if not 1 <= constant.nbits <= longest:
            raise ValueError(f"{constant.nbits} bits wide: 1 to {longest} are allowed")
        result = self._result(constant.formula)
        arguments = f"place + {position} * each, each, number_{result}, {constant.nbits}"
        self.lines += (f"if (!put_constant({arguments}))", "  return 0;")

    def _result(self, formula: Formula) -> int:
        """Return the index of a formula's result; append lines to compute it if there are none."""
        if formula not in self._results:
            self._results[formula] = self._compute(formula)
        return self._results[formula]

    def _compute(self, formula: Formula) -> int:
        match formula:
            case OfHalf(PowerOfTwo(exponent), half, halves):
                _check_range("exponent", exponent, 0, _EXPONENT_LIMIT - 1)
                words = _words(halves.padded_nbits)
                self.lines.append(f"choose_half(operands, {half}, {words});")
                return self._call(formula, "power_of_two", f"{exponent}u", words)
            case Recombination(exponent, halves):
                _check_range("exponent", exponent, halves.nbits, _EXPONENT_LIMIT // 2)
                words = _words(halves.padded_nbits)
                arguments = f"operands, {words}, {exponent}u"
                return self._call(formula, "recombination", arguments, words)
            case PowerOfTwo(exponent) if _EXPONENT_LIMIT <= exponent < _EXPONENT_LIMIT**2:
                half = exponent // 2
                square = ProductOf(PowerOfTwo(half), PowerOfTwo(exponent - half))
                return self._result(Remainder(square))
            case PowerOfTwo(exponent):
                _check_range("exponent", exponent, 0, _EXPONENT_LIMIT**2 - 1)
                return self._call(formula, "power_of_two", f"{exponent}u", _MAX_WORDS)
            case Reciprocal(exponent):
                _check_range("exponent", exponent, 0)
                words = _words(exponent + 1)
                return self._call(formula, "reciprocal", f"{exponent}u", words)
            case NegatedInverse(nbits):
                _check_range("number of bits", nbits, 1)
                words = _words(nbits)
                return self._call(formula, "negated_inverse", f"{nbits}u", words)
            case ProductOf(a, b):
                both = (self._result(a), self._result(b))
                words = sum(self.spaces[i] for i in both)
                arguments = ", ".join(f"number_{i}" for i in both)
                return self._call(formula, "product_of", arguments, words)
            case Remainder(of):
                inner = self._result(of)
                words = min(self.spaces[inner], _MAX_WORDS)
                return self._call(formula, "remainder_of", f"number_{inner}", words)
        raise ValueError(f"{formula}: the host has no such operation")

    def _call(self, formula: Formula, function: str, arguments: str, words: int) -> int:
        if words > _MAX_NUMBER_WORDS:
            bits = (
                f"up to {_WORD_NBITS * words} bits, {_WORD_NBITS * _MAX_NUMBER_WORDS} are allowed"
            )
            raise ValueError(f"{formula} is too long for the host: {bits}")
        number = len(self.spaces)
        self.spaces.append(words)
        self.lines += (
            f"/* {formula} */",
            f"struct number number_{number} = {function}(space_{number}, {arguments});",
        )
        return number


def _words(nbits: int) -> int:
    return -(-nbits // _WORD_NBITS)


def _check_range(what: str, value: int, least: int, most: int | None = None) -> None:
    if value < least or (most is not None and value > most):
        allowed = f"{least} or more is" if most is None else f"{least} to {most} are"
        raise ValueError(f"{what} {value}: {allowed} allowed")
