"""Answers to the questions of a rubric, which students hand in as ``answers.toml``."""

from __future__ import annotations

import base64
import json
import math
import os
import shlex
import stat
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

from rsaxcel.course.rank.assess import DesignVerdict
from rsaxcel.course.rank.handed import Handed
from rsaxcel.course.rank.ranking import Ranked
from rsaxcel.course.rank.rubric import Question, Rubric
from rsaxcel.eval.measure.job import Progress
from rsaxcel.sim.check.refused import Refused
from rsaxcel.store.errors import UserError

FILE = "answers.toml"
_SECONDS = 1800
_LARGEST = 1 << 14  #: bytes of a file of answers; tomllib needs quadratic time for long keys
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def template(questions: Sequence[Question]) -> str:
    """Text of a file of answers, to be filled in."""
    return "".join(f'{x.key} = ""  # {x.text}\n' for x in questions)


def solved(questions: Sequence[Question]) -> str:
    """Text of a file with the right answers."""
    return "".join(f"{x.key} = {json.dumps(expected(x))}\n" for x in questions)


def read(folder: str) -> dict[str, object]:
    """Read the answers in a folder, as ``handed.read`` reads a design."""
    try:
        descriptor = os.open(Path(folder, FILE), _OPEN)
    except OSError as error:
        raise Refused("broken", f"{FILE}: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise Refused("broken", f"{FILE}: not a regular file")
    with open(descriptor, "rb") as file:
        content = file.read(_LARGEST + 1)
    return {"files": {FILE: base64.b64encode(content).decode()}, "lacks": [], "settings": None}


def graded(handed: Sequence[Handed], rubric: Rubric, progress: Progress) -> list[Ranked]:
    """Compare the answers of students with what the commands of the questions print."""
    found = []
    for one in handed:
        progress(f"answers of {one.label}")
        about: dict[str, Any] = {"label": one.label, "files": not one.problem}
        try:
            if one.problem:
                raise Refused("broken", one.problem)
            given = parsed(base64.b64decode(one.files[FILE]))
            about["answers"] = {x.key: what_is_wrong(x, given) for x in rubric.questions}
        except Refused as error:
            about |= {"kind": error.kind, "reason": error.reason}
        found.append(Ranked(None, DesignVerdict(**about), {}))
    return found


def parsed(content: bytes) -> dict[str, Any]:
    """Answers of a file, by key; ``Refused`` if it is none."""
    if len(content) > _LARGEST:
        raise Refused("broken", f"{FILE}: more than {_LARGEST >> 10} KB")
    try:
        return tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("broken", f"{FILE}: {error}") from error


def what_is_wrong(question: Question, answers: Mapping[str, object]) -> str:
    """Say what is wrong with an answer; empty if it is right."""
    given = answers.get(question.key, "")
    if given == "":
        return "no answer"
    right = expected(question)
    if isinstance(right, bool):
        told = "wrong" if isinstance(given, bool) else "true or false is asked for"
        return "" if given is right else told
    if isinstance(right, str):
        return "" if given == right else "wrong"
    if isinstance(given, bool) or not isinstance(given, int | float):
        return "a number is asked for"
    return "" if math.isclose(given, right, rel_tol=question.tolerance) else "wrong"


def expected(question: Question) -> float | str | bool:
    """Right answer; ``UserError`` if the command fails, or has no such figure."""
    said = f"question {question.key}: rsaxcel {question.command}"
    lines = [
        x
        for x in _printed(question.command, question.input, said)
        if all(x.get(key) == value for key, value in question.where.items())
    ]
    try:
        value = reduce(lambda part, key: part[key], question.figure.split("."), lines[0])
    except (IndexError, KeyError, TypeError):
        value = None
    if not isinstance(value, int | float | str):
        raise UserError(f"{said}: no line with figure={question.figure!r}, where={question.where}")
    return value


@lru_cache(256)
def _printed(command: str, given: str, said: str) -> tuple[dict[str, Any], ...]:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rsaxcel", *shlex.split(command), "--json"],
            input=given,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UserError(f"{said}: no end within {_SECONDS} s") from error
    # Status 1 says that something is wrong or leaks, which may be what the question is about.
    if done.returncode not in (0, 1):
        raise UserError(f"{said}: {done.stderr.strip().rpartition(chr(10))[2]}")
    return tuple(map(json.loads, done.stdout.splitlines()))
