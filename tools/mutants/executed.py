"""Finds the lines that run when a circuit is built; faults in other lines do not affect it."""

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple


class Use(NamedTuple):
    """Use of a source file by a design, multiplier or system (an entry)."""

    variants: str  #: classes with their arguments
    lines: list[int]  #: lines executed with default parameters
    more: list[int]  #: further lines, executed with another value of a parameter


@contextmanager
def executed(root: Path) -> Iterator[dict[str, set[int]]]:
    """Record the lines that are executed in the block, by file relative to ``root``."""
    found: dict[str, set[int]] = {}
    top = f"{root}/"

    def begin(frame: FrameType, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(top):
            return None
        lines = found.setdefault(file.removeprefix(top), set())

        def step(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add(frame.f_lineno)
            return step

        return step

    before = sys.gettrace()
    sys.settrace(begin)
    try:
        yield found
    finally:
        sys.settrace(before)


def building(source: str, line: int) -> set[int]:
    """Return lines of which at least one is executed when a circuit with a given line is built.

    For a line in an update block, these are its decorators and ``def``, because building a circuit
    does not execute the block's body; for any other line, the innermost statement around it.
    """
    around = [x for x in ast.walk(ast.parse(source)) if isinstance(x, ast.stmt) and _has(x, line)]
    if not around:
        return set()
    around.sort(key=_first)
    functions = [x for x in around if isinstance(x, ast.FunctionDef)]
    built = functions[1] if len(functions) > 1 else around[-1]
    body = getattr(built, "body", None)
    return set(range(_first(built), body[0].lineno if body else _last(built) + 1))


def _first(statement: ast.stmt) -> int:
    return min([statement.lineno, *(x.lineno for x in getattr(statement, "decorator_list", ()))])


def _last(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _has(statement: ast.stmt, line: int) -> bool:
    return _first(statement) <= line <= _last(statement)
