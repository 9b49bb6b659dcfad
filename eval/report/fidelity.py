"""Counts by how much measured figures differ from the printed ones, for each table of a document.

The figures (drawings) of a document are counted in the same way as its tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from eval.facts.printed import Printed
from eval.report.spec import Study
from eval.report.tables import ShownTable

CLASSES = {"exact": 0.0, "within 5 %": 0.05, "within 25 %": 0.25, "within a factor of 2": 1.0}
"""Classes of how near a measured figure is to the printed one. The value of a class is the most by
which the larger of both exceeds the smaller one, as a share of the smaller one."""

BEYOND = "beyond"
"""Class of measured figures that differ from the printed ones by more than a factor of 2."""


@dataclass(frozen=True)
class Fidelity:
    """How near measured figures come to the printed figures of one place, or of all places.

    A place is a table or a figure (drawing) of a document.

    Parameters
    ----------
    document, place, about : str
        Key of the document, its table or figure, and what the table or figure shows.
    printed : int
        Number of printed figures.
    counts : dict of str to int
        Number of printed figures that stand beside a measured one, by class. The classes tell how
        large the difference is; they are the keys of ``CLASSES``, and ``BEYOND``.
    reason : str
        Reason for the differences by more than a factor of 2 (class ``BEYOND``).
    """

    document: str
    place: str
    about: str
    printed: int
    counts: dict[str, int]
    reason: str

    @property
    def compared(self) -> int:
        """Number of printed figures that stand beside a measured one in some table."""
        return sum(self.counts.values())


def fidelity(
    studies: Iterable[Study], printed: Printed, tables: Iterable[ShownTable]
) -> list[Fidelity]:
    """Compare all printed numbers that stand beside a measured one in some table.

    Returns
    -------
    list of Fidelity
        Counts for each table and figure of the studies' documents.
    """
    nearest = _nearest(tables)
    found = []
    for study in studies:
        for place in printed.places.get(study.document, ()):
            counts: dict[str, int] = defaultdict(int)
            for fact in printed.facts:
                if (fact.document, fact.place) != (study.document, place.place):
                    continue
                same = (fact.document, fact.key)
                if same in nearest and not isinstance(fact.value, str):
                    counts[classify(nearest[same])] += 1
            ordered = {x: counts[x] for x in (*CLASSES, BEYOND)}
            reason = study.reasons.get(place.place, "")
            found.append(
                Fidelity(study.document, place.place, place.about, place.figures, ordered, reason)
            )
    return found


def total(rows: Sequence[Fidelity]) -> Fidelity:
    """Add up the counts of all rows."""
    counts = {x: sum(row.counts[x] for row in rows) for x in (*CLASSES, BEYOND)}
    return Fidelity("", "All", "", sum(row.printed for row in rows), counts, "")


def classify(ratio: float) -> str:
    """Return the class (a key of ``CLASSES``, or ``BEYOND``) for the ratio measured / printed."""
    distance = _distance(ratio) - 1
    return next((x for x, most in CLASSES.items() if distance <= most + 1e-12), BEYOND)


def _nearest(tables: Iterable[ShownTable]) -> Mapping[tuple, float]:
    """Return the ratio measured / printed, by document and key of each printed figure.

    If several measured figures stand beside a printed one, the nearest measured figure is taken.
    The ratio is 1 if the measured figure rounds to the printed one. In all other cases, the ratio
    is infinite if one of the two figures is 0.
    """
    found: dict[tuple, float] = {}
    for table in tables:
        for row in table.rows:
            for cell in row.cells.values():
                fact = cell.printed
                if fact is None or fact.kind != "printed" or isinstance(fact.value, str):
                    continue
                if not isinstance(cell.measured, int | float) or cell.measured * fact.value < 0:
                    continue
                digits = len(f"{fact.value:.10f}".rstrip("0").partition(".")[2])
                same = round(cell.measured, digits) == fact.value
                none = not cell.measured or not fact.value
                ratio = 1.0 if same else inf if none else cell.measured / fact.value
                name = fact.document, fact.key
                if name not in found or _distance(ratio) < _distance(found[name]):
                    found[name] = ratio
    return found


def _distance(ratio: float) -> float:
    """Distance of a ratio from 1: the ratio or its inverse, whichever is larger."""
    return max(ratio, 1 / ratio)
