"""Measures compositions by the flow, and finds earlier measurements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd

from rsaxcel.eval.facts.fact import DERIVED, Fact
from rsaxcel.eval.facts.points import BUILD, find_configuration
from rsaxcel.eval.facts.table import Facts, read_facts
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.measure.errors import Failure
from rsaxcel.eval.measure.flows import at_activity, at_layout, flow, outline
from rsaxcel.eval.measure.job import Measurement, Progress
from rsaxcel.eval.optimize.search import COST, Figures
from rsaxcel.eval.optimize.space import CELLS, CORE, Composition, Space
from rsaxcel.flow.layout import NOT_PLACED, Layout
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, operations, usual_exponents
from rsaxcel.store.errors import UserError
from rsaxcel.store.places import make_folder
from rsaxcel.store.shown import choices_text

FOLDER = BUILD / "optimize"  #: folder of the facts, with a folder for each width

_PER_CYCLE = "energy_nj_per_cycle"
_PERIOD = "min_period_ns"
_COSTS = {False: "synthesis_cpu_seconds", True: "flow_cpu_seconds"}


def mean_cycles(composition: Composition, operation: str, count: int) -> float:
    """Mean cycles of ``count`` operations of the standard workload, by the cycle model."""
    configuration = composition.configuration
    exponent = default_exponents(configuration.nbits)[operation]
    return fmean(x.cycles for x in operations(configuration, exponent, count))


@dataclass
class Measuring:
    """Measures compositions side by side, and writes the facts after each batch."""

    library: str
    clock_ns: float | None
    operation: str  #: operation whose cycles and energy the search uses
    energy: bool  #: True: whole flow; False: synthesis and timing only
    activity: str  #: activity: timed or zero
    folder: Path  #: folder of facts.parquet and facts.csv, in which earlier facts stay
    progress: Progress
    #: layout; of placed circuits, the area is the core's, and the whole flow runs
    layout: Layout = NOT_PLACED
    failures: list[Failure] = field(default_factory=list)

    def __call__(self, batch: Sequence[Composition]) -> Mapping[Composition, Figures]:
        """Measure a batch; a composition that fails has no figures, a missing tool ends all."""
        found, failures = collect([self._measurement(x) for x in batch], self.progress)
        for failure in failures:
            if failure.setup and not found:
                raise UserError(failure.message)
        self.failures += failures
        by_point = defaultdict(list)
        for fact in found:
            by_point[fact.subject, fact.nbits, fact.choices].append(fact)
        figures = {}
        for composition in batch:
            own = by_point[_key(composition)]
            if own:
                found += self._cycles(composition)
                figures[composition] = self._figures(composition, own)
        self._write(found)
        return figures

    def known(self, points: pd.DataFrame, space: Space) -> dict[Composition, Figures]:
        """Figures of compositions measured before under the same conditions, at any width.

        Points of placed circuits do not tell how these were placed, so that none is known; the flow
        finds their records.
        """
        if self.layout.placed:
            return {}
        kinds = ["measured"] if self.energy else ["measured", "simulated in part"]
        alike = (points.form == "design") & points.kind.isin(kinds)
        alike &= (points.library == self.library) & (points.clock_ns == self.clock_ns)
        alike &= points.stage == self.layout.stage
        if self.energy:
            alike &= points.activity == self.activity
        found: dict[Composition, Figures] = {}
        spaces: dict[int, Space] = {}
        for row in points[alike].to_dict("records"):
            configuration = find_configuration(row["subject"], row["nbits"], row["choices"])
            if configuration is None:
                continue
            at_width = spaces.setdefault(row["nbits"], space.at(row["nbits"]))
            composition = at_width.find(configuration)
            figures = {name: row[name] for name in (CELLS, _PERIOD)}
            if self.energy:
                figures[_PER_CYCLE] = row["energy_nj"] / row["cycles"]
            if composition is not None and all(x == x for x in figures.values()):
                cost = row[_COSTS[self._whole]]
                found[composition] = figures | ({COST: cost} if cost == cost else {})
        return found

    def _measurement(self, composition: Composition) -> Measurement:
        name, nbits = composition.subject, composition.configuration.nbits
        asked: dict[str, Any] = {"library": self.library, "clock_ns": self.clock_ns}
        if not self._whole:
            return outline(name, nbits, **asked, **composition.changed)
        own = at_activity(flow(name, nbits, **asked, **composition.changed), self.activity)
        return at_layout(own, self.layout)

    @property
    def _whole(self) -> bool:
        """Whether the whole flow is run, not only synthesis and timing."""
        return self.energy or self.layout.placed

    def _figures(self, composition: Composition, facts: Iterable[Fact]) -> Figures:
        values = {(x.quantity, x.operation): x.value for x in facts if not x.part}
        area = CORE if self.layout.placed else CELLS
        figures = {name: float(values[name, ""]) for name in (area, _PERIOD)}
        # Repairs stop once the constraint is met: a period below it was not aimed at.
        if self.layout.placed:
            figures[_PERIOD] = max(figures[_PERIOD], float(values["clock_ns", ""]))
        if self.energy:
            energy, cycles = (values[x, self.operation] for x in ("energy_nj", "cycles"))
            figures[_PER_CYCLE] = float(energy) / float(cycles)
        if (cost := values.get((_COSTS[self._whole], ""))) is not None:
            figures[COST] = float(cost)
        return figures

    def _cycles(self, composition: Composition) -> Iterator[Fact]:
        """Facts on the cycles, from the cycle model, which agrees with the circuit."""
        subject, nbits, choices = _key(composition)
        for name in usual_exponents(nbits, composition.configuration.exponent_nbits):
            about: Any = {"nbits": nbits, "choices": choices, "operation": name}
            cycles = mean_cycles(composition, name, OPERATION_COUNT)
            yield Fact(subject, "cycles", cycles, "measured", **about)

    def _write(self, found: Iterable[Fact]) -> None:
        make_folder(self.folder)
        path = self.folder / "facts.parquet"
        earlier = read_facts(path) if path.exists() else []
        Facts([*found, *(x for x in earlier if x.kind != DERIVED)]).write(self.folder)


def _key(composition: Composition) -> tuple[str, int, str]:
    configuration = composition.configuration
    return composition.subject, configuration.nbits, choices_text(composition.changed)
