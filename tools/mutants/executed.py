"""Finds the source lines that are executed when a circuit is built.

Faults in lines that are not executed do not affect the circuit.
"""

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple


class Use(NamedTuple):
    """How a design, multiplier or system (an entry) uses a source file.

    Parameters
    ----------
    variants : str
        Classes of the file that the entry uses, with their arguments.
    lines : list of int
        Lines that are executed when the circuit is built with default parameters.
    more : list of int
        Further lines that are executed when the circuit is built with other values of a parameter.
    """

    variants: str
    lines: list[int]
    more: list[int]


@contextmanager
def executed(root: Path) -> Iterator[dict[str, set[int]]]:
    """Record the lines that are executed inside the ``with`` statement.

    Parameters
    ----------
    root : Path
        Folder of the recorded files.

    Yields
    ------
    dict of str to set of int
        Executed lines so far, by file relative to ``root``.
    """
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

    For a line in an update block, these are the first lines of the block (decorators and ``def``),
    because building a circuit does not execute the block's body. For any other line, they are the
    lines of the innermost statement around it.

    Parameters
    ----------
    source : str
        A source file.
    line : int
        Number of the line, from 1.
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
