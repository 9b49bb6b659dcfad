"""One planted fault: a piece of a source file and what stands there instead."""

import hashlib
from dataclasses import dataclass

RESET = "reset"
KINDS = ("operator", "constant", "condition", RESET, "line", "connection")
"""What is changed: an operator or an operand of one, a number or named constant, whether an ``if``
takes its branch, anything that ``s.reset`` decides, an assignment (dropped), what is connected."""


@dataclass(frozen=True)
class Fault:
    """A change of one expression or statement.

    Parameters
    ----------
    path : str
        File, from the top of the tree.
    kind : str
        One of ``KINDS``.
    scope : str
        Class and function around it, such as ``Divider.construct.seq_state``.
    line : int
        Number of the line in which it begins.
    start, end : int
        Bytes of the file that are replaced: from the first one to the one before ``end``.
    text : str
        What stands there instead.
    was, becomes : str
        The lines around it, without and with the fault, as one line each.
    content : str
        Digest of the file without the fault.
    """

    path: str
    kind: str
    scope: str
    line: int
    start: int
    end: int
    text: str
    was: str
    becomes: str
    content: str

    @property
    def key(self) -> str:
        """Names the fault: another one has another key, and so has it in another file."""
        parts = (self.path, self.content, str(self.start), str(self.end), self.text)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.path}:{self.line}"

    def is_in(self, path: str) -> bool:
        """Whether its file is this one, or in this folder."""
        return self.path == path or self.path.startswith(f"{path.rstrip('/')}/")

    def plant(self, source: bytes) -> bytes:
        """Give the file with the fault.

        Raises
        ------
        ValueError
            If the file is another one.
        """
        if digest(source) != self.content:
            raise ValueError(f"{self.path}: has changed since the fault was drawn")
        return source[: self.start] + self.text.encode() + source[self.end :]


def digest(source: bytes) -> str:
    """Digest of a file."""
    return hashlib.sha256(source).hexdigest()[:20]


class Text:
    """A source file as bytes, by the positions that Python's parser gives.

    Parameters
    ----------
    source : bytes
        The file.
    """

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """Offset of a line, counted from 1, and a column in bytes."""
        return self._starts[line - 1] + column

    def in_parentheses(self, start: int, end: int) -> bool:
        """Whether parentheses, or those of a call, stand right around a span."""
        return self.source[start - 1 : start] == b"(" and self.source[end : end + 1] == b")"

    def lines(self, start: int, end: int, text: str | None = None) -> str:
        """Give the lines around a span as one line, with another text in the span if given."""
        first = self.source.rfind(b"\n", 0, start) + 1
        last = self.source.find(b"\n", end)
        last = len(self.source) if last < 0 else last
        middle = self.source[start:end].decode() if text is None else text
        whole = self.source[first:start].decode() + middle + self.source[end:last].decode()
        return " ".join(whole.split())
