"""A design's side channels: test of time on the model, t-tests on the synthesized netlist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from catalog import Configuration
from eval.leakage.measure import Campaign, TestResult, calibration
from eval.leakage.recorder import Recorder
from eval.leakage.timing import Timing
from flow.errors import FlowError
from flow.outline import find_netlist, run_netlist

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """What ``rsaxcel leak`` measures.

    Parameters
    ----------
    configuration
        The design.
    tests
        Names of the tests; see ``operands.classes_of``.
    traces, noise, seed
        See ``measure.Campaign``.
    library, clock_ns
        Standard cells, and clock period of synthesis.
    """

    configuration: Configuration
    tests: Sequence[str]
    traces: int
    noise: float
    seed: int
    library: str
    clock_ns: float


def measured(
    asked: Asked, tell: Tell, advance: Callable[[int], object], directory: Path | None = None
) -> list[TestResult]:
    """Run the t-tests on the netlist; synthesize it if the flow has not done so yet.

    Raises
    ------
    FlowError
        If a node of the flow fails, or the netlist gives wrong results.
    ValueError
        If a test does not suit the design.
    """
    where: Any = (asked.configuration, asked.library, asked.clock_ns)
    found = find_netlist(*where, directory=directory)
    if found is None:
        run_netlist(*where, progress=tell, directory=directory)
        found = find_netlist(*where, directory=directory)
    if found is None:
        raise FlowError(f"{asked.configuration.name}: the netlist of the flow is gone")
    files, key = found
    make = cache(
        partial(
            Recorder.of_files,
            asked.configuration,
            files,
            asked.library,
            calibration(asked.configuration),
        )
    )
    return [
        Campaign(
            asked.configuration, test, asked.seed, asked.traces, asked.noise, make, key
        ).result(advance)
        for test in asked.tests
    ]


def contradictions(timings: Sequence[Timing]) -> list[str]:
    """Say where cycles vary although the design declares that they do not."""
    return [
        f"{x.operand}_dependent is declared false, but the cycles vary from {x.least:,} to "
        f"{x.most:,} with the {x.operand}: base, exponent, modulus {x.example[0]} and "
        f"{x.example[1]}"
        for x in timings
        if x.contradicts
    ]
