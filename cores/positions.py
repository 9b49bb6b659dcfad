"""Line numbers of the keys of a file in TOML, which ``tomllib`` does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

# No maintained library tells positions: tomlkit keeps the text of each item, not its place.

Path = tuple[str | int, ...]

_TOKEN = re.compile(
    r"""(?P<string>\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    |(?P<comment>\#[^\n]*)
    |(?P<newline>\n)
    |(?P<mark>[\[\]{},=.])
    |(?P<bare>[^\s\[\]{},=.\#"']+)""",
    re.VERBOSE | re.DOTALL,
)


def lines_of(text: str) -> dict[Path, int]:
    """Give the line of each key and of each item of an array, by its path; the TOML is valid."""
    return _Scan(text).lines


class _Scan:
    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._line = 1
        self._tokens = self._split(text)
        self._counts: dict[Path, int] = {}  #: tables of each array of tables
        self._current = next(self._tokens)
        self._read()

    def _split(self, text: str) -> Iterator[tuple[str, str]]:
        for match in _TOKEN.finditer(text):
            kind, token = str(match.lastgroup), match[0]
            if kind != "comment":
                yield kind, token
            self._line += token.count("\n")
        yield "end", ""

    def _next(self) -> str:
        token = self._current[1]
        self._current = next(self._tokens, ("end", ""))
        return token

    def _after_newlines(self) -> str:
        """Skip ends of lines; return the token that follows."""
        while self._current[0] == "newline":
            self._next()
        return self._current[1]

    def _read(self) -> None:
        table: Path = ()
        while self._after_newlines():
            line = self._line
            if self._current[1] == "[":
                self._next()
                is_array = self._current[1] == "["
                table = self._nested(self._key("["), is_array)
                self.lines.setdefault(table, line)
                self._next()
                if is_array:
                    self._next()
            else:
                self._pair(table)

    def _nested(self, key: list[str], is_array: bool) -> Path:
        """Give the path of a header; a table in an array belongs to the array's last item."""
        path: Path = ()
        for position, part in enumerate(key, 1):
            path = (*path, part)
            last = position == len(key)
            if last and is_array:
                self.lines.setdefault(path, self._line)
                self._counts[path] = self._counts.get(path, -1) + 1
            if path in self._counts:
                path = (*path, self._counts[path])
        return path

    def _key(self, first: str = "") -> list[str]:
        """Read a key with dots, and what stands before it."""
        while first and self._current[1] == first:
            self._next()
        parts = [self._part()]
        while self._current[1] == ".":
            self._next()
            parts.append(self._part())
        return parts

    def _part(self) -> str:
        kind, token = self._current
        self._next()
        return token[1:-1] if kind == "string" else token

    def _pair(self, table: Path) -> None:
        line = self._line
        path = table
        for part in self._key():
            path = (*path, part)
            self.lines.setdefault(path, line)
        self._next()  # =
        self._value(path)

    def _value(self, path: Path) -> None:
        mark = self._current[1] if self._current[0] == "mark" else ""
        if mark == "{":
            self._next()
            while self._after_newlines() not in ("}", ""):
                if self._current[1] == ",":
                    self._next()
                else:
                    self._pair(path)
            self._next()
        elif mark == "[":
            self._next()
            index = 0
            while self._after_newlines() not in ("]", ""):
                if self._current[1] == ",":
                    self._next()
                    continue
                self.lines[*path, index] = self._line
                self._value((*path, index))
                index += 1
            self._next()
        else:
            while self._current[0] in ("bare", "string") or self._current[1] == ".":
                self._next()
