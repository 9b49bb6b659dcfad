"""Parses conditions on design points such as ``area_um2 < 5000 and schedule = window*``."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import pandas as pd
import pyparsing as pp

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_EQUALITY = {"=", "==", "!="}

Mask = Callable[[pd.DataFrame], "pd.Series[bool]"]
"""Function that marks the rows that meet a condition."""


def matching(points: pd.DataFrame, condition: str) -> pd.DataFrame:
    """Select the rows that meet a condition. The condition is parsed, never executed.

    Comparisons are joined by ``and``, ``or``, ``not`` and parentheses. A column of texts is tested
    for equality, in which ``*`` stands for any characters and ``?`` for one. A comparison with an
    empty cell is false.
    """
    try:
        (mask,) = _grammar().parse_string(condition, parse_all=True)
    except pp.ParseException as error:
        rest = condition[error.loc :].strip() or "its end"
        raise ValueError(
            f"{condition!r} is not a condition, at {rest!r}: comparisons such as area_um2<5000, "
            "joined by and, or, not and parentheses, are allowed"
        ) from error
    return points[mask(points)]


@cache
def _grammar() -> pp.ParserElement:
    words = pp.one_of("and or not", as_keyword=True)
    column = ~words + pp.Word(pp.alphas + "_", pp.alphanums + "_")
    bare = ~words + pp.Word(pp.alphanums + "_*?.:=,-")
    number = pp.Regex(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?(?![\w*?:.])")
    number.set_parse_action(lambda tokens: float(tokens[0]))
    value = number | pp.QuotedString("'") | pp.QuotedString('"') | bare
    comparison = (column + pp.one_of(list(_COMPARE)) + value).set_parse_action(_comparison)
    levels: Any = [
        (pp.Keyword("not"), 1, pp.OpAssoc.RIGHT, _negation),
        (pp.Keyword("and"), 2, pp.OpAssoc.LEFT, _join(operator.and_)),
        (pp.Keyword("or"), 2, pp.OpAssoc.LEFT, _join(operator.or_)),
    ]
    return pp.infix_notation(comparison, levels)


def _comparison(tokens: Any) -> Mask:
    name, sign, value = tokens

    def mask(points: pd.DataFrame) -> pd.Series[bool]:
        if name not in points.columns:
            raise ValueError(f"column {name!r} is unknown; allowed: {', '.join(points.columns)}")
        cells = points[name]
        if pd.api.types.is_numeric_dtype(cells):
            if isinstance(value, str):
                raise ValueError(f"{name}{sign}{value}: {name} is a number")
            found = _COMPARE[sign](cells, value)
        elif sign not in _EQUALITY:
            raise ValueError(f"{name}{sign}{value}: {name} is a text; =, == and != are allowed")
        else:
            same = cells.map(lambda cell: fnmatchcase(str(cell), str(value)))
            found = ~same if sign == "!=" else same
        return found.fillna(False).astype(bool) & cells.notna()

    return mask


def _negation(tokens: Any) -> Mask:
    ((_, inner),) = tokens
    return lambda points: ~inner(points)


def _join(combine: Callable[[Any, Any], Any]) -> Callable[[Any], Mask]:
    def joined(tokens: Any) -> Mask:
        (operands,) = tokens
        first, *others = operands[::2]

        def mask(points: pd.DataFrame) -> pd.Series[bool]:
            found = first(points)
            for other in others:
                found = combine(found, other(points))
            return found

        return mask

    return joined
