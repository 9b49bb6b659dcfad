"""Projections: what a fit of measured figures says of widths that were not measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from statistics import linear_regression

from eval.facts.fact import Fact
from eval.facts.quantities import PROJECTED

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


def project(projections: Iterable[Projection], measured: Iterable[Fact]) -> Iterator[Fact]:
    """Project each quantity of each subject that is measured at three widths or more.

    Each comes with the factor within which it is to be taken. The same fit without the widest
    figure misses that by some factor; what lies several times as far beyond the measured widths is
    taken to be off by that factor as often over.
    """
    facts = [x for x in measured if x.quantity in PROJECTED and not (x.choices or x.part)]
    for projection in projections:
        for subject in projection.subjects:
            for quantity, library in projection.quantities.items():
                points = {
                    x.nbits: x
                    for x in facts
                    if (x.subject, x.quantity, x.library) == (subject, quantity, library)
                }
                if len(points) >= _LEAST_POINTS:
                    yield from _of_one([points[n] for n in sorted(points)], projection.nbits)


def _of_one(points: Sequence[Fact], targets: Iterable[int]) -> Iterator[Fact]:
    *narrower, widest = points
    missed = abs(_fit(narrower, widest.nbits) - log(float(widest.value)))
    step = log(widest.nbits / narrower[-1].nbits)
    projected, factor = PROJECTED[widest.quantity]
    for nbits in targets:
        steps = log(nbits / widest.nbits) / step
        if steps > 0:
            about = replace(widest, kind="projected", nbits=nbits)
            yield replace(about, quantity=projected, value=exp(_fit(points, nbits)))
            yield replace(about, quantity=factor, value=exp(missed * steps))


def _fit(points: Sequence[Fact], nbits: int) -> float:
    """Logarithm of the value at a width on the power law of least squares."""
    x = [log(point.nbits) for point in points]
    slope, intercept = linear_regression(x, [log(float(point.value)) for point in points])
    return slope * log(nbits) + intercept
