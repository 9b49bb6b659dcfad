"""Boolean functions of cell pins: read from Liberty expressions, with their probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from rsaxcel.flow.errors import PowerError

if TYPE_CHECKING:
    import pyparsing as pp

_MOST_PINS = 16  #: most pins of a function: its table has 2**16 values
_LONGEST = 10_000


@dataclass(frozen=True, eq=False)
class BooleanFunction:
    """A function of named pins, stored as a truth table."""

    pins: tuple[str, ...]  #: sorted, one per axis of the table
    table: np.ndarray  #: shape `(2,) * len(pins)`; indices are the pins' values

    @classmethod
    def constant(cls, value: bool) -> BooleanFunction:
        return cls((), np.array(bool(value)))

    @classmethod
    def variable(cls, pin: str) -> BooleanFunction:
        return cls((pin,), np.array([False, True]))

    @classmethod
    def parse(cls, text: str) -> BooleanFunction:
        """Read a Liberty expression; ``PowerError`` if it is none.

        Operators: `!A` and `A'` (not), `^` (exclusive or), `&`, `*` and a blank (and), `|` and `+`
        (or).
        """
        if len(text) > _LONGEST:
            raise PowerError(f"a function of more than {_LONGEST} characters")
        return _parse(text.strip())

    def __invert__(self) -> BooleanFunction:
        return BooleanFunction(self.pins, ~self.table)

    def __and__(self, other: BooleanFunction) -> BooleanFunction:
        return self._combine(np.logical_and, other)

    def __or__(self, other: BooleanFunction) -> BooleanFunction:
        return self._combine(np.logical_or, other)

    def __xor__(self, other: BooleanFunction) -> BooleanFunction:
        return self._combine(np.logical_xor, other)

    def restrict(self, values: Mapping[str, bool]) -> BooleanFunction:
        """Return the function with the given pins fixed to the given values."""
        index = tuple(int(values[p]) if p in values else slice(None) for p in self.pins)
        pins = tuple(p for p in self.pins if p not in values)
        return BooleanFunction(pins, np.asarray(self.table[index]))

    def substitute(self, pin: str, function: BooleanFunction) -> BooleanFunction:
        """Return the function with a pin replaced by a function of other pins."""
        if pin not in self.pins:
            return self
        high, low = self.restrict({pin: True}), self.restrict({pin: False})
        return (function & high) | (~function & low)

    @property
    def values(self) -> list[bool]:
        return [bool(x) for x in self.table.flat]

    def sensitised(self, pin: str) -> tuple[BooleanFunction, BooleanFunction]:
        """Return the conditions under which the function follows, or inverts, a pin."""
        one, zero = self.restrict({pin: True}), self.restrict({pin: False})
        return one & ~zero, ~one & zero

    def probability(self, high: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return the probability that the function is 1, if the pins are independent."""
        total: np.ndarray = np.zeros(())
        for assignment in np.argwhere(self.table):
            term: np.ndarray = np.ones(())
            for pin, value in zip(self.pins, assignment, strict=True):
                term = term * (high[pin] if value else 1.0 - high[pin])
            total = total + term
        return total

    def _combine(self, operation: np.ufunc, other: BooleanFunction) -> BooleanFunction:
        pins = tuple(sorted(set(self.pins) | set(other.pins)))
        if len(pins) > _MOST_PINS:
            raise PowerError(f"a function of more than {_MOST_PINS} pins")
        return BooleanFunction(pins, operation(self._spread(pins), other._spread(pins)))

    def _spread(self, pins: tuple[str, ...]) -> np.ndarray:
        """Return the table with one axis per name in `pins`, a sorted superset of `self.pins`."""
        missing = [axis for axis, pin in enumerate(pins) if pin not in self.pins]
        return np.broadcast_to(np.expand_dims(self.table, missing), (2,) * len(pins))


@cache
def _grammar() -> pp.ParserElement:
    """Build the Liberty grammar; the tightest-binding operator comes first."""
    import pyparsing as pp  # a slow import, and a stored library needs no parser

    pin = pp.Word(pp.alphas + "_", pp.alphanums + "_[]")
    pin.set_parse_action(lambda t: BooleanFunction.variable(t[0]))
    bit = pp.one_of("0 1").set_parse_action(lambda t: BooleanFunction.constant(t[0] == "1"))

    def inverted(tokens: pp.ParseResults) -> BooleanFunction:
        (operand,) = (t for t in tokens[0] if isinstance(t, BooleanFunction))
        odd = sum(not isinstance(t, BooleanFunction) for t in tokens[0]) % 2
        return ~operand if odd else operand

    def folded(operation: str):
        def fold(tokens: pp.ParseResults) -> BooleanFunction:
            operands = [t for t in tokens[0] if isinstance(t, BooleanFunction)]
            result = operands[0]
            for operand in operands[1:]:
                result = getattr(result, operation)(operand)
            return result

        return fold

    left, right = pp.OpAssoc.LEFT, pp.OpAssoc.RIGHT
    return pp.infix_notation(
        pin | bit,
        [
            (pp.Literal("'"), 1, left, inverted),
            (pp.Literal("!"), 1, right, inverted),
            (pp.Literal("^"), 2, left, folded("__xor__")),
            (pp.one_of("& *"), 2, left, folded("__and__")),
            (None, 2, left, folded("__and__")),
            (pp.one_of("| +"), 2, left, folded("__or__")),
        ],
    )


@cache
def _parse(text: str) -> BooleanFunction:
    from pyparsing import ParseException

    try:
        return _grammar().parse_string(text, parse_all=True)[0]
    except ParseException as error:
        shown = text if len(text) <= 100 else f"{text[:100]}..."
        raise PowerError(f"not a Liberty expression: {shown!r}") from error
