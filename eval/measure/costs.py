"""What a measurement takes: time of a core and memory, by a model that is fitted to what was taken.

Cells follow from multiplier and width by a power law, seconds and MB from the cells by straight
lines. ``eval/data/costs.json`` has the coefficients and says what they are fitted to;
``python -m eval.measure.costs build/sweeps/NAME...`` fits them anew to what sweeps have noted, and
to the cells in the flow's records in the current folder.
"""

from __future__ import annotations

import csv
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import catalog
from catalog import AnyConfiguration
from flow.paths import STORE

DATA = Path(__file__).parents[1] / "data" / "costs.json"
"""Coefficients of the model."""

LEDGER = "ledger.jsonl"
"""File of a sweep with a line for each job that was done, as JSON: what it was about, when and
where it was done, what it took, and why there is no result."""

RECORDS = Path("build", "flow", STORE)
"""Where the flow's records are, in the current folder."""

_SLACK = 1.5  # memory that a job may take over what the model says
_FACTS = "facts.csv"

Line = tuple[float, float]
"""Value without cells, and what each adds."""


@dataclass(frozen=True)
class Cost:
    """What a measurement takes.

    Parameters
    ----------
    seconds : float
        Of a core.
    memory_mb : float
        Of its largest process, with slack.
    """

    seconds: float
    memory_mb: float


@dataclass(frozen=True)
class Size:
    """Cells of a circuit.

    Parameters
    ----------
    multiplier, nbits, cells
        Its multiplier, its width in bits, how many.
    """

    multiplier: str
    nbits: int
    cells: float


@dataclass(frozen=True)
class Taken(Size):
    """What a job of a sweep took.

    Parameters
    ----------
    measure
        What was measured.
    seconds, memory_mb
        Seconds of a core, memory of the largest process in MB.
    """

    measure: str
    seconds: float
    memory_mb: float


def cost_of(measure: str, configuration: AnyConfiguration) -> Cost:
    """Estimate what a measurement takes.

    Parameters
    ----------
    measure : str
        Of ``eval.sweep.spec.MEASURES``.
    configuration : AnyConfiguration
        A design or a multiplier; one that nobody has measured counts as the largest of all.
    """
    model = _model()
    laws = model["cells"]
    known = laws.get(configuration.multiplier.classes.name)
    each = [known] if known else laws.values()
    cells = max(factor * configuration.nbits**power for factor, power in each)
    seconds, memory_mb = (_on(model[x][measure], cells) for x in ("seconds", "memory_mb"))
    return Cost(seconds, _SLACK * memory_mb)


@cache
def _model() -> Mapping[str, Any]:
    return json.loads(DATA.read_text(encoding="utf-8"))


def _on(line: Line, cells: float) -> float:
    return line[0] + line[1] * cells


def fit(taken: Iterable[Taken], sizes: Iterable[Size] = ()) -> dict[str, Any]:
    """Fit the model to what jobs took, and to further circuits.

    A multiplier of one width gets cells in proportion to it, a measurement of one size of circuit
    what it took on the mean.
    """
    taken = list(taken)
    by_multiplier: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    by_measure: dict[str, list[Taken]] = defaultdict(list)
    for size in (*taken, *sizes):
        by_multiplier[size.multiplier][size.nbits].append(size.cells)
    for x in taken:
        by_measure[x.measure].append(x)
    cells = {name: _power_law(widths) for name, widths in sorted(by_multiplier.items())}
    lines = {
        of: {
            measure: _line([(x.cells, getattr(x, of)) for x in some])
            for measure, some in sorted(by_measure.items())
        }
        for of in ("seconds", "memory_mb")
    }
    return {"cells": cells, **lines}


def _power_law(widths: Mapping[int, list[float]]) -> Line:
    """Fit ``factor * nbits ** power`` to cells by width, logarithms by least squares."""
    x = np.log([nbits for nbits, cells in widths.items() for _ in cells])
    y = np.log([value for cells in widths.values() for value in cells])
    power = 1.0 if len(widths) < 2 else float(np.polyfit(x, y, 1)[0])
    return round(math.exp(float(np.mean(y - power * x))), 4), round(power, 3)


def _line(points: list[tuple[float, float]]) -> Line:
    """Fit a straight line by least squares, neither coefficient below 0."""
    x, y = np.array(points).T
    slope = 0.0
    if len(set(x)) > 1:
        slope = max(0.0, float(np.polyfit(x, y, 1)[0]))
    base = float(np.mean(y - slope * x))
    if base < 0:
        base, slope = 0.0, float(np.sum(x * y) / np.sum(x * x))
    return round(base, 3), round(slope, 7)


def read_taken(folder: Path) -> Iterator[Taken]:
    """Read what the jobs of a sweep took whose circuits it has synthesized."""
    cells: dict[tuple[str, int, str], float] = {}
    with (folder / _FACTS).open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["quantity"] == "cell_count" and not row["part"]:
                cells[row["subject"], int(row["nbits"]), row["choices"]] = float(row["value"])
    for line in (folder / LEDGER).read_text(encoding="utf-8").splitlines():
        noted = json.loads(line)
        key = noted["design"], noted["nbits"], noted["choices"]
        if noted["done"] and key in cells:
            choices = dict(x.split("=", 1) for x in noted["choices"].split(",") if x)
            size = _multiplier(key[0], choices), key[1], cells[key]
            took = noted["core_seconds"], noted["memory_mb"]
            yield Taken(*size, noted["measure"], *took)


def read_sizes(records: Path) -> Iterator[Size]:
    """Read how many cells the designs among the flow's records have."""
    for path in sorted(records.glob("record-*/record.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if (name := record["design"]) in catalog.DESIGNS:
            multiplier = _multiplier(name, record["params"])
            yield Size(multiplier, record["nbits"], record["cell_count"])


def _multiplier(design: str, choices: Mapping[str, Any]) -> str:
    return choices.get("multiplier", catalog.get(design).multiplier.name)


def main(folders: list[str]) -> None:
    """Fit the model to the ledgers of sweeps and write it."""
    taken = [x for folder in folders for x in read_taken(Path(folder))]
    if not taken:
        sys.exit("usage: python -m eval.measure.costs build/sweeps/NAME...")
    sizes = list(read_sizes(RECORDS))
    most = max(x.cells for x in taken)
    source = f"{len(taken)} jobs on circuits of up to {most:,.0f} cells, {len(sizes)} records"
    found, earlier = fit(taken, sizes), _model()
    # What no job has tried keeps what it has.
    merged = {name: {**earlier[name], **found[name]} for name in found}
    text = json.dumps({"source": source, **merged}, indent=1)
    DATA.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
