"""Estimates processor time and memory of measurements, by a model fitted to earlier measurements.

A power law gives cells from multiplier and width; straight lines give seconds and MB from cells.
``python -m tools.costs`` fits the coefficients in ``eval/data/costs.json`` anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rsaxcel.circuit import Circuit
from rsaxcel.eval.facts.described import axes_of

DATA = Path(__file__).parents[1] / "data" / "costs.json"  #: coefficients of the model

LEDGER = "ledger.jsonl"  #: ledger of a sweep: a line of JSON for each job that has ended

_SLACK = 1.5  #: margin: factor on the memory that the model estimates

#: Coefficients: of a straight line (value at 0 cells, slope), or of a power law (factor, power).
Line = tuple[float, float]


@dataclass(frozen=True)
class Cost:
    """Estimated cost of a measurement."""

    seconds: float  #: processor time
    memory_mb: float  #: memory of the largest process, with a margin


def cost_of(measure: str, configuration: Circuit) -> Cost:
    """Estimate the cost of a measurement; unknown multipliers cost as the largest known one."""
    model = _model()
    laws = model["cells"]
    known = laws.get(axes_of(configuration)["multiplier"])
    each = [known] if known else laws.values()
    cells = max(factor * configuration.nbits**power for factor, power in each)
    seconds, memory_mb = (_on(model[x][measure], cells) for x in ("seconds", "memory_mb"))
    return Cost(seconds, _SLACK * memory_mb)


@cache
def _model() -> Mapping[str, Any]:
    return json.loads(DATA.read_text(encoding="utf-8"))


def _on(line: Line, cells: float) -> float:
    return line[0] + line[1] * cells
