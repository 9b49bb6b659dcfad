"""Table: a table of a description, whose values are checked when they are read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rsaxcel.cores import formulas
from rsaxcel.cores.errors import DescriptionError

_LARGEST = 1 << 18  #: bytes of a description
_LONGEST = 2000  #: characters of a text
_SHOWN = 40  #: characters of a wrong value in a message
_MOST_NBITS = 4096  #: bits of a number; Python writes longer ones in decimal slowly, or not at all
_MOST_DOTS = 2000  #: dots in a line; tomllib keeps each beginning of a key with dots

_REQUIRED: Any = object()


@dataclass(frozen=True)
class Table:
    """A table at a place of a file."""

    content: Mapping[str, Any]
    file: str  #: name of the file, as users write it
    lines: Mapping[Keys, int] = field(repr=False)
    keys: Keys = ()  #: keys that lead from the top of the file to the table

    def only(self, *allowed: str) -> Table:
        """Refuse keys that are not allowed."""
        for key in self.content:
            if key not in allowed:
                self.fail(key, f"key {shown_value(key)} is unknown; allowed: {', '.join(allowed)}")
        return self

    def fail(self, key: str | int | None, message: str, *, named: bool = False) -> Any:
        """Raise the error for a key, or for the table; ``named``: the message needs the name."""
        where = (*self.keys, key) if key is not None else self.keys
        line = next(
            (self.lines[where[:n]] for n in range(len(where), 0, -1) if where[:n] in self.lines), 1
        )
        name = f"{dotted(where)}: " if named else ""
        raise DescriptionError(f"{self.file}:{line}: {name}{message}")

    @contextmanager
    def told(self, key: str | None = None) -> Iterator[None]:
        """Give ``ValueError`` of what is made from the table the place of the table or of a key."""
        try:
            yield
        except DescriptionError:
            raise
        except ValueError as error:
            self.fail(key, str(error))

    def __contains__(self, key: str) -> bool:
        return key in self.content

    def _get(self, key: str, default: Any, kind: type | tuple[type, ...], words: str) -> Any:
        if key not in self.content:
            if default is _REQUIRED:
                at = f" in {dotted(self.keys)}" if self.keys else ""
                self.fail(None, f"key '{key}' is missing{at}; {words} is needed")
            return default
        found = self.content[key]
        wrong_flag = isinstance(found, bool) and kind is not bool
        if not isinstance(found, kind) or wrong_flag:
            self.fail(key, f"{shown_value(found)}; {words} is allowed", named=True)
        return found

    def text(self, key: str, default: str = _REQUIRED) -> str:
        found = self._get(key, default, str, "a text")
        if len(found) > _LONGEST or not found.isprintable():
            self.fail(
                key, f"a text of one line and at most {_LONGEST} characters is allowed", named=True
            )
        return str(found)

    def flag(self, key: str, default: bool) -> bool:
        return bool(self._get(key, default, bool, "true or false"))

    def choice(self, key: str, allowed: Sequence[str], default: str = _REQUIRED) -> str:
        found = self._get(key, default, str, f"one of {', '.join(allowed)}")
        if found not in allowed and key in self.content:
            self.fail(
                key, f"{shown_value(found)} is unknown; allowed: {', '.join(allowed)}", named=True
            )
        return str(found)

    def number(
        self,
        key: str,
        default: int = _REQUIRED,
        *,
        nbits: int = 0,
        least: int = 0,
        most: int = (1 << 63) - 1,
    ) -> int:
        """Integer, or the value of a formula of ``nbits``."""
        found = self._get(key, default, (int, str), "a whole number, or a formula of nbits,")
        if isinstance(found, str):
            try:
                found = formulas.value(found, nbits=nbits)
            except formulas.FormulaError as error:
                self.fail(key, f"{shown_value(found)}: {error}", named=True)
        if found < least and key in self.content:
            self.fail(key, f"{shown_value(found)}; at least {least} is allowed", named=True)
        if found > most and key in self.content:
            power = most.bit_length()
            allowed = f"2**{power} - 1" if most + 1 == 1 << power else f"2**{power - 1}"
            self.fail(key, f"{shown_value(found)}; at most {allowed} is allowed", named=True)
        return int(found)

    def quantity(self, key: str) -> float:
        found = self._get(key, _REQUIRED, (int, float), "a number")
        if not 0 <= found < 1e18:  # also not a number
            self.fail(key, f"{shown_value(found)}; 0 to 1e18 are allowed", named=True)
        return float(found)

    def texts(self, key: str, default: Sequence[str] = _REQUIRED) -> tuple[str, ...]:
        """List of texts; one text stands for a list of one."""
        found = self._get(key, default, (str, list, tuple), "a text or a list of texts")
        listed = [found] if isinstance(found, str) else found
        for x in listed:
            if not isinstance(x, str) or not x.isprintable() or len(x) > _LONGEST:
                self.fail(
                    key, f"{shown_value(x)}; a text or a list of texts is allowed", named=True
                )
        return tuple(listed)

    def table(self, key: str, default: Mapping[str, Any] = _REQUIRED) -> Table:
        found = self._get(key, default, dict, "a table")
        return Table(found, self.file, self.lines, (*self.keys, key))

    def tables(self, key: str, most: int = 1000) -> list[Table]:
        """Give the tables of a list; one table stands for a list of one."""
        found = self._get(key, _REQUIRED, (list, dict), "a list of tables")
        if isinstance(found, dict):
            return [self.table(key)]
        if not 1 <= len(found) <= most:
            self.fail(key, f"{len(found)} tables; 1 to {most} are allowed", named=True)
        for index, x in enumerate(found):
            if not isinstance(x, dict):
                inner = Table({}, self.file, self.lines, (*self.keys, key))
                inner.fail(index, f"{shown_value(x)}; a table in braces is allowed", named=True)
        return [
            Table(x, self.file, self.lines, (*self.keys, key, index))
            for index, x in enumerate(found)
        ]


def read(file: Path, shown: str) -> Table:
    """Read a file of TOML; ``shown`` is its name in messages."""
    try:
        if not file.is_file():
            raise DescriptionError(f"{shown}: there is no such file")
        if not file.resolve().is_relative_to(file.parent.resolve()):
            raise DescriptionError(f"{shown}: the link leads out of its folder; a file is allowed")
        if file.stat().st_size > _LARGEST:
            raise DescriptionError(f"{shown}: it has more than {_LARGEST >> 10} KB")
        text = file.read_text("utf-8")
        if sum(line.count(".") ** 2 for line in text.split("\n")) > _MOST_DOTS**2:
            raise DescriptionError(f"{shown}: no TOML: more than {_MOST_DOTS} dots in a line")
        table = Table(tomllib.loads(text), shown, lines_of(text))
        _check_numbers(table)
        return table
    except OSError as error:
        raise DescriptionError(f"{shown}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DescriptionError(f"{shown}: byte {error.start} is not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(f"{shown}: no TOML: {error}") from error
    except ValueError as error:
        if isinstance(error, DescriptionError):
            raise
        raise DescriptionError(
            f"{shown}: a number with more digits than {_MOST_NBITS} bits have"
        ) from None
    except RecursionError:
        raise DescriptionError(f"{shown}: no TOML: too many brackets in each other") from None


def _check_numbers(table: Table) -> None:
    """Refuse numbers with so many bits that they cannot be shown."""
    left: list[tuple[Keys, Any]] = [((), table.content)]
    while left:
        keys, value = left.pop()
        if isinstance(value, dict):
            left += (((*keys, key), x) for key, x in value.items())
        elif isinstance(value, list):
            left += (((*keys, index), x) for index, x in enumerate(value))
        elif isinstance(value, int) and value.bit_length() > _MOST_NBITS:
            place = Table({}, table.file, table.lines, keys)
            place.fail(None, f"{shown_value(value)}; {_MOST_NBITS} are allowed", named=True)


def dotted(keys: Keys) -> str:
    """Name of a place, such as ``protocol.operation[3].write``."""
    found = ""
    for key in keys:
        found += f"[{key + 1}]" if isinstance(key, int) else f".{key}"
    return found.removeprefix(".")


def shown_value(value: Any) -> str:
    """Give a value as a message has it: in one line, and short."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >> 128:
        return "a number of more than 128 bits"
    text = repr(value) if isinstance(value, str | int | float) else type(value).__name__
    text = {"dict": "a table", "list": "a list", "True": "true", "False": "false"}.get(text, text)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


# No maintained library tells positions: tomlkit keeps the text of each item, not its place.

Keys = tuple[str | int, ...]

_TOKEN = re.compile(
    r"""(?P<string>\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    |(?P<comment>\#[^\n]*)
    |(?P<newline>\n)
    |(?P<mark>[\[\]{},=.])
    |(?P<bare>[^\s\[\]{},=.\#"']+)""",
    re.VERBOSE | re.DOTALL,
)


def lines_of(text: str) -> dict[Keys, int]:
    """Give the line of each key and of each item of an array, by its path; the TOML is valid."""
    return _Scan(text).lines


class _Scan:
    def __init__(self, text: str) -> None:
        self.lines: dict[Keys, int] = {}
        self._line = 1
        self._tokens = self._split(text)
        self._counts: dict[Keys, int] = {}  #: tables of each array of tables
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
        table: Keys = ()
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

    def _nested(self, key: list[str], is_array: bool) -> Keys:
        """Give the path of a header; a table in an array belongs to the array's last item."""
        path: Keys = ()
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

    def _pair(self, table: Keys) -> None:
        line = self._line
        path = table
        for part in self._key():
            path = (*path, part)
            self.lines.setdefault(path, line)
        self._next()  # =
        self._value(path)

    def _value(self, path: Keys) -> None:
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
