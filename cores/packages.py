"""Gives parameters of packages and of inner modules other values: a top has no way to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

SEPARATOR = "::"
"""Between a package or module and its parameter."""


def with_parameters(files: Sequence[Path], given: Mapping[str, int | str]) -> dict[Path, str]:
    """Text of the files that declare parameters ``package::name``, with the given values.

    ``ValueError`` for a parameter that no package or module of the files has.
    """
    found: dict[Path, str] = {}
    left = dict(given)
    for file in files if given else ():
        text = file.read_text("utf-8", errors="replace")
        changes = [x for x in _defaults(text) if x[0] in left]
        for name, start, end in sorted(changes, key=lambda x: -x[1]):
            value = left.pop(name)
            shown = f'"{value}"' if isinstance(value, str) else str(value)
            text = f"{text[:start]}{shown}{text[end:]}"
        if changes:
            found[file] = text
    for name in left:
        package, _, parameter = name.partition(SEPARATOR)
        raise ValueError(
            f"no package or module {package!r} with a parameter {parameter!r} is there"
        )
    return found


def _defaults(text: str) -> list[tuple[str, int, int]]:
    """Names of parameters of packages and modules, and where their values begin and end."""
    from pyslang import syntax

    if not text.isascii():  # slang counts bytes; comments alone have other letters
        text = "".join(x if x.isascii() else "?" for x in text)
    root: Any = syntax.SyntaxTree.fromText(text).root
    is_unit = root.kind == syntax.SyntaxKind.CompilationUnit  # a package alone is the root itself
    found = []
    for member in root.members if is_unit else [root]:
        for declaration in _declarations(member):
            for each in getattr(declaration, "declarators", ()):
                if getattr(each, "initializer", None):
                    name = f"{member.header.name.valueText}{SEPARATOR}{each.name.valueText}"
                    place = each.initializer.expr.sourceRange
                    found.append((name, place.start.offset, place.end.offset))
    return found


def _declarations(member: Any) -> Iterator[Any]:
    kind = str(member.kind).rpartition(".")[2]
    if kind == "ModuleDeclaration" and member.header.parameters:
        yield from member.header.parameters.declarations
    if kind in ("ModuleDeclaration", "PackageDeclaration"):
        statements = [x for x in member.members if hasattr(x, "parameter")]
        yield from (x.parameter for x in statements)
