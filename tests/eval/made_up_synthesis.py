"""Made-up synthesis: areas and periods by formulas with seeded random deviations."""

import random
from collections.abc import Iterable, Sequence
from math import exp, log, log2

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.points import OPERATIONS
from rsaxcel.eval.optimize import COST, Composition, mean_cycles
from rsaxcel.flow.requests import OPERATION_COUNT
from rsaxcel.store.shown import choices_text

DEAR = ("mont_mul_rem", "mont_red")
"""Multipliers whose area grows with the cube of the width."""


class Synthesis:
    """Makes figures from a seed; ``measured`` lists the requested compositions in order."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.measured: list[Composition] = []

    def __call__(self, batch: Sequence[Composition]) -> dict[Composition, dict[str, float]]:
        """Measure a batch of compositions."""
        self.measured += batch
        return {composition: self.figures(composition) for composition in batch}

    def figures(self, composition: Composition) -> dict[str, float]:
        """Area, period and cost of the synthesis of a composition."""
        choices = dict(composition.coordinates)
        kind, schedule, lanes = (choices[x] for x in ("multiplier", "schedule", "lanes"))
        nbits = composition.configuration.nbits
        area = log(30 * nbits) + self._quirk(0.6, kind) + self._quirk(0.2, schedule)
        area += self._quirk(0.05, kind, schedule) + self._quirk(0.02, kind, schedule, lanes)
        area += (0.5 + self._quirk(0.15, kind, "lanes")) * (lanes == 2)
        area += 2 * log(nbits / 4) * (kind in DEAR)
        period = self._quirk(0.3, kind, "period") + 0.1 * log2(nbits)
        period += self._quirk(0.03, kind, schedule, lanes, "period")
        found = {"area_um2": exp(area), "min_period_ns": exp(period)}
        return {**found, COST: 5 + exp(area) / 1000}

    def facts(
        self, composition: Composition, about: dict, *, energy: bool = False
    ) -> Iterable[Fact]:
        """Figures as facts of an outline, or of the whole flow, with energies."""
        names = {COST: "flow_cpu_seconds" if energy else "synthesis_cpu_seconds"}
        common = {"nbits": composition.configuration.nbits, "stage": "synthesized", **about}
        common |= {"choices": choices_text(composition.changed), "provenance": composition.point}
        figures = {**self.figures(composition), "clock_ns": about["clock_ns"]}
        for name, value in figures.items():
            yield Fact(composition.subject, names.get(name, name), value, "measured", **common)
        for operation in OPERATIONS if energy else ():
            cycles = mean_cycles(composition, operation, OPERATION_COUNT)
            done = {"cycles": cycles, "energy_nj": cycles * figures["area_um2"] / 1e6}
            for name, value in done.items():
                yield Fact(
                    composition.subject, name, value, "measured", operation=operation, **common
                )

    def _quirk(self, deviation: float, *what: object) -> float:
        return random.Random(repr((self.seed, *what))).gauss(0, deviation)
