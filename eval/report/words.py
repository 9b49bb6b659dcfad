"""Fills templates of texts with figures and comparisons from facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from jinja2 import Environment, StrictUndefined
from jinja2.meta import find_undeclared_variables

from rsaxcel.eval.facts.fact import PRINTED, Fact
from rsaxcel.eval.facts.quantities import Quantity, compared, enough_digits, find_quantity
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.names import subject_label
from rsaxcel.eval.report.spec import Column, Where
from rsaxcel.eval.report.tables import merged
from rsaxcel.flow.layout import PLACED, SYNTHESIZED

_MOST_NAMED = 12
_ALIKE = 0.0005


@dataclass(frozen=True)
class Near:
    """Ratios of a measured figure to the printed one: as synthesized, and as placed."""

    synthesized: float
    placed: float

    @property
    def approach(self) -> float:
        """How far placement brings the figure nearer to print, in logarithms of the ratios."""
        return abs(log(self.synthesized)) - abs(log(self.placed))


def nearness(found: Sequence[Near]) -> str:
    """Text that counts the figures that placement brings nearer to print, and the others."""
    nearer = sum(x.approach > _ALIKE for x in found)
    farther = [x for x in found if x.approach < -_ALIKE]
    alike = len(found) - nearer - len(farther)
    counts = {"nearer to print as placed": nearer, "as near": alike, "farther": len(farther)}
    told = ", ".join(f"{words}: {count}" for words, count in counts.items() if count)
    text = f"Figures and ratios: {len(found)}; {told}"
    if not farther:
        return f"{text}."
    above = sum(x.synthesized > 1 and x.placed > x.synthesized for x in farther)
    return f"{text}, of which above print as synthesized, and larger as placed: {above}."


def distances(found: Sequence[Near]) -> str:
    """Text on the ratios to print at each stage, and how many figures placement brings nearer."""
    nearer = sum(x.approach > _ALIKE for x in found)
    ranges = [
        " to ".join(dict.fromkeys(f"{end(ratios):.2f}" for end in (min, max)))
        for ratios in ([x.synthesized for x in found], [x.placed for x in found])
    ]
    counted = f"{nearer} of {len(found)} nearer"
    return f"{ranges[0]} of print as synthesized, {ranges[1]} as placed, {counted}"


def moved(before: Mapping[str, float], after: Mapping[str, float]) -> str:
    """Text on the subjects whose place in a ranking changes, the least figure first."""
    both = [x for x in before if x in after]
    places = [
        {name: number for number, name in enumerate(sorted(both, key=figures.__getitem__), 1)}
        for figures in (before, after)
    ]
    first, second = places
    changed = sorted((x for x in both if first[x] != second[x]), key=second.__getitem__)
    if not changed:
        return f"none of {len(both)} changes its place"
    shown = changed[:_MOST_NAMED]
    listed = ", ".join(f"{x} from {first[x]} to {second[x]}" for x in shown)
    more = f", and {len(changed) - len(shown)} others" if len(changed) > len(shown) else ""
    return f"{len(changed)} of {len(both)} change their places: {listed}{more}"


MISSING = "(not measured)"  #: text in place of a figure that was not measured

Subject = str | Column  #: name of a subject, or a column with all its conditions

Named = tuple[str, Mapping[str, Any]]  #: name of a subject, and its choices

#: Figures to compare with print: quantity, subjects, divisor subject (or None), operation (or
#: empty).
Request = tuple[str, Sequence[Named], Named | None, str]

_ONCE: Sequence[Where] = ({},)
#: Values of the parameter ``printed`` of the methods: None for measured figures, and a mapping
#: without further conditions for printed figures.
_SIDES: Sequence[Where | None] = (None, {})
_LEAST_DIGITS = 2
_IN_TEXTS = (
    "ours",
    "printed",
    "ratio",
    "times",
    "beside",
    "order",
    "met",
    "path",
    "exchanged",
    "activities",
    "nearness",
    "distances",
    "between_stages",
    "moved",
)


class FigureWords:
    """Fills the templates of a study's texts with figures.

    With ``printed`` None, figures are measured ones; a mapping has the conditions that differ for
    printed facts (``{}``: none). A text has a figure for each of the conditions ``points``. Other
    keywords are conditions common to all figures, see ``Facts.find``.
    """

    def __init__(self, facts: Facts, where: Mapping[str, Any] | None = None) -> None:
        self._facts = facts
        self._where = where or {}
        self._environment = Environment(undefined=StrictUndefined, autoescape=False)
        self._environment.globals.update({name: getattr(self, name) for name in _IN_TEXTS})

    def fill(self, text: str) -> str:
        """Fill a template, and return the text in one line."""
        return " ".join(self._environment.from_string(text).render().split())

    def check(self, text: str) -> None:
        """Raise ``ValueError`` if a template uses a name that is not one of the functions."""
        unknown = find_undeclared_variables(self._environment.parse(text))
        for name in sorted(unknown - self._environment.globals.keys()):
            raise ValueError(f"{name} is unknown; allowed: {', '.join(_IN_TEXTS)}")

    def _fact(
        self, subject: Subject, quantity: str, *wheres: Where, printed: Where | None = None
    ) -> Fact | None:
        """Find a fact; ``ValueError`` if the quantity is not declared."""
        find_quantity(quantity)
        column = Column(subject, {"subject": subject}) if isinstance(subject, str) else subject
        asked = merged(self._where, column.where, {"quantity": quantity}, *wheres)
        if printed is None:
            return self._facts.find(asked, printed=False)
        return self._facts.find(asked | {**column.printed, **printed}, printed=True)

    def value(
        self, subject: Subject, quantity: str, printed: Where | None = None, **where: Any
    ) -> Any:
        fact = self._fact(subject, quantity, where, printed=printed)
        return fact and fact.value

    def _known(
        self, subjects: Iterable[str], quantity: str, where: Where, printed: Where | None = None
    ) -> dict[str, Any]:
        """Values of a figure by subject, without subjects that lack it."""
        found = {x: self.value(x, quantity, printed, **where) for x in subjects}
        return {x: value for x, value in found.items() if value is not None}

    def ours(self, subject: str, quantity: str, **where: Any) -> str:
        """Measured figure with its unit."""
        return _with_unit(quantity, self.value(subject, quantity, **where))

    def printed(self, subject: str, quantity: str, **where: Any) -> str:
        return _with_unit(quantity, self.value(subject, quantity, {}, **where))

    def ratio(self, one: str, other: str, quantity: str, **where: Any) -> str:
        """Ratio of the figures of two subjects, such as ``1.25 times``."""
        (ours,) = self.quotients(one, other, quantity, **where)
        return MISSING if ours is None else f"{ours:.{enough_digits(ours, 2)}f} times"

    def times(self, one: str, other: str, quantity: str, **where: Any) -> str:
        """Text that compares the figures of two subjects, such as ``6.0 times less``."""
        found = [self.value(x, quantity, **where) for x in (one, other)]
        return MISSING if None in found else compared(*found)

    def beside(self, one: str, other: str, quantity: str, **where: Any) -> str:
        """Ratio of the measured figures of two subjects, compared with the printed ratio."""
        (ours,) = self.quotients(one, other, quantity, **where)
        (theirs,) = self.quotients(one, other, quantity, printed={}, **where)
        text = self.ratio(one, other, quantity, **where)
        if ours is None or theirs is None:
            return text
        return f"{text} (printed: {theirs:.2f}; {ours / theirs:.2f} times the printed one)"

    def order(self, quantity: str, subjects: Sequence[str], **where: Any) -> str:
        """Rank subjects by a quantity, and compare with print; equal ones: ``a and b alike, c``."""
        find_quantity(quantity)
        sides = [self._known(subjects, quantity, where, x) for x in _SIDES]
        both = [x for x in subjects if all(x in side for side in sides)]
        if len(both) < 2:
            return MISSING
        measured, printed = (_ranking({x: side[x] for x in both}) for side in sides)
        return measured + (": as printed" if measured == printed else f"; printed: {printed}")

    def met(self, *subjects: str, **where: Any) -> str:
        """Text on how many subjects meet their clock constraint."""
        known = self._known(subjects, "meets_clock", where).values()
        if not known:
            return MISSING
        if sum(known) in (0, len(known)):
            return "all meet" if sum(known) else "none meets"
        return f"{sum(known):.0f} of {len(known)} meet"

    def path(self, subject: str, **where: Any) -> str:
        """Text on the critical path, and on the path that the document prints."""
        ends = self.ours(subject, "critical_path", **where)
        delay = self.ours(subject, "critical_path_ns", **where)
        met = "met" if self.value(subject, "meets_clock", **where) else "not met"
        printed = self.value(subject, "critical_path", {}, **{**where, "choices": {}})
        said = f" (printed: {printed})" if printed else ""
        return f"{delay} from {ends}, constraint {met}{said}"

    def exchanged(self, large: str, small: str, which: str, quantity: str) -> str:
        """Ratio of two designs' areas, one term of which is replaced by its printed figure.

        The term is ``quantity`` of the design ``which``. An area is ``multiplier_area_um2 *
        multipliers + rest_area_um2``, with ``multipliers`` their number; ``quantity`` names one of
        the three, ``which`` is ``large`` or ``small``.
        """
        areas = []
        for name in (large, small):
            quantities = ("multiplier_area_um2", "multipliers", "rest_area_um2")
            printed = [_SIDES[(name, x) == (which, quantity)] for x in quantities]
            values = [self.value(name, *x) for x in zip(quantities, printed, strict=True)]
            if None in values:
                return MISSING
            each, count, rest = values
            areas.append(each * count + rest)
        return f"{areas[0] / areas[1]:.2f}"

    def activities(self) -> list[str]:
        """Activities of the measured energies: ``timed`` has glitches, ``zero`` has none."""
        return sorted({x.activity for x in self._facts if x.activity and not x.printed})

    def nearness(self, requests: Iterable[Request]) -> str:
        """Count the figures that are nearer to print as placed than as synthesized."""
        found = list(self._near(requests))
        return nearness(found) if found else MISSING

    def distances(self, requests: Iterable[Request]) -> str:
        """Text on the ratios of figures to print at each stage; ``requests`` as in ``nearness``."""
        found = list(self._near(requests))
        return distances(found) if found else MISSING

    def _near(self, requests: Iterable[Request]) -> Iterator[Near]:
        for quantity, subjects, over, operation in requests:
            more = {"operation": operation} if operation else {}
            for named in subjects:
                sides = [
                    self._staged(named, over, quantity, stage, **more)
                    for stage in (SYNTHESIZED, PLACED, "")
                ]
                if None not in sides and sides[-1]:
                    synthesized, placed, theirs = map(float, filter(None, sides))
                    yield Near(synthesized / theirs, placed / theirs)

    def _staged(
        self, named: Named, over: Named | None, quantity: str, stage: str, **where: Any
    ) -> float | None:
        """Figure of ``named``, divided by that of ``over``; printed ones if ``stage`` is empty."""
        values = []
        for subject, choices in filter(None, (named, over)):
            if stage:
                asked = {**where, "choices": choices, "stage": stage}
                values.append(self.value(subject, quantity, **asked))
            else:
                values.append(self.value(subject, quantity, {"choices": {}}, **where))
        if None in values or not all(values):
            return None
        return values[0] / values[1] if over else values[0]

    def between_stages(self, quantity: str, subjects: Sequence[Named], **where: Any) -> str:
        """Range of the ratios of placed to synthesized figures, over subjects with choices."""
        found = []
        for named in subjects:
            ends = [self._staged(named, None, quantity, x, **where) for x in (PLACED, SYNTHESIZED)]
            if None not in ends:
                placed, synthesized = map(float, filter(None, ends))
                found.append(placed / synthesized)
        ends_of = dict.fromkeys(f"{end(found):.2f}" for end in (min, max) if found)
        return " to ".join(ends_of) or MISSING

    def moved(
        self, subjects: Sequence[str], before: tuple[str, Where], after: tuple[str, Where]
    ) -> str:
        """Text on subjects whose places differ in two rankings (quantity and conditions)."""
        rankings = [self._known(subjects, quantity, where) for quantity, where in (before, after)]
        if not set(rankings[0]) & set(rankings[1]):
            return MISSING
        return moved(*rankings)

    def cell(
        self,
        subject: Subject,
        quantity: str,
        points: Sequence[Where] = _ONCE,
        printed: Where | None = None,
        digits: int | None = None,
        **where: Any,
    ) -> str:
        """Measured figures at points, and printed ones: ``1,033 / 2,239 (3,523 / 8,148)``.

        If points have the same fact, it is written once.
        """
        found = find_quantity(quantity)
        ours = dict.fromkeys(self._fact(subject, quantity, where, x) for x in points)
        text = " / ".join(found.text(x.value, digits) if x else MISSING for x in ours)
        if printed is None:
            return text
        theirs = (self._fact(subject, quantity, where, x, printed=printed) for x in points)
        shown = (_printed_text(found, digits, x) if x else MISSING for x in dict.fromkeys(theirs))
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
        """Ratios of two subjects' figures, in the form of ``cell``; ``times`` 100 gives percent."""

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
        """Ratios of two subjects' figures at several points; None where a figure is missing."""
        found = []
        for point in points:
            x, y = (self._fact(z, quantity, where, point, printed=printed) for z in (one, other))
            found.append(float(x.value) / float(y.value) if x and y and y.value else None)
        return found

    def over_printed(
        self,
        subjects: Iterable[Subject],
        quantity: str,
        points: Sequence[Where] = _ONCE,
        **where: Any,
    ) -> list[float]:
        """Ratios of measured to printed figures, of all subjects and points that have both."""
        pairs = (
            [self._fact(subject, quantity, where, x, printed=printed) for printed in _SIDES]
            for subject in subjects
            for x in points
        )
        return [float(x.value) / float(y.value) for x, y in pairs if x and y]

    def ranked(self, subjects: Sequence[Column], quantity: str, **where: Any) -> list[Column]:
        """Sort subjects by a quantity, the least first, without subjects that lack it."""
        values = {x.key: self.value(x, quantity, **where) for x in subjects}
        known = [x for x in subjects if values[x.key] is not None]
        return sorted(known, key=lambda x: values[x.key])


def _ranking(values: Mapping[str, Any]) -> str:
    """Text that lists subjects by their values, the least first."""
    places: dict[Any, list[str]] = {}
    for subject in sorted(values, key=values.__getitem__):
        places.setdefault(values[subject], []).append(subject_label(subject))
    alike = (" and ".join(x) + (" alike" if len(x) > 1 else "") for x in places.values())
    return ", ".join(alike)


def _printed_text(quantity: Quantity, digits: int | None, fact: Fact) -> str:
    """Text of a printed figure with its own decimals (2 to ``digits``); a derived one has 2."""
    if not isinstance(fact.value, float):
        return f"{fact.value:,}" if isinstance(fact.value, int) else fact.value
    own = len(str(fact.value).partition(".")[2]) if fact.kind == PRINTED else 0
    most = quantity.digits if digits is None else digits
    return quantity.text(fact.value, min(most, max(own, _LEAST_DIGITS)))


def _with_unit(quantity: str, value: Any) -> str:
    found = find_quantity(quantity)
    return MISSING if value is None else f"{found.text(value)} {found.unit}".strip()
