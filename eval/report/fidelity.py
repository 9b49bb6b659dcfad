"""How faithful our figures are: for each place of each document, how many come how near."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from eval.facts.printed import Printed
from eval.report.spec import Study
from eval.report.tables import ShownTable

CLASSES = {"exact": 0.0, "within 5 %": 0.05, "within 25 %": 0.25, "within a factor of 2": 1.0}
"""Greatest distance of the larger from the smaller figure, as a part of the smaller."""

BEYOND = "beyond"


@dataclass(frozen=True)
class Fidelity:
    """Figures of one table or figure of a document, or of all.

    Parameters
    ----------
    printed : int
        How many it prints.
    counts : dict of str to int
        How many have ours beside them, by class.
    reason : str
        Why those beyond are so far away.
    """

    document: str
    place: str
    about: str
    printed: int
    counts: dict[str, int]
    reason: str

    @property
    def compared(self) -> int:
        """How many have ours beside them."""
        return sum(self.counts.values())


def fidelity(
    studies: Iterable[Study], printed: Printed, tables: Iterable[ShownTable]
) -> list[Fidelity]:
    """Compare all printed numbers that stand beside ours in some table, document by document."""
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
    """Add up all rows."""
    counts = {x: sum(row.counts[x] for row in rows) for x in (*CLASSES, BEYOND)}
    return Fidelity("", "All", "", sum(row.printed for row in rows), counts, "")


def classify(ratio: float) -> str:
    """Class of a figure of ours over the printed one."""
    distance = _distance(ratio) - 1
    return next((x for x, most in CLASSES.items() if distance <= most + 1e-12), BEYOND)


def _nearest(tables: Iterable[ShownTable]) -> Mapping[tuple, float]:
    """Our figure over each printed one; of several the nearest, such as that of the same words.

    A figure of ours that rounds to the printed one is exact; nothing is infinitely far from
    something.
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
    """How far a ratio is from 1, in either direction."""
    return max(ratio, 1 / ratio)
