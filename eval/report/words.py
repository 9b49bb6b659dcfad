"""Texts whose numbers and verdicts are computed: templates that ask for facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jinja2 import Environment, StrictUndefined

from eval.facts.fact import PRINTED, Fact
from eval.facts.quantities import Quantity, find_quantity
from eval.facts.table import Facts
from eval.report.spec import Column, Where
from eval.report.tables import merged, ranking

MISSING = "(not measured)"
"""Stands where a text asks for a figure that is not there."""

Subject = str | Column
"""A subject's name, or all conditions of a column."""

_ONCE: Sequence[Where] = ({},)
_LEAST_DIGITS = 2


class Words:
    """Fills templates of a study.

    A template can call ``ours(subject, quantity, ...)`` and ``printed(subject, quantity, ...)`` for
    a figure in words, ``ratio(...)`` of two subjects, ``beside(...)`` for a ratio measured and
    printed, ``order(...)`` for a verdict on a ranking, ``met(...)`` for one on a clock constraint,
    ``span(...)`` for the range of a quantity, ``path(...)`` for the critical path. Conditions are
    keywords, as ``Facts.find`` has them. What writes tables itself (``eval.readme``) has ``value``,
    ``cell``, ``quotient`` and ``quotients``, ``over_printed``, ``ranked`` and ``inversions``, too.

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
        fact = self._fact(printed, subject, quantity, where)
        return fact and fact.value

    def _fact(
        self,
        printed: bool,
        subject: Subject,
        quantity: str,
        *wheres: Where,
        instead: Where | None = None,
    ) -> Fact | None:
        column = subject
        if isinstance(column, str):
            column = Column(column, {"subject": column})
        asked = merged(self._where, column.where, {"quantity": quantity}, *wheres)
        if printed:
            asked |= {**column.printed, **(instead or {})}
        return self._facts.find(asked, printed=printed)

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

    def value(self, subject: Subject, quantity: str, *, printed: bool = False, **where: Any) -> Any:
        """Give a figure as a number."""
        fact = self._fact(printed, subject, quantity, where)
        return fact and fact.value

    def cell(
        self,
        subject: Subject,
        quantity: str,
        points: Sequence[Where] = _ONCE,
        printed: Where | None = None,
        digits: int | None = None,
        **where: Any,
    ) -> str:
        """Give figures as ``1,033 / 2,239 (3,523 / 8,148)``, each once.

        Parameters
        ----------
        points : sequence of mapping
            What the figures differ in.
        printed : mapping, optional
            What is otherwise for the printed figures, which stand in parentheses; none without it.
        digits : int, optional
            After the point, where it is not the quantity's.
        """
        found = find_quantity(quantity)
        ours = dict.fromkeys(self._fact(False, subject, quantity, where, x) for x in points)
        text = " / ".join(found.text(x.value, digits) if x else MISSING for x in ours)
        if printed is None:
            return text
        theirs = dict.fromkeys(
            self._fact(True, subject, quantity, where, x, instead=printed) for x in points
        )
        shown = (_printed_text(found, digits, x) if x else MISSING for x in theirs)
        return f"{text} ({' / '.join(shown)})"

    def quotient(
        self,
        one: Subject,
        other: Subject,
        quantity: str,
        points: Sequence[Where] = _ONCE,
        printed: Where | None = None,
        digits: int = 2,
        times: float = 1,
        **where: Any,
    ) -> str:
        """Give one subject's figures over another's as ``cell`` does, ``times`` 100 in percent."""

        def text(instead: Where | None) -> str:
            found = self.quotients(one, other, quantity, points, instead, **where)
            return " / ".join(MISSING if x is None else f"{times * x:,.{digits}f}" for x in found)

        return text(None) if printed is None else f"{text(None)} ({text(printed)})"

    def quotients(
        self,
        one: Subject,
        other: Subject,
        quantity: str,
        points: Sequence[Where] = _ONCE,
        printed: Where | None = None,
        **where: Any,
    ) -> list[float | None]:
        """Give one subject's figures over another's; the printed ones with ``printed``."""
        found = []
        for point in points:
            x, y = (
                self._fact(printed is not None, z, quantity, where, point, instead=printed)
                for z in (one, other)
            )
            found.append(float(x.value) / float(y.value) if x and y else None)
        return found

    def over_printed(
        self,
        subjects: Iterable[Subject],
        quantity: str,
        points: Sequence[Where] = _ONCE,
        **where: Any,
    ) -> list[float]:
        """Give our figures over the printed ones, without those that either side lacks."""
        pairs = (
            [self._fact(printed, subject, quantity, where, x) for printed in (False, True)]
            for subject in subjects
            for x in points
        )
        return [float(x.value) / float(y.value) for x, y in pairs if x and y]

    def ranked(self, subjects: Sequence[Column], quantity: str, **where: Any) -> list[Column]:
        """Sort subjects by a quantity, the least first, without those that have none."""
        values = {x.key: self.value(x, quantity, **where) for x in subjects}
        return [x for key in ranking(values) for x in subjects if x.key == key]

    def inversions(
        self, subjects: Sequence[str], quantity: str, points: Sequence[Where] = _ONCE, **where: Any
    ) -> list[tuple[str, str]]:
        """Pairs of which the first has less than the second here at any point, and not in print."""
        found: dict[tuple[str, str], None] = {}
        for point in points:
            both = {**where, **point}
            ours, theirs = (
                {x: self._value(printed, x, quantity, both) for x in subjects}
                for printed in (False, True)
            )
            known = [x for x in subjects if None not in (ours[x], theirs[x])]
            found |= {
                (x, y): None
                for x in known
                for y in known
                if ours[x] < ours[y] and theirs[x] > theirs[y]
            }
        return list(found)

    def _ratio(
        self, printed: bool, one: str, other: str, quantity: str, where: Mapping[str, Any]
    ) -> float | None:
        values = [self._value(printed, x, quantity, where) for x in (one, other)]
        return None if None in values or not values[1] else values[0] / values[1]


def _printed_text(quantity: Quantity, digits: int | None, fact: Fact) -> str:
    """Write a printed figure with no more digits than ours, and what follows with two."""
    if not isinstance(fact.value, float):
        return f"{fact.value:,}" if isinstance(fact.value, int) else fact.value
    own = len(str(fact.value).partition(".")[2]) if fact.kind == PRINTED else 0
    most = quantity.digits if digits is None else digits
    return quantity.text(fact.value, min(most, max(own, _LEAST_DIGITS)))


def _with_unit(quantity: str, value: Any) -> str:
    found = find_quantity(quantity)
    if value is None:
        return MISSING
    return f"{found.text(value)} {found.unit}".strip()


def _times(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2f} times"
