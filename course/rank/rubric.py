"""A rubric: points for criteria, cases and limits, and until when hand-ins count."""

from __future__ import annotations

import hmac
import tomllib
from datetime import datetime, timedelta
from math import ceil
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from rsaxcel.course.project import convert
from rsaxcel.course.testing.cases import random_power_cases
from rsaxcel.sim.corners import Operands
from rsaxcel.store.errors import UserError

#: Points unless given, and a description for each criterion, in the order of the checks.
CRITERIA = {
    "builds": (1, "it can be translated, and has the interface of an exponentiator"),
    "manners": (1, "it keeps to its own files and to the limits of time and memory"),
    "results": (3, "every result and status is right"),
    "state": (1, "no answer depends on earlier requests"),
    "model": (1, "the golden model gives Python's results"),
    "cycles": (1, "the cycle model gives the circuit's cycles"),
    "flow": (1, "it goes through the flow, and its netlist computes the workload"),
    "programs": (1, "its programs in C compute powers, by its accelerator"),
    "text": (1, "no TODO is left, sources are named, classes have docstrings"),
}

_LARGEST = 1 << 20
_DAY = timedelta(days=1)

Points = Annotated[float, Meta(ge=0)]
Number = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1, le=10_000)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """Powers that have to be right; students see the operands of visible ones alone."""

    name: Name
    points: Points
    rows: Annotated[list[tuple[Number, Number, Number]], Meta(max_length=10_000)] = field(
        default_factory=list
    )  #: base, exponent, modulus
    random: Count | None = None  #: number of drawn rows with odd moduli, in place of ``rows``
    visible: bool = False


class Limit(Struct, frozen=True, forbid_unknown_fields=True):
    """A limit of a figure of the measurement."""

    figure: Literal["area_um2", "min_period_ns", "cycles", "time_us", "energy_nj"]
    most: Annotated[float, Meta(gt=0)]
    points: Points


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """A question whose right answer a command prints when the hand-in is graded."""

    key: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]  #: of the answer
    text: Name
    points: Points
    command: str  #: of rsaxcel, without this word and without --json
    figure: str  #: keys of the value in a line of JSON: operations.decrypt.cycles
    where: dict[str, str | int | bool] = field(default_factory=dict)  #: of this line, of several
    input: str = ""  #: standard input of the command
    tolerance: Annotated[float, Meta(ge=0, lt=1)] = 0.02  #: of a number, as a share


class Late(Struct, frozen=True, forbid_unknown_fields=True):
    """Price of a late hand-in."""

    points_per_day: Points  #: for each day that has begun
    days: Annotated[int, Meta(ge=1)] | None = None  #: after these, there are no points


class Rubric(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a rubric; without one, criteria alone have points."""

    title: str = ""
    kind: Literal["multiplier", "exponentiator", "xcel"] | None = None  #: of projects; else any
    secret: str = ""  #: of the seeds, so that students cannot draw the hidden rows
    seed: Number = 0
    deadline: Annotated[datetime, Meta(tz=True)] | None = None
    late: Late | None = None
    points: dict[str, Points] = field(default_factory=dict)  #: by criterion of ``CRITERIA``
    cases: list[Case] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)  #: answers are handed in, no design

    def most(self, criterion: str) -> float:
        return self.points.get(criterion, CRITERIA[criterion][0])

    def digest(self, student: str, seed: int | None) -> bytes:
        """Draw a student's random bytes, which only the secret tells."""
        text = f"{self.seed if seed is None else seed}/{student}"
        return hmac.digest(self.secret.encode(), text.encode(), "sha256")

    def rows(self, digest: bytes, nbits: int) -> list[list[Operands]]:
        """Rows of each case, for the random bytes of a student."""
        return [
            list(case.rows)
            if case.random is None
            else [
                x.operands
                for x in random_power_cases(nbits, case.random, int.from_bytes(digest) + number)
            ]
            for number, case in enumerate(self.cases)
        ]

    def days_late(self, at: datetime | None) -> int:
        """Days since the deadline, the last one begun; 0: in time, or nothing is known."""
        if self.deadline is None or at is None or at <= self.deadline:
            return 0
        return ceil((at - self.deadline) / _DAY)


CRITERIA_ALONE = Rubric()


def read_rubric(file: Path, nbits: int) -> Rubric:
    """Read a rubric for circuits of a width; ``UserError`` for the first mistake, in one line."""
    if file.stat().st_size > _LARGEST:
        raise UserError(f"--rubric={file}: more than {_LARGEST >> 20} MB")
    try:
        return parsed(file.read_text(encoding="utf-8"), nbits)
    except (UnicodeDecodeError, UserError) as error:
        raise UserError(f"--rubric={file}: {error}") from error


def parsed(text: str, nbits: int) -> Rubric:
    """Rubric for circuits of a width; ``UserError`` for the first mistake."""
    try:
        found = convert(tomllib.loads(text), Rubric)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserError(str(error)) from error
    if told := _mistake(found, nbits):
        raise UserError(told)
    return found


def _mistake(rubric: Rubric, nbits: int) -> str:
    if unknown := rubric.points.keys() - CRITERIA:
        return f"points.{min(unknown)}: {', '.join(CRITERIA)} are allowed"
    if rubric.questions and (rubric.points or rubric.cases or rubric.limits or rubric.kind):
        return "questions: without points, cases, limits and kind, which are for designs"
    keys = [x.key for x in rubric.questions]
    for key in keys:
        if keys.count(key) > 1:
            return f"question {key}: there is one of this key already"
    names = [x.name for x in rubric.cases]
    for case in rubric.cases:
        if names.count(case.name) > 1:
            return f"case {case.name}: there is one of this name already"
        if bool(case.rows) == bool(case.random):
            return f"case {case.name}: rows, or a number of random ones, are allowed"
        if case.random and not case.visible and not rubric.secret:
            return f"case {case.name}: hidden random rows need a secret, as any text"
        for base, exponent, modulus in case.rows:
            if max(base, exponent, modulus) >> nbits:
                row = f"{base}, {exponent}, {modulus}"
                return f"case {case.name}: {row}: more than the {nbits} bits of --nbits"
    if rubric.late and not rubric.deadline:
        return "late: a deadline is needed, such as 2026-12-01T23:59:00+01:00"
    return ""
