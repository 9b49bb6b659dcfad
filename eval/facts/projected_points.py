"""Design points at widths that were not measured: figures by a fit, cycles by the cycle model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

import catalog
from eval.facts.fact import DERIVED, USUAL_OPERATION, Fact
from eval.facts.points import FACTOR, choices_of, tabulate
from eval.facts.projection import continued
from eval.facts.table import Facts
from flow.requests import default_exponents, operations

CONTINUED = ("area_um2", "min_period_ns", "energy_nj", "alms")
"""Quantities that are continued to other widths."""


def projected_points(
    facts: Facts,
    measured: pd.DataFrame,
    nbits: Sequence[int],
    operation: str = USUAL_OPERATION,
) -> pd.DataFrame:
    """Give the points of facts with those that follow from them at other widths.

    Area, smallest period and energy are continued as powers of the width where they are measured
    under the same conditions at three widths or more (``eval.facts.projection``); cycles are those
    of the cycle model, for one base; time and area by time follow from them. What is measured at a
    width is not projected to it.

    Parameters
    ----------
    facts : Facts
        All that is measured.
    measured : pandas.DataFrame
        Points that are to be projected, see ``eval.facts.points.tabulate``.
    nbits : sequence of int
        Widths in bits, beyond those that are measured.
    operation : str
        As ``tabulate``.

    Returns
    -------
    pandas.DataFrame
        As of ``tabulate``; ``kind`` of the new ones is ``"projected"``.
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
    """Projections with the largest factor of each point and the clock that was asked for."""
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
    """Whether a design can have the width."""
    if fact.subject not in catalog.DESIGNS:
        return True
    return fact.nbits in catalog.get(fact.subject).widths


def _cycles(subject: str, choices: str, nbits: int, operation: str) -> Iterator[Fact]:
    """Cycles of an operation by the cycle model; none of systems."""
    if subject in catalog.DESIGNS:
        configuration = catalog.get(subject).configure(nbits, **choices_of(choices))
        (done,) = operations(configuration, default_exponents(nbits)[operation], 1)
        about: Any = {"nbits": nbits, "choices": choices, "operation": operation}
        yield Fact(subject, "cycles", done.cycles, "measured", **about)
