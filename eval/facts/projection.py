"""Projections: figures at other widths by a fit to the measured widths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log
from statistics import fmean, linear_regression
from typing import Any

import pandas as pd

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import CELLS, DERIVED, USUAL_OPERATION, Fact
from rsaxcel.eval.facts.points import FACTOR, choices_of, tabulate
from rsaxcel.eval.facts.quantities import PROJECTED
from rsaxcel.eval.facts.table import Facts
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import PLACED_STAGES
from rsaxcel.flow.requests import default_exponents, operations


def power_law(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Fit y = factor * x**power by least squares of logarithms; for a single x, power is 1."""
    x, y = ([log(value) for value in values] for values in zip(*points, strict=True))
    power = linear_regression(x, y).slope if len(set(x)) > 1 else 1.0
    return exp(fmean(y) - power * fmean(x)), power


_PERIOD = "min_period_ns"
#: Least number of measured widths; a line through two points has no error to estimate.
LEAST_WIDTHS = 3


@dataclass(frozen=True)
class Projection:
    """Request for figures beyond the measured widths, by the power law ``y = a * nbits**p``.

    A system's period is that of its accelerator or, if longer, the shortest measured period of the
    system: then the processor limits the clock.
    """

    subjects: Sequence[str]
    quantities: Mapping[str, str]  #: keys of PROJECTED, each with the library of its measurements
    nbits: Sequence[int]
    #: accelerator (one of `subjects`) of each system whose clock is projected
    systems: Mapping[str, str] = field(default_factory=dict)


def project(
    projections: Iterable[Projection], measured: Iterable[Fact], cells: str = DEFAULT_LIBRARY
) -> Iterator[Fact]:
    """Project each quantity of each subject that is measured at three widths or more.

    Each projected fact is followed by its uncertainty. A fit to all narrower widths predicts the
    widest measured figure; f is the factor by which it is wrong. With the ratio r of the two widest
    widths, a projection to r**k times the widest width has the uncertainty f**k.
    """
    whole = (x for x in measured if not (x.choices or x.part or x.stage in PLACED_STAGES))
    facts = [x for x in whole if x.quantity in PROJECTED]
    for projection in projections:
        for subject in projection.subjects:
            for quantity, named in projection.quantities.items():
                library = cells if named == CELLS else named
                points = {x.nbits: x for x in facts if _is(x, subject, quantity, library)}
                found = list(_of_one(points, projection.nbits))
                yield from _named(found)
                if quantity == _PERIOD:
                    for system, accelerator in projection.systems.items():
                        if accelerator == subject:
                            own = [x for x in facts if _is(x, system, quantity, library)]
                            alone = [*((x, 1.0) for x in points.values()), *found]
                            yield from _named(_of_system(own, alone, projection.nbits))


def _is(fact: Fact, subject: str, quantity: str, library: str) -> bool:
    return (fact.subject, fact.quantity, fact.library) == (subject, quantity, library)


def _named(projected: Iterable[tuple[Fact, float]]) -> Iterator[Fact]:
    """Yield each projected figure and its uncertainty as a factor, each under its quantity."""
    for fact, within in projected:
        quantity, factor = PROJECTED[fact.quantity]
        yield replace(fact, quantity=quantity)
        yield replace(fact, quantity=factor, value=within)


def _of_system(
    own: Sequence[Fact], alone: Iterable[tuple[Fact, float]], targets: Sequence[int]
) -> Iterator[tuple[Fact, float]]:
    """Project the period of a system from its own periods and those of its accelerator alone."""
    if not own:
        return
    shortest = min(own, key=lambda x: float(x.value))
    widest = max(x.nbits for x in own)
    for fact, within in alone:
        if fact.nbits in targets and fact.nbits > widest:
            value, factor = float(fact.value), within
            if value < float(shortest.value):
                value, factor = float(shortest.value), 1.0
            yield replace(shortest, kind="projected", nbits=fact.nbits, value=value), factor


def continued(measured: Iterable[Fact], nbits: Iterable[int]) -> Iterator[tuple[Fact, float]]:
    """Project figures measured at three widths or more; yield them with their uncertainty."""
    groups: dict[Fact, dict[int, Fact]] = defaultdict(dict)
    for fact in measured:
        alike = replace(fact, nbits=0, value=0, kind="projected", where="", provenance="")
        groups[alike].setdefault(fact.nbits, fact)
    for points in groups.values():
        yield from _of_one(points, list(nbits))


def _of_one(points: Mapping[int, Fact], targets: Iterable[int]) -> Iterator[tuple[Fact, float]]:
    """Yield the projections of one quantity, each with its uncertainty as a factor."""
    if len(points) < LEAST_WIDTHS:
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
    """Value at a width by the power law that is fitted to the points."""
    factor, power = power_law([(point.nbits, float(point.value)) for point in points])
    return factor * nbits**power


#: Quantities that are projected to other widths.
CONTINUED = ("area_um2", "min_period_ns", "energy_nj", "alms")


def projected_points(
    facts: Facts, measured: pd.DataFrame, nbits: Sequence[int], operation: str = USUAL_OPERATION
) -> pd.DataFrame:
    """Tabulate the measured points, and projected points at other widths.

    Area, smallest period, energy and ALMs are projected by powers of the width if they are measured
    under the same conditions at three widths or more. Cycles come from the cycle model, for an
    operation on one base. Widths up to the widest measured one are left out.
    """
    wanted = {(row.subject, row.choices) for row in measured.itertuples()}
    given = [
        fact
        for fact in facts
        if (fact.subject, fact.choices) in wanted
        and fact.quantity in CONTINUED
        and not (fact.part or fact.printed)
        and fact.kind != DERIVED
    ]
    there_are = [x for x in continued(given, nbits) if _is_there(x[0])]
    found = list(_with_conditions(there_are))
    designs = {(fact.subject, fact.choices, fact.nbits) for fact in found}
    cycles = [fact for key in sorted(designs) for fact in _cycles(*key, operation)]
    return tabulate([*facts, *Facts([*found, *cycles])], operation)


def _with_conditions(projections: Iterable[tuple[Fact, float]]) -> Iterator[Fact]:
    """Yield projected facts, then each point's largest uncertainty and clock constraint."""
    factors: dict[Fact, float] = {}
    for fact, factor in projections:
        yield fact
        point = replace(fact, quantity=FACTOR, value=0, operation="", where="", provenance="")
        factors[point] = max(factor, factors.get(point, 1.0))
    for point, factor in factors.items():
        yield replace(point, value=factor)
        if point.clock_ns is not None:
            yield replace(point, quantity="clock_ns", value=point.clock_ns)


def _is_there(fact: Fact) -> bool:
    """Whether the fact's design supports the fact's width; True if its subject is not a design."""
    design = catalog.designs().get(fact.subject)
    return design is None or fact.nbits in design.widths


def _cycles(subject: str, choices: str, nbits: int, operation: str) -> Iterator[Fact]:
    """Yield an operation's cycles by the cycle model; nothing if the subject is not a design."""
    if subject in catalog.DESIGNS:
        configuration = catalog.get(subject).configure(nbits, **choices_of(choices))
        (done,) = operations(configuration, default_exponents(nbits)[operation], 1)
        about: Any = {"nbits": nbits, "choices": choices, "operation": operation}
        yield Fact(subject, "cycles", done.cycles, "measured", **about)
