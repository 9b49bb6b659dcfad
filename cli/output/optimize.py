"""Runs the search of ``rsaxcel optimize`` and prints its result."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pandas as pd

from rsaxcel.cli.output.points import show_table
from rsaxcel.cli.progress import steps
from rsaxcel.eval.facts.points import load_points, on_front
from rsaxcel.eval.facts.quantities import compared
from rsaxcel.eval.optimize import (
    CELLS,
    CORE,
    FOLDER,
    PARAMETERS,
    Composition,
    Measuring,
    Objective,
    Search,
    SearchLimits,
    Space,
    axes,
    mean_cycles,
)
from rsaxcel.flow.layout import Layout
from rsaxcel.store.errors import RunError, UserError, nearest
from rsaxcel.store.folders import check_writable

_LIMITS = {"time_us": "max_time", "energy_nj": "max_energy"}
_LABEL = 12


@dataclass(frozen=True)
class OptimizeOptions:
    """Values of the options of ``rsaxcel optimize``."""

    nbits: int
    objective: str
    max_area: float | None
    max_time: float | None
    max_energy: float | None
    operation: str
    multipliers: tuple[str, ...]
    vary: tuple[str, ...]
    params: dict[str, str]
    library: str
    clock_ns: float | None
    layout: Layout
    activity: str
    budget: float
    tolerance: float
    fresh: bool
    exhaustive: bool
    as_json: bool

    @property
    def goal(self) -> Objective:
        """Objective of the search, with its limits."""
        area = CORE if self.layout.placed else CELLS
        limits = {area: "max_area", **_LIMITS}
        most = {name: getattr(self, option) for name, option in limits.items()}
        given = {name: value for name, value in most.items() if value is not None}
        return Objective(self.objective, self.clock_ns or 0.0, given, area)

    @property
    def space(self) -> Space:
        """Compositions to search."""
        asked = self.nbits, self.params, self.multipliers, self.vary, (self.operation,)
        space = Space(*asked)
        if not space.compositions:
            raise ValueError(f"nothing fits: {space.reason}")
        for each in space.compositions:
            if "cl" not in each.configuration.levels:
                name = each.configuration.multiplier.classes.name
                told = "it has no cycle model; one with `cycles` in its description is allowed"
                raise ValueError(f"multiplier={name}: {told}")
        varied = {name for x in space.compositions for name, _ in x.coordinates}
        for name in self.vary:
            if name not in (PARAMETERS, *varied):
                parameters = (y for x in space.compositions for y in x.configuration.parameters)
                known = [*axes(), PARAMETERS, *(x.name for x in parameters)]
                meant = nearest(name, known)
                raise ValueError(
                    f"--vary={name}{meant}: {', '.join(dict.fromkeys(known))} are allowed"
                )
        return space


def run(asked: OptimizeOptions) -> None:
    """Run the search and print its result."""
    space, goal = asked.space, asked.goal
    folder = FOLDER / str(asked.nbits)
    check_writable(folder)
    with steps("optimize") as tell:
        measure = Measuring(
            asked.library,
            asked.clock_ns,
            asked.operation,
            goal.needs_energy,
            asked.activity,
            folder,
            tell,
            asked.layout,
        )
        points = load_points(operation=asked.operation)
        known = {} if asked.fresh else measure.known(points, space)
        cores = len(os.sched_getaffinity(0))
        limits = SearchLimits(asked.tolerance / 100, asked.budget / 100, cores)
        search = Search(
            space,
            goal,
            lambda composition, count: mean_cycles(composition, asked.operation, count),
            measure,
            limits,
            known,
            tell,
        )
        search.run()
        searched, own = list(search.measured), search.synthesized
        found = SearchResult(search, goal, searched, len(own), search.spent, asked.layout.stage)
        if asked.exhaustive:
            search.complete()
    _check(search, measure)
    if asked.as_json:
        click.echo(json.dumps(found.as_json()))
    else:
        _show(found, asked, measure.folder)


def _check(search: Search, measure: Measuring) -> None:
    """Print failures; raise an error if the search has no best composition."""
    for failure in measure.failures:
        click.echo(f"rsaxcel: {failure.name} failed: {failure.message}", err=True)
    if not search.measured and measure.failures:
        setup = all(failure.setup for failure in measure.failures)
        raise (UserError if setup else RunError)("nothing could be measured")
    search.check_best()


@dataclass(frozen=True)
class SearchResult:
    """Result of a search, with its cost."""

    #: the search after its end; with --exhaustive, after all compositions were measured
    search: Search
    goal: Objective
    searched: list[Composition]  #: compositions that were measured when the search ended
    #: number of syntheses in the search, including those of narrower compositions (probes)
    syntheses: int
    spent: float  #: processor time of these syntheses in seconds
    stage: str

    @property
    def best(self) -> Composition:
        """Best composition that the search found."""
        return min(self.searched or self.search.measured, key=self.search.value)

    @property
    def complete(self) -> bool:
        return not self.search.left

    @property
    def behind(self) -> float:
        """Relative excess of ``best`` over the best of all measured compositions (0.1: 10 %)."""
        best = self.search.best
        assert best is not None
        return self.search.value(self.best) / self.search.value(best) - 1

    def rows(self) -> pd.DataFrame:
        """Table of all measured compositions, with their figures and the objective's value."""
        rows = [
            {
                "point": x.point,
                "stage": self.stage,
                **self.search.figures(x),
                "value": self.search.value(x),
                "kind": "measured",
            }
            for x in self.search.measured
        ]
        return pd.DataFrame(rows)

    def front(self) -> pd.DataFrame:
        """Rows of the compositions that no other measured composition beats."""
        rows, columns = self.rows(), list(self.goal.columns)
        return rows[on_front(rows, columns)].sort_values(columns, ignore_index=True)

    def as_json(self) -> Mapping[str, Any]:
        """Return the result as values for JSON."""
        best = self.best
        return {
            "best": {
                "point": best.point,
                "design": best.subject,
                "nbits": best.configuration.nbits,
                "params": best.changed,
                "stage": self.stage,
                **self.search.figures(best),
            },
            "objective": self.goal.name,
            "value": self.search.value(best),
            "unit": self.goal.unit,
            "front": self.front().drop(columns=["value", "kind"]).to_dict("records"),
            "compositions": len(self.search.all),
            "measured": len(self.searched),
            "syntheses": self.syntheses,
            "out_of_budget": self.search.out_of_budget,
            "cpu_seconds": self.spent if self.search.knows_costs else None,
            "exhaustive_cpu_seconds": self.search.exhaustive if self.search.knows_costs else None,
            "exhaustive_is_estimated": not self.complete,
            "behind_percent": 100 * self.behind if self.complete else None,
        }


def _show(found: SearchResult, asked: OptimizeOptions, folder: Path) -> None:
    search, best = found.search, found.best
    front = found.front()
    title = f"Front of {len(search.measured)} measured compositions, {asked.operation}"
    show_table(front, ["stage", *found.goal.columns], title)
    click.echo()
    lines = [
        ("best", best.point),
        (asked.objective, f"{search.value(best):,.4g} {found.goal.unit}"),
        ("cost", _cost(found)),
        ("end", _end(found, asked)),
        ("facts", str(folder / "facts.parquet")),
    ]
    if found.complete:
        of_all = search.best
        assert of_all is not None
        words = compared(search.value(best), search.value(of_all))
        lines.insert(
            3, ("of all", f"best is {of_all.point}; the value of the search's best is {words}")
        )
    for label, text in lines:
        click.echo(f"{label:<{_LABEL}}{text}")


def _cost(found: SearchResult) -> str:
    search = found.search
    besides = f", besides {len(search.known)} known before" if search.known else ""
    made = f"{found.syntheses} syntheses{besides}"
    if not search.knows_costs:
        return f"{made}; there are {len(search.all)} compositions"
    about = "" if found.complete else "about "
    share = 100 * found.spent / search.exhaustive
    return (
        f"{found.spent:,.0f} s of processor time for {made}; "
        f"{about}{search.exhaustive:,.0f} s for all {len(search.all)}: {about}{share:.0f} %"
    )


def _end(found: SearchResult, asked: OptimizeOptions) -> str:
    if found.search.out_of_budget:
        return f"the budget of {asked.budget:g} % is spent"
    return f"no remaining composition promises more than {asked.tolerance:g} %"
