"""Checks handed-in designs: circuits, models, and whether their Python does anything forbidden."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any

import catalog
import cl
import diagnosis
import fl
import rtl
from course.rank import outside, workload
from course.rank.handed import Handed
from course.rank.limited import limited
from course.rank.outside import Limits, Translated
from eval.measure.errors import one_line
from eval.measure.job import Job, Measurement, Progress
from eval.measure.memo import ENGINES, memoize
from flow import requests
from flow.subjects import given as given_module
from flow.subjects.given import GivenDesign
from sim import check as check_package
from sim import corners, power_of_halves, replay, vectors
from sim import operation as operation_module
from sim import operations as operations_module
from sim.batch import SimulationError
from sim.check.behaviour import check_behaviour, compare, compare_models
from sim.check.compositions import NARROW, OVERLAPS
from sim.check.literals import numbers_of
from sim.check.operands import MODELLED, Operands, as_many_as, draw, drawn_indices
from sim.check.refused import Refused
from sim.check.subject import Subject
from sim.native.toolchain import ToolError, find_toolchain
from sim.operations import Power
from sim.replay import sim_command

_COMPARISON = (corners, operation_module, operations_module, power_of_halves, replay, vectors)
_SOURCES = (
    *(Path(str(package.__path__[0])) for package in (fl, cl, rtl, catalog)),
    *(Path(str(m.__file__)) for m in (requests, given_module)),
    Path(outside.__file__).parent,
    *map(Path, check_package.__path__),
    *map(Path, diagnosis.__path__),
    *(Path(str(module.__file__)) for module in _COMPARISON),
    ENGINES,
)


@dataclass(frozen=True)
class Verdict:
    """Result of the checks of a design.

    Parameters
    ----------
    label, name, summary
        Name in the ranking, name of the design, and the design's own summary.
    kind, reason, replay
        Why the design is not ranked (``kind`` is a key of ``sim.check.refused.KINDS``), and the
        command that shows the fault; all are empty if the design passed.
    confined
        Whether the kernel denied the design's Python access to files outside its own folder.
    seed
        Seed of the vectors.
    vectors
        Number of vectors, by width in bits.
    skipped
        For each width that the design does not support, the reason, by width in bits.
    cycles
        Mean cycles of each operation of the workload, by the operation's name.
    circuit
        Circuit of the measured width, from ``GivenDesign.as_json``; None if the design is refused.
    lacks
        Unfinished parts of the design's files, such as TODO marks; see ``sim.check.lacking``.
    files
        Whether the folder has the files of a design.
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
    lacks: tuple[str, ...] = ()
    files: bool = True


@dataclass(frozen=True)
class Task:
    """Parameters of the checks of each design.

    Parameters
    ----------
    nbits
        Width in bits at which designs are measured.
    count
        Number of random vectors at each width.
    seed
        Seed of the vectors; None: a random seed.
    limits
        Limits of time and memory of each step.
    """

    nbits: int
    count: int
    seed: int | None
    limits: Limits

    @property
    def widths(self) -> list[int]:
        """Widths in bits at which designs are checked; the first is the measured width."""
        return [self.nbits, *(x for x in NARROW if x != self.nbits)]


def assessment(handed: Handed, task: Task) -> Measurement:
    """Return the job that checks a design; it gives a ``Verdict`` as JSON, not measured facts."""
    job = Job(f"check {handed.label}", assess, (handed, task), task.nbits, assess)
    return Measurement(job, lambda result: ())


def assess(handed: Handed, task: Task, progress: Progress | None = None) -> dict[str, Any] | None:
    """Return the verdict on a design, as JSON; a stored verdict on the same files is reused.

    If ``task.seed`` is None, the stored verdict may have been found with any random seed. Without
    ``progress``, no design is checked: the result is the stored verdict, or None.

    Raises
    ------
    Refused
        If the checks exceed a limit. This is not stored, because a faster machine may succeed.
    ToolError
        If there is no C++ compiler. This says nothing about the design, so it is not stored.
    """
    of = {name: str(getattr(handed, name)) for name in ("digest", "problem", "label", "folder")}
    inputs = {**of, **asdict(task), "limits": None}

    def measure(tell: Progress) -> dict[str, Any]:
        find_toolchain()
        return asdict(_verdict(handed, task, tell))

    return memoize(f"rank {handed.label}", inputs, _SOURCES, measure, progress)


def _verdict(handed: Handed, task: Task, progress: Progress) -> Verdict:
    found: dict[str, Any] = {"label": handed.label, "lacks": handed.lacks}
    if handed.problem:
        return Verdict(**found, kind="broken", reason=handed.problem, files=False)
    try:
        progress("translation")
        design = outside.translated(handed, task.widths, task.limits)
        found |= {"name": design.name, "summary": design.summary, "confined": design.confined}
        found["skipped"] = {str(k): v for k, v in design.skipped.items()}
        # Drawn after the translation, so that the Verilog can't contain the vectors.
        seed = secrets.randbits(32) if task.seed is None else task.seed
        found["seed"] = seed
        progress(f"vectors of seed {seed}, at {', '.join(map(str, design.circuits))} bits")
        checked = limited(task.limits, "checking it", check, handed, design, task, seed)
        found["vectors"] = {str(width): len(rows) for width, (rows, _) in checked.rows.items()}
        progress("its models")
        _check_models(handed, design, checked.rows, seed, task.limits)
        if checked.one_lane:
            _check_models(handed, design, checked.one_lane, seed, task.limits, on_one_lane=True)
        circuit = design.circuits[task.nbits].as_json()
        return Verdict(**found, cycles=checked.cycles, circuit=circuit)
    except Refused as error:
        if error.kind == "limits":
            raise
        return Verdict(**found, kind=error.kind, reason=error.reason, replay=error.replay)


Rows = dict[int, tuple[list[Operands], list[int]]]
"""Operands, and the cycles that the circuit takes for each of them, by width in bits."""


@dataclass(frozen=True)
class Checked:
    """Operands that a design's circuits computed correctly, and the cycles that they took.

    Parameters
    ----------
    rows, one_lane
        Operands and their cycles, by width. ``rows`` ran on the circuits as designed, ``one_lane``
        on circuits of the same design in which the two products of a step share one lane.
    cycles
        Mean cycles of each operation of the workload, by the operation's name.
    """

    rows: Rows
    one_lane: Rows
    cycles: dict[str, float]


def check(handed: Handed, design: Translated, task: Task, seed: int) -> Checked:
    """Check the circuits of a design, and run the workload on the circuit of the measured width.

    Raises
    ------
    Refused
        At the first fault; the narrowest circuit is checked first.
    """
    found: Rows = {}
    one_lane: Rows = {}
    try:
        for width, given in sorted(design.circuits.items()):
            subject = _subject(handed, given)
            named = numbers_of(given.text, width)
            rows = _affordable(subject, draw(given.rules, task.count, seed, named), seed)
            found[width] = rows, check_behaviour(subject, rows, seed)
        for width, (other, params) in design.one_lane.items():
            subject = _subject(handed, other, params)
            batch = subject.run(found[width][0])
            compare(subject, found[width][0], batch, "wrong", "")
            one_lane[width] = found[width][0], [int(x) for x in batch.cycles if x is not None]
        cycles = workload.workload_cycles(design.circuits[task.nbits], seed)
        return Checked(found, one_lane, cycles)
    except (ToolError, SimulationError) as error:  # loops, invalid Verilog
        raise Refused("verilog", one_line(error)) from error


def _subject(
    handed: Handed, given: GivenDesign, params: Mapping[str, str] = MappingProxyType({})
) -> Subject:
    """Return a circuit in the form that ``sim.check`` needs.

    The command that repeats a fault contains ``params`` as its parameters.
    """
    to_do = Power(given.rules)
    command = sim_command(given.name, given.nbits, params)
    if handed.folder is not None:
        command = f"RSAXCEL_DESIGNS={quote(str(handed.folder))} {command}"
    return Subject(
        given.nbits,
        to_do.keys,
        to_do.values,
        lambda row: given.expected(*row),
        given.run,
        command,
        Path("build", "rank"),
    )


def _affordable(subject: Subject, rows: Sequence[Operands], seed: int) -> list[Operands]:
    """Choose as many rows of operands as can be simulated in a few seconds.

    Each row is assumed to take as many cycles as an exponent of ``nbits`` ones.
    """
    most = (1 << subject.nbits) - 1
    longest = max(x or 0 for x in subject.run([(most // 2, most, most)]).cycles)
    return as_many_as(rows, longest, seed)


def _check_models(
    handed: Handed,
    design: Translated,
    checked: Rows,
    seed: int,
    limits: Limits,
    *,
    on_one_lane: bool = False,
) -> None:
    """Compare a design's models with Python's integers and with the circuit, on some operands.

    With ``on_one_lane``, compare models and circuits in which two products of a step share a lane.
    """
    circuits: dict[int, tuple[GivenDesign, Mapping[str, str]]] = {
        width: design.one_lane[width] if on_one_lane else (design.circuits[width], {})
        for width in checked
    }
    chosen = {width: drawn_indices(rows, MODELLED, seed) for width, (rows, _) in checked.items()}
    asked = {width: [checked[width][0][i] for i in x] for width, x in chosen.items()}
    params = {width: params for width, (_, params) in circuits.items()}
    answers = outside.answers(handed, asked, limits, params)
    for width, indices in chosen.items():
        subject = _subject(handed, *circuits[width])
        cycles = [checked[width][1][index] for index in indices]
        hint = OVERLAPS if on_one_lane else ""
        compare_models(subject, asked[width], cycles, answers[width], hint)
