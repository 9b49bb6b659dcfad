"""One planted fault: a span of a source file and its replacement."""

import hashlib
from dataclasses import dataclass

RESET = "reset"
KINDS = ("operator", "constant", "condition", RESET, "line", "connection")
"""Kinds of faults. ``operator``: another operator or a dropped operand; ``constant``: another
number or named constant; ``condition``: an inverted condition; ``reset``: any change of reset
logic; ``line``: a dropped assignment; ``connection``: another connected signal."""


@dataclass(frozen=True)
class Fault:
    """A change of one expression or statement.

    Parameters
    ----------
    path : str
        File, relative to the top of the tree.
    kind : str
        One of ``KINDS``.
    scope : str
        Enclosing class and functions, such as ``Divider.construct.seq_state``.
    line : int
        Number of the first line that is replaced.
    start, end : int
        Replaced bytes of the file, from ``start`` to ``end - 1``.
    text : str
        Replacement.
    was, becomes : str
        The source lines that contain the replaced bytes, joined to one line: before the change, and
        after it.
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
        """Unique key of the fault; it changes when the file changes."""
        parts = (self.path, self.content, str(self.start), str(self.end), self.text)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]

    @property
    def place(self) -> str:
        """File and line of the fault."""
        return f"{self.path}:{self.line}"

    def is_in(self, path: str) -> bool:
        """Return whether the fault is in ``path``, which is a file or a folder of the tree."""
        return self.path == path or self.path.startswith(f"{path.rstrip('/')}/")

    def plant(self, source: bytes) -> bytes:
        """Return the content of the file with the fault.

        Raises
        ------
        ValueError
            If the file has changed since the fault was drawn.
        """
        if digest(source) != self.content:
            raise ValueError(f"{self.path}: has changed since the fault was drawn")
        return source[: self.start] + self.text.encode() + source[self.end :]


def digest(source: bytes) -> str:
    """Digest of a file."""
    return hashlib.sha256(source).hexdigest()[:20]


class Text:
    """A source file as bytes; converts the positions of Python's parser to offsets.

    Parameters
    ----------
    source : bytes
        Content of the file.
    """

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """Return the offset in the file of a line (counted from 1) and a column in bytes."""
        return self._starts[line - 1] + column

    def in_parentheses(self, start: int, end: int) -> bool:
        """Return whether a span stands directly in parentheses; they may belong to a call."""
        return self.source[start - 1 : start] == b"(" and self.source[end : end + 1] == b")"

    def lines(self, start: int, end: int, text: str | None = None) -> str:
        """Return the lines of a span joined to one line; ``text`` replaces the span if given."""
        first = self.source.rfind(b"\n", 0, start) + 1
        last = self.source.find(b"\n", end)
        last = len(self.source) if last < 0 else last
        middle = self.source[start:end].decode() if text is None else text
        whole = self.source[first:start].decode() + middle + self.source[end:last].decode()
        return " ".join(whole.split())
