"""``python -m tools.costs build/sweeps/NAME...``: fits a model of measurements' time and memory.

It writes ``eval/data/costs.json`` from jobs of sweeps and the flow's records in this folder.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import nnls

from rsaxcel import catalog
from rsaxcel.eval.facts.points import BUILD, choices_of
from rsaxcel.eval.facts.projection import power_law
from rsaxcel.eval.facts.table import read_facts
from rsaxcel.eval.measure.costs import DATA, LEDGER, Line
from rsaxcel.flow.earlier import earlier_results
from rsaxcel.flow.record import Record

_FACTS = "facts.csv"


@dataclass(frozen=True)
class Size:
    """Number of cells of a circuit."""

    multiplier: str
    nbits: int
    cells: float


@dataclass(frozen=True)
class Taken(Size):
    """Cost of a job of a sweep."""

    measure: str
    seconds: float  #: CPU time
    memory_mb: float  #: memory of the largest process


def fit(taken: Iterable[Taken], sizes: Iterable[Size] = ()) -> dict[str, Any]:
    """Fit the model to the costs of jobs, and to the sizes of further circuits.

    By multiplier, a power law gives cells from the width; with a single width, cells are
    proportional to it. By kind of measurement, straight lines give seconds and MB from cells; with
    a single size, the mean.
    """
    taken = list(taken)
    by_multiplier: dict[str, list[tuple[float, float]]] = defaultdict(list)
    by_measure: dict[str, list[Taken]] = defaultdict(list)
    for size in (*taken, *sizes):
        by_multiplier[size.multiplier].append((size.nbits, size.cells))
    for x in taken:
        by_measure[x.measure].append(x)
    cells = {name: _rounded(power_law(points)) for name, points in sorted(by_multiplier.items())}
    lines = {
        of: {
            measure: _line([(x.cells, getattr(x, of)) for x in some])
            for measure, some in sorted(by_measure.items())
        }
        for of in ("seconds", "memory_mb")
    }
    return {"cells": cells, **lines}


def _rounded(law: Line) -> Line:
    factor, power = law
    return round(factor, 4), round(power, 3)


def _line(points: list[tuple[float, float]]) -> Line:
    """Fit a straight line by least squares, with coefficients of at least 0."""
    x, y = np.array(points).T
    if len(set(x)) == 1:
        return round(float(np.mean(y)), 3), 0.0
    (base, slope), _ = nnls(np.stack([np.ones_like(x), x], axis=1), y)
    return round(float(base), 3), round(float(slope), 7)


def read_taken(folder: Path) -> Iterator[Taken]:
    """Yield the costs of a sweep's finished jobs whose circuit the sweep has synthesized."""
    cells = {
        (fact.subject, fact.nbits, fact.choices): float(fact.value)
        for fact in read_facts(folder / _FACTS)
        if fact.quantity == "cell_count" and not fact.part
    }
    for line in (folder / LEDGER).read_text(encoding="utf-8").splitlines():
        noted = json.loads(line)
        key = noted["design"], noted["nbits"], noted["choices"]
        if noted["done"] and key in cells:
            multiplier = _multiplier(key[0], choices_of(noted["choices"]))
            took = noted["core_seconds"], noted["memory_mb"]
            yield Taken(multiplier, key[1], cells[key], noted["measure"], *took)


def read_sizes(build: Path) -> Iterator[Size]:
    """Yield the numbers of cells of the designs in the flow's records."""
    for earlier in earlier_results(build / "flow", build / "fpga"):
        if earlier.design in catalog.DESIGNS and isinstance(earlier.result, Record):
            multiplier = _multiplier(earlier.design, earlier.params)
            yield Size(multiplier, earlier.nbits, earlier.result.cell_count)


def _multiplier(design: str, choices: Mapping[str, Any]) -> str:
    return choices.get("multiplier", catalog.get(design).multiplier.name)


def main(folders: list[str]) -> None:
    """Fit the model to the sweeps in some folders, and write it to ``eval/data/costs.json``."""
    taken = [x for folder in folders for x in read_taken(Path(folder))]
    if not taken:
        sys.exit("usage: python -m tools.costs build/sweeps/NAME...")
    sizes = list(read_sizes(BUILD))
    most = max(x.cells for x in taken)
    source = f"{len(taken)} jobs on circuits of up to {most:,.0f} cells, {len(sizes)} records"
    found, earlier = fit(taken, sizes), json.loads(DATA.read_text(encoding="utf-8"))
    # Multipliers and kinds of measurements without jobs keep their earlier coefficients.
    merged = {name: {**earlier[name], **found[name]} for name in found}
    text = json.dumps({"source": source, **merged}, indent=1)
    DATA.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
