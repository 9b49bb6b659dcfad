"""One planted fault: a span of a source file and its replacement."""

import hashlib
from dataclasses import dataclass

RESET = "reset"
#: "line": a dropped assignment; "reset": any change of reset logic
KINDS = ("operator", "constant", "condition", RESET, "line", "connection")


@dataclass(frozen=True)
class Fault:
    """A change of one expression or statement."""

    path: str  #: path relative to the top of the tree
    kind: str  #: kind of the fault, one of KINDS
    scope: str  #: class, method and block, such as "Divider.construct.seq_state"
    line: int  #: first line with a replaced byte
    start: int  #: first replaced byte of the file
    end: int  #: end of the replaced bytes: offset after the last one
    text: str  #: replacement
    was: str  #: source lines before the change, joined to one
    becomes: str  #: source lines after the change, joined to one
    content: str  #: digest of the file without the fault

    @property
    def key(self) -> str:
        """Unique key of the fault; it changes when the file changes."""
        parts = (self.path, self.content, str(self.start), str(self.end), self.text)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"

    def is_in(self, path: str) -> bool:
        """Return whether the fault is in ``path``, which is a file or a folder of the tree."""
        return self.path == path or self.path.startswith(f"{path.rstrip('/')}/")

    def plant(self, source: bytes) -> bytes:
        """Return the file with the fault; ``ValueError`` if it has changed since the draw."""
        if digest(source) != self.content:
            raise ValueError(f"{self.path}: has changed since the fault was drawn")
        return source[: self.start] + self.text.encode() + source[self.end :]


def digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()[:20]


class SourceText:
    """A source file as bytes; converts the positions of Python's parser to offsets."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """Return the offset in the file of a line (counted from 1) and a column in bytes."""
        return self._starts[line - 1] + column

    def in_parentheses(self, start: int, end: int) -> bool:
        """Return whether a span stands directly in parentheses, maybe those of a call."""
        return self.source[start - 1 : start] == b"(" and self.source[end : end + 1] == b")"

    def lines(self, start: int, end: int, text: str | None = None) -> str:
        """Return the lines of a span joined to one line; ``text`` replaces the span if given."""
        first = self.source.rfind(b"\n", 0, start) + 1
        last = self.source.find(b"\n", end)
        last = len(self.source) if last < 0 else last
        middle = self.source[start:end].decode() if text is None else text
        whole = self.source[first:start].decode() + middle + self.source[end:last].decode()
        return " ".join(whole.split())
