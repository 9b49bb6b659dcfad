"""What a field is stands in a comment with ``#:``, so that other comments can say why."""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
FOR_TOOLS = ("# noqa", "# type:")


def wrong_lines(text: str) -> Iterator[int]:
    """Yield the lines of comments beside or above fields that do not begin with ``#:``."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {token.start[0]: token for token in tokens if token.type == tokenize.COMMENT}
    alone = {at for at, token in comments.items() if token.line.lstrip().startswith("#")}
    classes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    for field in (x for own in classes for x in own.body if isinstance(x, ast.AnnAssign)):
        lines = {field.lineno, field.end_lineno} - alone
        above = field.lineno - 1
        while above in alone:
            lines.add(above)
            above -= 1
        for at in sorted(lines & comments.keys()):
            if not comments[at].string.startswith(("#:", *FOR_TOOLS)):
                yield at


@pytest.mark.parametrize("package", PACKAGES)
def test_what_a_field_is_begins_with_its_own_mark(package):
    files = [x for x in (ROOT / package).rglob("*.py") if "build" not in x.parts]
    found = {str(x.relative_to(ROOT)): [*wrong_lines(x.read_text("utf-8"))] for x in files}
    assert not {name: lines for name, lines in found.items() if lines}


def test_comments_beside_and_above_fields_are_found():
    text = """
class Point:
    # above
    x: int  # beside
    y: int = (
        0
    )  # at the end
    #: above
    z: int  #: beside
    w: int = 0  # noqa: A003
    # in front of a method
    def f(self):
        a: int = 0  # of a local name
"""
    assert list(wrong_lines(text)) == [3, 4, 7]
