"""Projects design points to wider operands: cycles by the cycle model, all else by fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import DERIVED, USUAL_OPERATION, Fact
from rsaxcel.eval.facts.points import FACTOR, choices_of, tabulate
from rsaxcel.eval.facts.projection import continued
from rsaxcel.eval.facts.table import Facts
from rsaxcel.flow.requests import default_exponents, operations

CONTINUED = ("area_um2", "min_period_ns", "energy_nj", "alms")
"""Quantities that are projected to other widths."""


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
