"""Texts whose numbers and verdicts are computed: templates that ask for facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jinja2 import Environment, StrictUndefined

from eval.facts.quantities import find_quantity
from eval.facts.table import Facts
from eval.report.tables import merged, ranking

MISSING = "(not measured)"
"""Stands where a text asks for a figure that is not there."""


class Words:
    """Fills templates of a study.

    A template can call ``ours(subject, quantity, ...)`` and ``printed(subject, quantity, ...)`` for
    a figure in words, ``ratio(...)`` of two subjects, ``beside(...)`` for a ratio measured and
    printed, ``order(...)`` for a verdict on a ranking, ``met(...)`` for one on a clock constraint,
    ``span(...)`` for the range of a quantity, ``path(...)`` for the critical path. Conditions are
    keywords, as ``Facts.find`` has them.

    Parameters
    ----------
    facts : Facts
        What is asked.
    where : mapping
        What all that is asked has in common.
    """

    def __init__(self, facts: Facts, where: Mapping[str, Any] | None = None) -> None:
        self._facts = facts
        self._where = where or {}
        self._environment = Environment(undefined=StrictUndefined, autoescape=False)
        names = ("ours", "printed", "ratio", "beside", "order", "met", "span", "path", "exchanged")
        self._environment.globals.update({name: getattr(self, name) for name in names})

    def fill(self, text: str) -> str:
        """Text of a template, in one line."""
        return " ".join(self._environment.from_string(text).render().split())

    def _value(self, printed: bool, subject: str, quantity: str, where: Mapping[str, Any]) -> Any:
        asked = merged(self._where, {"subject": subject, "quantity": quantity}, where)
        return self._facts.value(asked, printed=printed)

    def ours(self, subject: str, quantity: str, **where: Any) -> str:
        """Give our figure, with its unit."""
        return _with_unit(quantity, self._value(False, subject, quantity, where))

    def printed(self, subject: str, quantity: str, **where: Any) -> str:
        """Give the printed figure, with its unit."""
        return _with_unit(quantity, self._value(True, subject, quantity, where))

    def ratio(
        self, one: str, other: str, quantity: str, *, printed: bool = False, **where: Any
    ) -> str:
        """Give how many times one subject's figure is the other's."""
        return _times(self._ratio(printed, one, other, quantity, where))

    def beside(self, one: str, other: str, quantity: str, **where: Any) -> str:
        """Give that ratio measured, and against the printed one."""
        ours, theirs = (self._ratio(x, one, other, quantity, where) for x in (False, True))
        if ours is None or theirs is None:
            return _times(ours)
        return (
            f"{ours:.2f} times (printed: {theirs:.2f}; {ours / theirs:.2f} times the printed one)"
        )

    def order(self, quantity: str, subjects: Sequence[str], **where: Any) -> str:
        """Rank subjects by a quantity, the least first, against the printed ranking."""
        theirs = {x: self._value(True, x, quantity, where) for x in subjects}
        ours = {x: self._value(False, x, quantity, where) for x in subjects}
        both = [x for x in subjects if None not in (ours[x], theirs[x])]
        if len(both) < 2:
            return MISSING
        measured, printed = (ranking({x: side[x] for x in both}) for side in (ours, theirs))
        if measured == printed:
            return f"{', '.join(measured)}: as printed"
        return f"{', '.join(measured)}; printed: {', '.join(printed)}"

    def met(self, *subjects: str, **where: Any) -> str:
        """Say how many subjects meet their clock constraint."""
        found = [self._value(False, x, "meets_clock", where) for x in subjects]
        known = [x for x in found if x is not None]
        if not known:
            return MISSING
        if sum(known) in (0, len(known)):
            return "all meet" if sum(known) else "none meets"
        return f"{sum(known):.0f} of {len(known)} meet"

    def span(self, subjects: Iterable[str], quantity: str, over: str = "", **where: Any) -> str:
        """Give least and greatest figure of some subjects, or of their ratios to another one."""
        found = [
            self._ratio(False, x, over, quantity, where)
            if over
            else self._value(False, x, quantity, where)
            for x in subjects
        ]
        known = [x for x in found if x is not None]
        if not known:
            return MISSING
        text: Callable[[Any], str] = (
            (lambda x: f"{x:.2f}") if over else find_quantity(quantity).text
        )
        ends = dict.fromkeys((text(min(known)), text(max(known))))
        return " to ".join(ends)

    def path(self, subject: str, **where: Any) -> str:
        """Describe the critical path, and what the document says of it."""
        ends = self.ours(subject, "critical_path", **where)
        delay = self.ours(subject, "critical_path_ns", **where)
        met = self._value(False, subject, "meets_clock", where)
        said = f"{delay} from {ends}, constraint {'met' if met else 'not met'}"
        printed = self._value(True, subject, "critical_path", {**where, "choices": {}})
        return f"{said} (printed: {printed})" if printed else said

    def exchanged(self, large: str, small: str, which: str, quantity: str) -> str:
        """Area of one design over another's, if one part of one of them were as printed."""
        sizes: dict[str, list[float]] = {}
        for name in (large, small):
            quantities = ("multiplier_area_um2", "multipliers", "rest_area_um2")
            values = [self._value(name == which and x == quantity, name, x, {}) for x in quantities]
            if None in values:
                return MISSING
            sizes[name] = values
        areas = {name: each * count + rest for name, (each, count, rest) in sizes.items()}
        return f"{areas[large] / areas[small]:.2f}"

    def _ratio(
        self, printed: bool, one: str, other: str, quantity: str, where: Mapping[str, Any]
    ) -> float | None:
        values = [self._value(printed, x, quantity, where) for x in (one, other)]
        return None if None in values or not values[1] else values[0] / values[1]


def _with_unit(quantity: str, value: Any) -> str:
    found = find_quantity(quantity)
    if value is None:
        return MISSING
    return f"{found.text(value)} {found.unit}".strip()


def _times(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2f} times"
