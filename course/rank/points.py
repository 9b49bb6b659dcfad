"""Points of a hand-in by the rubric, each with its reason in words for the student."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from rsaxcel.course.rank.rubric import CRITERIA, Case, Rubric
from rsaxcel.sim.check.refused import KINDS

if TYPE_CHECKING:
    from rsaxcel.course.rank.assess import DesignVerdict

PROGRAMS, CASES, LATE = "programs", "cases", "late"
#: Kinds of reasons for which a design is not ranked, with their texts.
REASONS = {**KINDS, PROGRAMS: "a program in C is wrong", CASES: "a case of the rubric is wrong"}

#: Criterion that a design fails, by the kind of its refusal. A refused design was not checked
#: against later criteria of ``CRITERIA``.
_FAILS = {
    "broken": "builds",
    "unknown": "builds",
    "verilog": "builds",
    "declared": "builds",
    "protocol": "builds",
    "touches": "manners",
    "limits": "manners",
    "wrong": "results",
    "state": "state",
    "workload": "state",
    "model": "model",
    "cycles": "cycles",
    "flow": "flow",
    "netlist": "flow",
    PROGRAMS: "programs",
}
_SHOWN = 8  #: most rows of a visible case in its description


@dataclass(frozen=True)
class Earned:
    """Points for a criterion, a case, a limit or an answer."""

    name: str
    title: str  #: what the points are for
    points: float
    most: float
    reason: str = ""  #: why points are missing

    @property
    def is_full(self) -> bool:
        return self.points >= self.most


def earned(
    verdict: DesignVerdict, figures: Mapping[str, float], rubric: Rubric, at: datetime | None
) -> list[Earned]:
    """Return the points of a hand-in; a late one may lose points at the end."""
    if rubric.questions:
        found = [*_answers(verdict, rubric)]
    else:
        found = [*_criteria(verdict, rubric), *_cases(verdict, rubric), *_limits(figures, rubric)]
    days = rubric.days_late(at)
    if not days:
        return found
    told = f"{days} {'day' if days == 1 else 'days'} after {rubric.deadline}"
    late, points = rubric.late, sum(x.points for x in found)
    lost = late.points_per_day * days if late else 0
    if late and late.days and days > late.days:
        lost, told = points, f"{told}: hand-ins count for {late.days} days"
    return [*found, Earned(LATE, "it is handed in in time", -min(lost, points), 0, told)]


def _answers(verdict: DesignVerdict, rubric: Rubric) -> Iterator[Earned]:
    for question in rubric.questions:
        told = verdict.reason if verdict.answers is None else verdict.answers[question.key]
        points = 0 if told else question.points
        yield Earned(question.key, question.text, points, question.points, told)


def _criteria(verdict: DesignVerdict, rubric: Rubric) -> Iterator[Earned]:
    has_programs = verdict.programs is not None
    names = [x for x in CRITERIA if x != "text" and (x != PROGRAMS or has_programs)]
    failed = _FAILS.get(verdict.kind, "")
    reached = names.index(failed) if failed else len(names)
    if failed and not verdict.name:  # no circuit: what is tried before is missing, too
        reached = 0
    for number, name in enumerate(names):
        most, title = rubric.most(name), CRITERIA[name][1]
        if name == failed:
            told = f"{REASONS[verdict.kind]}: {verdict.reason}"
        else:
            told = f"not tried, as {failed} failed" if number >= reached else ""
        yield Earned(name, title, 0 if told else most, most, told)
    # The criterion ``text`` does not depend on the checks.
    most, title = rubric.most("text"), CRITERIA["text"][1]
    lacks = "; ".join(verdict.lacks) if verdict.files else "nothing could be read"
    yield Earned("text", title, 0 if lacks else most, most, lacks)


def _cases(verdict: DesignVerdict, rubric: Rubric) -> Iterator[Earned]:
    for number, case in enumerate(rubric.cases):
        name, title = f"case {case.name}", _about(case)
        if number >= len(verdict.cases):
            told = f"not tried: {REASONS[verdict.kind]}" if verdict.kind else "not tried"
            yield Earned(name, title, 0, case.points, told)
            continue
        rows, wrong, first = verdict.cases[number]
        if not wrong:
            yield Earned(name, title, case.points, case.points)
            continue
        told = f"{wrong} of {rows} powers are wrong"
        yield Earned(name, title, 0, case.points, f"{told}; {first}" if case.visible else told)


def _about(case: Case) -> str:
    if case.random is not None:
        return f"{case.random} random powers{'' if case.visible else ', hidden'}"
    if not case.visible:
        return f"{len(case.rows)} hidden powers"
    rows = [f"{base}^{exponent} mod {modulus}" for base, exponent, modulus in case.rows[:_SHOWN]]
    return ", ".join(rows) + ", ..." * (len(case.rows) > _SHOWN)


def _limits(figures: Mapping[str, float], rubric: Rubric) -> Iterator[Earned]:
    for limit in rubric.limits:
        value = figures.get(limit.figure)
        title = f"{limit.figure} is at most {limit.most:g}"
        told = "not measured" if value is None else f"it is {value:.4g}"
        kept = value is not None and value <= limit.most
        yield Earned(
            f"limit {limit.figure} {limit.most:g}",
            title,
            limit.points if kept else 0,
            limit.points,
            "" if kept else told,
        )


def total(points: Sequence[Earned]) -> tuple[float, float]:
    """Return the sum of points, and the most that is possible."""
    return sum(x.points for x in points), sum(x.most for x in points)
