"""Projections: what a fit of measured figures says of widths that were not measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from eval.facts.fact import CELLS, Fact
from eval.facts.quantities import PROJECTED
from eval.power_law import power_law
from flow.kit import LIBRARIES

_LEAST_POINTS = 3
"""A line through two points has no error that could be told."""


@dataclass(frozen=True)
class Projection:
    """Quantities of subjects at widths beyond those measured, by ``y = a * nbits**p``.

    Parameters
    ----------
    subjects : sequence of str
        Designs.
    quantities : mapping of str to str
        Keys of ``PROJECTED``, to the library in which they are measured.
    nbits : sequence of int
        Widths in bits.
    """

    subjects: Sequence[str]
    quantities: Mapping[str, str]
    nbits: Sequence[int]


def project(
    projections: Iterable[Projection], measured: Iterable[Fact], cells: str = LIBRARIES[0]
) -> Iterator[Fact]:
    """Project each quantity of each subject that is measured at three widths or more.

    Each comes with the factor within which it is to be taken. The same fit without the widest
    figure misses that by some factor; what lies several times as far beyond the measured widths is
    taken to be off by that factor as often over. ``cells`` is the library that ``CELLS`` means.
    """
    facts = [x for x in measured if x.quantity in PROJECTED and not (x.choices or x.part)]
    for projection in projections:
        for subject in projection.subjects:
            for quantity, named in projection.quantities.items():
                library = cells if named == CELLS else named
                points = {
                    x.nbits: x
                    for x in facts
                    if (x.subject, x.quantity, x.library) == (subject, quantity, library)
                }
                projected, factor = PROJECTED[quantity]
                for fact, within in _of_one(points, projection.nbits):
                    yield replace(fact, quantity=projected)
                    yield replace(fact, quantity=factor, value=within)


def continued(measured: Iterable[Fact], nbits: Iterable[int]) -> Iterator[tuple[Fact, float]]:
    """Continue quantities of the same subject, choices and conditions beyond what is measured.

    Parameters
    ----------
    measured : iterable of Fact
        Figures of whole subjects; those that are at three widths or more are continued.
    nbits : iterable of int
        Widths in bits; none that is not beyond the measured ones gives a figure.

    Yields
    ------
    Fact, float
        The figure as if it were measured, but for its kind, and the factor within which it is to
        be taken, see ``project``.
    """
    groups: dict[Fact, dict[int, Fact]] = defaultdict(dict)
    for fact in measured:
        alike = replace(fact, nbits=0, value=0, kind="projected", where="", provenance="")
        groups[alike].setdefault(fact.nbits, fact)
    for points in groups.values():
        yield from _of_one(points, list(nbits))


def _of_one(points: Mapping[int, Fact], targets: Iterable[int]) -> Iterator[tuple[Fact, float]]:
    """Projections of one quantity, each with its factor."""
    if len(points) < _LEAST_POINTS:
        return
    *narrower, widest = (points[n] for n in sorted(points))
    missed = abs(log(_continued(narrower, widest.nbits) / float(widest.value)))
    step = log(widest.nbits / narrower[-1].nbits)
    for nbits in targets:
        steps = log(nbits / widest.nbits) / step
        if steps > 0:
            value = _continued([*narrower, widest], nbits)
            about = replace(widest, kind="projected", nbits=nbits, value=value)
            yield about, exp(missed * steps)


def _continued(points: Sequence[Fact], nbits: int) -> float:
    """Value at a width on the power law through points."""
    factor, power = power_law([(point.nbits, float(point.value)) for point in points])
    return factor * nbits**power
