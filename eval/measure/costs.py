"""What a measurement takes: time of a core and memory, by a model that is fitted to what was taken.

Cells follow from multiplier and width by a power law, seconds and MB from the cells by straight
lines. ``eval/data/costs.json`` has the coefficients and says what they are fitted to;
``python -m tools.costs`` fits them anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from catalog import AnyConfiguration

DATA = Path(__file__).parents[1] / "data" / "costs.json"
"""Coefficients of the model."""

LEDGER = "ledger.jsonl"
"""File of a sweep with a line for each job that was done, as JSON: what it was about, when and
where it was done, what it took, and why there is no result."""

_SLACK = 1.5  # memory that a job may take over what the model says

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
