"""Whether a design does what it should: its circuits, its models, its manners."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import catalog
import cl
import fl
import rtl
from eval.measure.errors import one_line
from eval.measure.job import Job, Measurement, Progress
from eval.measure.memo import ENGINES, memoize
from eval.rank import checks, operands, outside, workload
from eval.rank.checks import Circuit, drawn_indices
from eval.rank.handed import Handed, Refused
from eval.rank.limited import limited
from eval.rank.operands import Operands
from eval.rank.outside import Limits, Translated
from flow import requests
from flow.subjects import given as given_module
from sim.batch import SimulationError
from sim.native.toolchain import ToolError, find_toolchain

_SOURCES = (
    *(Path(str(package.__path__[0])) for package in (fl, cl, rtl, catalog)),
    *(Path(str(m.__file__)) for m in (requests, given_module)),
    Path(checks.__file__).parent,
    ENGINES,
)
# Narrow enough for every modulus to be met, the second one no power of two.
_NARROW = (8, 13)
_MODELLED = 400
_LEAST_ROWS = 200
# Of a circuit in the native engine, for one pass over all rows.
_CYCLES = 3e8


@dataclass(frozen=True)
class Verdict:
    """What became of a design.

    Parameters
    ----------
    label, name, summary
        Its name in the ranking, its design's name, and what that says of itself.
    kind, reason, replay
        Why it is not ranked, and the command that shows it; empty for one that is right.
    confined
        Whether the kernel kept its Python from the files of others.
    seed
        By which its vectors were drawn.
    vectors
        Operands at each width.
    skipped
        Widths that it does not have, and why.
    cycles
        Mean cycles by operation of the workload.
    circuit
        The circuit of the width that is measured, as ``GivenDesign.as_json`` gives it.
    """

    label: str
    name: str = ""
    summary: str = ""
    kind: str = ""
    reason: str = ""
    replay: str = ""
    confined: bool = True
    seed: int = 0
    vectors: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    cycles: dict[str, float] = field(default_factory=dict)
    circuit: dict[str, Any] | None = None


@dataclass(frozen=True)
class Task:
    """What is asked of each design.

    Parameters
    ----------
    nbits
        Width that is measured, in bits.
    count
        Random vectors at each width.
    seed
        Of the vectors; None to draw one.
    limits
        Of each step.
    """

    nbits: int
    count: int
    seed: int | None
    limits: Limits

    @property
    def widths(self) -> list[int]:
        """Widths that are checked, the one that is measured first."""
        return [self.nbits, *(x for x in _NARROW if x < self.nbits)]


def assessment(handed: Handed, task: Task) -> Measurement:
    """Job that gives the verdict on a design, for JSON; it has no facts."""
    job = Job(f"check {handed.label}", assess, (handed, task), task.nbits, assess)
    return Measurement(job, lambda result: ())


def assess(handed: Handed, task: Task, progress: Progress | None = None) -> dict[str, Any] | None:
    """Give a verdict, or the one that was given on the same files.

    Where no seed is asked for, the verdict that is kept has its own.

    Raises
    ------
    Refused
        If it takes too long or too much memory: on a faster machine, it may not.
    ToolError
        If there is no compiler: that is no verdict on the design, and is not kept as one.
    """
    inputs = {"digest": handed.digest, "label": handed.label, **asdict(task), "limits": None}

    def measure(tell: Progress) -> dict[str, Any]:
        find_toolchain()
        return asdict(_verdict(handed, task, tell))

    return memoize(f"rank {handed.label}", inputs, _SOURCES, measure, progress)


def _verdict(handed: Handed, task: Task, progress: Progress) -> Verdict:
    found: dict[str, Any] = {"label": handed.label}
    try:
        progress("translation")
        design = outside.translated(handed, task.widths, task.limits)
        found |= {"name": design.name, "summary": design.summary, "confined": design.confined}
        found["skipped"] = {str(k): v for k, v in design.skipped.items()}
        # only now: who writes Verilog can't know them
        seed = secrets.randbits(32) if task.seed is None else task.seed
        found["seed"] = seed
        progress(f"vectors of seed {seed}, at {', '.join(map(str, design.circuits))} bits")
        checked = limited(task.limits, "checking it", check, handed, design, task.count, seed)
        found["vectors"] = {str(width): len(rows) for width, (rows, _) in checked.rows.items()}
        progress("its models")
        _check_models(handed, design, checked, seed, task.limits)
        circuit = design.circuits[task.nbits].as_json()
        return Verdict(**found, cycles=checked.cycles, circuit=circuit)
    except Refused as error:
        if error.kind == "limits":
            raise
        return Verdict(**found, kind=error.kind, reason=error.reason, replay=error.replay)


@dataclass(frozen=True)
class Checked:
    """Operands and their cycles at each width, and the mean cycles of the workload."""

    rows: dict[int, tuple[list[Operands], list[int]]]
    cycles: dict[str, float]


def check(handed: Handed, design: Translated, count: int, seed: int) -> Checked:
    """Check the circuits of a design.

    Raises
    ------
    Refused
        With the first fault, at the least width.
    """
    found = {}
    try:
        for width, given in sorted(design.circuits.items()):
            circuit = Circuit(handed, design.name, given)
            rows = _affordable(circuit, operands.draw(given, count, seed), seed)
            found[width] = rows, circuit.check(rows, seed)
        return Checked(found, workload.workload_cycles(given, seed))
    except (ToolError, SimulationError) as error:  # a loop, or no Verilog at all
        raise Refused("verilog", one_line(error)) from error


def _affordable(circuit: Circuit, rows: Sequence[Operands], seed: int) -> list[Operands]:
    """Draw as many as can be simulated, where a wide circuit takes long for each."""
    most = (1 << circuit.given.nbits) - 1
    longest = max(x or 0 for x in circuit.run([(most // 2, most, most)]).cycles)
    count = max(_LEAST_ROWS, int(_CYCLES / max(1, longest)))
    if len(rows) <= count:
        return list(rows)
    return random.Random(f"affordable/{seed}").sample(rows, count)


def _check_models(
    handed: Handed, design: Translated, checked: Checked, seed: int, limits: Limits
) -> None:
    """Compare what the design's models say of some of the operands."""
    chosen = {
        width: drawn_indices(_MODELLED, len(rows), seed)
        for width, (rows, _) in checked.rows.items()
    }
    asked = {width: [checked.rows[width][0][i] for i in x] for width, x in chosen.items()}
    answers = outside.answers(handed, design.name, asked, limits)
    for width, indices in chosen.items():
        circuit = Circuit(handed, design.name, design.circuits[width])
        cycles = [checked.rows[width][1][index] for index in indices]
        circuit.compare_models(asked[width], cycles, answers[width])
