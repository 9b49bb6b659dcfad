"""Finds TODO marks, units without a source document, and missing docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

UNNAMED = "nowhere yet"  #: placeholder of `source`, the document of a new multiplier

_OF_CORES = (".toml", ".v", ".vh", ".sv", ".svh")
_TODO = re.compile(r"\bTODO\b")


def lacking(files: Iterable[tuple[str, str]]) -> list[str]:
    """List unfinished parts of files (name, text), a line for each kind with all places."""
    todo: list[str] = []
    unnamed: list[str] = []
    undocumented: list[str] = []
    unread: list[str] = []
    for file, text in files:
        if not file.endswith(".py"):
            lines = enumerate(text.splitlines() if file.endswith(_OF_CORES) else (), 1)
            todo += [f"{file}:{n}" for n, line in lines if _TODO.search(line)]
            continue
        lines = enumerate(text.splitlines(), 1)
        todo += [f"{file}:{n}" for n, line in lines if _TODO.search(line.partition("#")[2])]
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            unread.append(f"{file}:{getattr(error, 'lineno', None) or 1}")
            continue
        unnamed += [f"{file}:{line}" for line in _unnamed_sources(tree)]
        undocumented += [f"{file}{name}" for name in _undocumented(tree)]
    told = {
        "no Python": unread,
        "TODO left": todo,
        "no source": unnamed,
        "no docstring": undocumented,
    }
    return [f"{what}: {', '.join(places)}" for what, places in told.items() if places]


def _unnamed_sources(tree: ast.Module) -> Iterator[int]:
    """Yield the line of each argument or attribute ``source`` that is empty or ``UNNAMED``."""
    for node in ast.walk(tree):
        named = isinstance(node, ast.keyword) and node.arg == "source"
        targets = node.targets if isinstance(node, ast.Assign) else []
        named |= any(isinstance(x, ast.Name) and x.id == "source" for x in targets)
        if named and isinstance(value := node.value, ast.Constant):  # type: ignore[attr-defined]
            if not isinstance(value.value, str) or value.value.strip() in ("", UNNAMED):
                yield value.lineno


def _undocumented(tree: ast.Module) -> Iterator[str]:
    """Yield places without a docstring: ``""`` for the module, ``:LINE`` for a public class."""
    if not ast.get_docstring(tree):
        yield ""
    for node in tree.body:
        public = isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        if public and not ast.get_docstring(node):  # type: ignore[arg-type]
            yield f":{node.lineno}"
