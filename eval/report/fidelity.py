"""Nearness of measured figures to printed ones, by figure and by place (table or drawing)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from operator import itemgetter

from rsaxcel.eval.facts.fact import PRINTED, Fact
from rsaxcel.eval.facts.printed import Printed
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.spec import Column, Row, Study
from rsaxcel.eval.report.tables import TableCell, fill_table

NONE_IN_BOTH = "0 in both"  #: class of figures that are 0 in print and here

#: most by which the larger of two figures exceeds the smaller, as a share of the smaller
CLASSES = {"exact": 0.0, "within 5 %": 0.05, "within 25 %": 0.25, "within a factor of 2": 1.0}

#: Class of measured figures that differ from the printed ones by more than a factor of 2.
BEYOND = "beyond"

ALL_CLASSES = (NONE_IN_BOTH, *CLASSES, BEYOND)

#: Classes of figures that differ by at most 5 % and by at most 25 %. The latter need no reason.
WITHIN_5, WITHIN_25 = (
    ALL_CLASSES[: ALL_CLASSES.index(x) + 1] for x in ("within 5 %", "within 25 %")
)


@dataclass(frozen=True)
class Match:
    """A measured figure beside a printed one."""

    subject: str  #: name; with width and choices if the printed figure has others
    value: float
    #: measured / printed; 1 if the measured figure rounds to the printed one, else infinite if one
    #: is 0
    ratio: float
    kind: str  #: kind of the measured figure, see eval.facts.fact.Kind
    nearness: str  #: one of ALL_CLASSES


@dataclass(frozen=True)
class Compared:
    """A printed figure and the measured ones beside it."""

    printed: Fact
    as_printed: Match | None  #: figure of a system built as the document describes it
    own: Match | None  #: figure of this project's own system
    awaited: bool  #: a table has a cell for the figure, but not all of the document is measured yet
    reason: str  #: reason for a difference of more than 25 %, or for the lack of a figure

    @property
    def match(self) -> Match | None:
        """The figure that counts: as printed if there is one, and otherwise our own."""
        return self.as_printed or self.own


@dataclass(frozen=True)
class Fidelity:
    """Nearness of measured figures to the printed figures of one place, or of all places."""

    document: str
    place: str  #: table or figure of the document
    about: str  #: content of the place
    printed: int  #: number of printed figures
    #: number of printed figures with a measured one beside them, by class; a system built as
    #: printed counts before our own
    counts: dict[str, int]
    as_printed: int  #: number of printed figures beside a system built as printed
    reason: str  #: reason of differences by more than 25 %, and of figures without a measured one

    @property
    def compared(self) -> int:
        """Number of printed figures beside a measured one in some table."""
        return sum(self.counts.values())


def compare(
    studies: Iterable[Study], printed: Printed, facts: Facts, incomplete: Collection[str] = ()
) -> list[Compared]:
    """Find measured figures beside each printed one; ``incomplete``: documents not measured yet."""
    beside: dict[tuple, list[tuple[bool, TableCell]]] = defaultdict(list)
    studies = list(studies)
    for column, row, cell in _cells(studies, facts):
        if cell.printed and cell.printed.kind == PRINTED:
            as_printed = row.as_printed
            if as_printed is None:
                as_printed = column.is_as_printed(cell.printed.quantity)
            beside[cell.printed.document, cell.printed.key].append((as_printed, cell))
    reasons = {study.document: study.reasons for study in studies}
    compared = []
    for fact in printed.facts:
        if fact.document not in reasons or isinstance(fact.value, str):
            continue
        cells = beside[fact.document, fact.key]
        theirs, own = (_best(fact, [y for x, y in cells if x == which]) for which in (True, False))
        shown = theirs or own
        explained = shown is not None and shown.nearness in WITHIN_25
        known = (x.text for x in reasons[fact.document] if x.holds_for(fact))
        awaited = bool(cells) and shown is None and fact.document in incomplete
        why = "" if explained or awaited else next(known, "")
        compared.append(Compared(fact, theirs, own, awaited, why))
    return compared


def by_place(
    studies: Iterable[Study], printed: Printed, compared: Sequence[Compared]
) -> list[Fidelity]:
    """Count figures for each table and drawing of the studies' documents."""
    found = []
    for study in studies:
        for place in printed.places.get(study.document, ()):
            own = [
                x
                for x in compared
                if (x.printed.document, x.printed.place) == (study.document, place.place)
            ]
            reason = "; ".join(dict.fromkeys(x.reason for x in own if x.reason))
            found.append(
                Fidelity(
                    study.document, place.place, place.about, place.figures, *_count(own), reason
                )
            )
    return found


def _count(rows: Sequence[Compared]) -> tuple[dict[str, int], int]:
    counts = dict.fromkeys(ALL_CLASSES, 0)
    for row in rows:
        if row.match:
            counts[row.match.nearness] += 1
    return counts, sum(x.as_printed is not None for x in rows)


def total(rows: Sequence[Fidelity]) -> Fidelity:
    """Add up the counts of all rows."""
    counts = {x: sum(row.counts[x] for row in rows) for x in ALL_CLASSES}
    as_printed = sum(row.as_printed for row in rows)
    return Fidelity("", "All", "", sum(row.printed for row in rows), counts, as_printed, "")


def classify(ratio: float) -> str:
    """Return the class (a key of ``CLASSES``, or ``BEYOND``) for the ratio measured / printed."""
    distance = _distance(ratio) - 1
    return next((x for x, most in CLASSES.items() if distance <= most + 1e-12), BEYOND)


def _cells(studies: Iterable[Study], facts: Facts) -> Iterator[tuple[Column, Row, TableCell]]:
    for study in studies:
        own = facts.of_document(study.document)
        for table in study.tables:
            columns = {x.key: x for x in table.columns}
            for row in fill_table(table, own).rows:
                yield from ((columns[key], row.row, cell) for key, cell in row.cells.items())


def _best(fact: Fact, cells: Iterable[TableCell]) -> Match | None:
    """Figure to compare: the nearest of the same subject and width, else the nearest of all."""
    found = [(_other(fact, x), _distance(y.ratio), y) for x in cells if (y := _match(fact, x))]
    return min(found, key=itemgetter(0, 1))[-1] if found else None


def _other(fact: Fact, cell: TableCell) -> bool:
    """Whether a cell's figure is of another subject or width than the printed one."""
    ours = cell.ours
    return ours is None or (ours.subject, ours.nbits) != (fact.subject, fact.nbits)


def _match(fact: Fact, cell: TableCell) -> Match | None:
    """Compare a cell with its printed figure; None if one of them is not a printed number."""
    ours, theirs = cell.measured, fact.value
    # exponents may be longer than a machine's numbers
    if isinstance(ours, str) and ours.isdecimal():
        ours = int(ours)
    if isinstance(theirs, str) or not isinstance(ours, int | float):
        return None
    digits = len(f"{theirs:.10f}".rstrip("0").partition(".")[2])
    same = round(ours, digits) == theirs
    ratio = 1.0 if same else inf if not ours or not theirs else ours / theirs
    nearness = NONE_IN_BOTH if same and not theirs else classify(ratio)
    kind = cell.ours.kind if cell.ours else "measured"
    return Match(_subject(fact, cell.ours), float(ours), ratio, kind, nearness)


def _subject(theirs: Fact, ours: Fact | None) -> str:
    """Name of a figure's subject, with the width and choices in which it differs from print."""
    if ours is None:
        return theirs.subject
    width = f"{ours.nbits} bits" if ours.nbits not in (0, theirs.nbits) else ""
    choices = ours.choices if ours.choices != theirs.choices else ""
    return ", ".join(x for x in (ours.subject, width, choices) if x)


def _distance(ratio: float) -> float:
    """Ratio or inverse, the larger one; infinite for figures with different signs."""
    return max(ratio, 1 / ratio) if ratio > 0 else inf
