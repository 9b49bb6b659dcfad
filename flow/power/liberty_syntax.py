"""Reads the syntax of Liberty files: groups and attributes, by one regular expression.

A statement is an attribute, ``name : value ;`` or ``name (arguments) ;``, or a group,
``name (arguments) { statements }``. The end of a line may stand for a semicolon.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.store.whole_files import read_whole

_DEEPEST = 100  #: deepest nesting of groups; libraries have about eight
_LARGEST = 1e60  #: largest magnitude of a number, so that products of a few numbers are finite
_LONGEST = 300  #: most characters of a message
_GZIP = b"\x1f\x8b"
_CUT = "does not end; is the file cut?"

# Repetitions are atomic, so that Python's matcher does not try a text in several ways; each
# repetition of a group takes the matcher 160 bytes, so that repetitions have limits.
_COMMENT = r"/\*.*?\*/|//[^\n]*+"
_CONTINUED = r"\\\r?\n"
_NAME = r"[A-Za-z_][\w.$-]{0,200}+"
_IN_LINE = rf"(?>(?:[ \t\r\f\v]++|{_CONTINUED}|{_COMMENT}){{0,1000}})"
_GAP = rf"(?>(?:\s++|{_CONTINUED}|{_COMMENT}){{0,1000}})"
_STRING = r'"[^"\\]*+(?>(?:\\.[^"\\]*+){0,100000})"'
_BARE = rf'(?>(?:[^\n;{{}}"/\\]++|/(?![*/])|{_CONTINUED}){{1,1000}})'
_COLON = rf':(?:{_GAP}(?=")|{_IN_LINE})'
_VALUE = rf"(?:{_STRING}|{_BARE})"
_ARGUMENTS = rf'(?>(?:[^(){{}};"/\\]++|/(?![*/])|{_STRING}|{_COMMENT}|{_CONTINUED}){{0,100000}})'
_FLAGS = re.ASCII | re.DOTALL
_STATEMENT = re.compile(
    rf"""[\s;]*+
    (?: ({_NAME}){_GAP}
        (?: {_COLON}({_VALUE}){_IN_LINE}(?:;|(?=[\n}}])|\Z)
        |   \(({_ARGUMENTS})\)(?:{_GAP}(\{{))?
        )
    |   (\}}) | (\Z) | {_COMMENT} | {_CONTINUED} | (.)
    )""",
    _FLAGS | re.VERBOSE,
)
#: The parts of a statement, to find the one that is wrong.
_BEGIN = re.compile(f"({_NAME}){_GAP}", _FLAGS)
_BEFORE_VALUE = re.compile(_COLON, _FLAGS)
_BEFORE_SEMICOLON = re.compile(_VALUE + _IN_LINE, _FLAGS)
_BEFORE_PARENTHESIS = re.compile(rf"\({_ARGUMENTS}", _FLAGS)
_WORD = re.compile(rf"\w+|{_STRING}|{_COMMENT}|.", _FLAGS)

_ARGUMENT = re.compile(rf'{_COMMENT}|{_CONTINUED}|({_STRING}|(?:[^\s,"/\\]++|/(?![*/]))+)', _FLAGS)
_IS_NAME = re.compile(r"[!-~]{1,200}")
_BETWEEN_NUMBERS = str.maketrans('",', "  ")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_UNIT = re.compile(r"([\d.]+)([kmunpf]?)([a-z]+)", re.ASCII)
_PREFIXES = {"": 1.0, "k": 1e3, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15}


class LibertyError(PowerError):
    """A fault at a place of a Liberty file, to which ``liberty_file`` adds file and line."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(message)
        self.at = at


class Attribute(NamedTuple):
    """An attribute: its name, its place in the file, and its value or else its arguments."""

    name: str
    at: int
    written_value: str | None
    written_arguments: str | None

    @property
    def value(self) -> str | None:
        """The value without quotes; None if the attribute has arguments."""
        return None if self.written_value is None else _unquoted(self.written_value)

    @property
    def arguments(self) -> list[str]:
        """The arguments without quotes; none if the attribute has a value."""
        return _words(self.written_arguments or "")


class LibertyGroup:
    """A group of a Liberty file; if an attribute stands twice, the last one counts."""

    __slots__ = ("at", "attributes", "children", "name", "written_arguments")

    def __init__(self, name: str, at: int, arguments: str) -> None:
        self.name = name
        self.at = at
        self.written_arguments = arguments
        self.attributes: list[Attribute] = []
        self.children: list[LibertyGroup] = []

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"

    @property
    def arguments(self) -> list[str]:
        """The arguments, without quotes."""
        return _words(self.written_arguments)

    def names(self) -> list[str]:
        """Return the arguments; they must be names, such as pins or cells of the group."""
        names = self.arguments
        for name in names or [""]:
            if not _IS_NAME.fullmatch(name):
                raise LibertyError(self.at, f"expected a name in {self.name} (...), found {name!r}")
        return names

    def groups(self, *names: str) -> Iterator[LibertyGroup]:
        return (x for x in self.children if x.name in names)

    def has(self, name: str) -> bool:
        return self._find(name) is not None

    def get(self, name: str) -> str | None:
        """Return the value of an attribute, without quotes; None if there is none."""
        found = self._find(name)
        return None if found is None else found.value

    def number(self, name: str, default: float | None = None) -> float:
        """Return a numeric attribute; without a default it is required."""
        text = self.get(name)
        if text is None and default is not None:
            return default
        number = None if text is None else _number(text)
        if number is None:
            found = "which is missing" if text is None else f"not {_shown(text)}"
            raise self.fault(f"{name} must be a number, {found}", name)
        return number

    def numbers(self, name: str) -> np.ndarray | None:
        """Return an attribute of numbers such as `values` as a flat array; None without it."""
        rows = self.rows(name)
        return rows[-1] if rows else None

    def rows(self, name: str) -> list[np.ndarray]:
        """Return all attributes of a name, each as an array of its numbers."""
        return [self._row(x) for x in self.attributes if x.name == name]

    def unit(self, name: str, base: str, default: str | None = None) -> float:
        """Return a unit such as ``"1ns"`` or ``(1, ff)`` in SI; `base` is the unit's letter."""
        found = self._find(name)
        words = default if found is None else found.value or "".join(found.arguments)
        if words is None:
            raise self.fault(f"{name} is missing")
        parts = _UNIT.fullmatch(words.replace(" ", "").lower())
        number = _number(parts[1]) if parts and parts[3] == base else None
        if parts is None or not number:
            raise self.fault(f"{name}: not a unit of {base}: {_shown(words)}", name)
        return number * _PREFIXES[parts[2]]

    def function(self, name: str) -> BooleanFunction | None:
        """Return an attribute that is a Boolean function of pins."""
        text = self.get(name)
        try:
            return BooleanFunction.parse(text) if text else None
        except PowerError as error:
            raise self.fault(f"{name}: {error}", name) from error

    def fault(self, message: str, name: str = "") -> LibertyError:
        found = self._find(name)
        return LibertyError(self.at if found is None else found.at, f"{self}: {message}")

    def _find(self, name: str) -> Attribute | None:
        found = [x for x in self.attributes if x.name == name]
        return found[-1] if found else None

    def _row(self, attribute: Attribute) -> np.ndarray:
        text = attribute.written_arguments or ""
        if "/" in text or "\\" in text:
            text = " ".join(attribute.arguments)
        words = text.translate(_BETWEEN_NUMBERS).split()
        try:
            numbers = np.array([float(x) for x in words])
        except ValueError:
            numbers = np.array([math.nan])
        # Python takes 1_0 and digits of other scripts for numbers, too.
        if "_" in text or not text.isascii() or not words or not np.all(abs(numbers) < _LARGEST):
            wrong = next((x for x in words if _number(x) is None), attribute.value or "")
            message = f"{attribute.name} must be numbers in parentheses, not {_shown(wrong)}"
            raise LibertyError(attribute.at, f"{self}: {message}")
        return numbers


@contextmanager
def liberty_file(path: str | Path) -> Iterator[LibertyGroup]:
    """Give the library group of a Liberty file to a ``with`` statement.

    A ``LibertyError`` in it, or wrong syntax, becomes a ``PowerError`` with file and line.
    """
    try:
        content = read_whole(path)
    except OSError as error:
        raise PowerError(f"cannot read the Liberty file {path}: {error.strerror}") from error
    if content.startswith(_GZIP):
        raise PowerError(f"{path}: compressed by gzip; the flow needs the unpacked file")
    text = content.decode("utf-8-sig", errors="replace")
    try:
        yield _library(text)
    except LibertyError as fault:
        message = _cut(" ".join(str(fault).split()), _LONGEST)
        raise PowerError(f"{path}, line {_line(text, fault.at)}: {message}") from fault


def _library(text: str) -> LibertyGroup:
    group = LibertyGroup("", 0, "")
    outer: list[LibertyGroup] = []
    for found in _STATEMENT.finditer(text):
        name, value, arguments, opens, closes, end, wrong = found.groups()
        if name is not None:
            at = found.start(1)
            if not opens:
                group.attributes.append(Attribute(name, at, value, arguments))
                continue
            if len(outer) == _DEEPEST:
                raise LibertyError(at, f"{name} is nested in more than {_DEEPEST} groups")
            outer.append(group)
            group = LibertyGroup(name, at, arguments)
            outer[-1].children.append(group)
        elif closes:
            if not outer:
                raise LibertyError(found.start(5), "expected no '}', because no group is open")
            group = outer.pop()
        elif wrong:
            raise _fault(text, found.start(7))
        elif end is not None:
            break
    if outer:
        raise LibertyError(group.at, f"the group that begins here {_CUT}")
    return _only_library(group, len(text))


def _only_library(file: LibertyGroup, end: int) -> LibertyGroup:
    found: list[LibertyGroup | Attribute] = [*file.children, *file.attributes]
    first, *others = found or [LibertyGroup("", end, "")]
    if not file.children or first.name != "library":
        raise LibertyError(first.at, "this is not a Liberty file: it has no library group")
    if others:
        raise LibertyError(
            others[0].at, f"expected one library group alone, found {others[0].name}"
        )
    return file.children[0]


def _fault(text: str, at: int) -> LibertyError:
    """Return what is wrong with the statement that begins at a place of the text."""
    begin = _BEGIN.match(text, at)
    if begin is None:
        return _unexpected(text, at, at, "an attribute, a group or '}'")
    name, end = begin[1], begin.end()
    if colon := _BEFORE_VALUE.match(text, end):
        value = _BEFORE_SEMICOLON.match(text, colon.end())
        if value is None:
            return _unexpected(text, at, colon.end(), f"the value of {name}")
        return _unexpected(text, at, value.end(), f"';' after the value of {name}")
    if arguments := _BEFORE_PARENTHESIS.match(text, end):
        return _unexpected(text, at, arguments.end(), f"')' after the arguments of {name}")
    return _unexpected(text, at, end, f"':' or '(' after {name}")


def _unexpected(text: str, begin: int, at: int, expected: str) -> LibertyError:
    word = _WORD.match(text, at)
    found = word[0] if word else "the end of the file"
    for mark, what in (('"', "string"), ("/", "comment")):
        if found == mark and text.startswith(("/*", '"'), at):
            return LibertyError(at, f"the {what} that begins here {_CUT}")
    if (first := _line(text, begin)) != _line(text, at):
        expected += f", which begins in line {first}"
    if word:
        found = "the end of the line" if found == "\n" else _shown(found)
    return LibertyError(at, f"expected {expected}, found {found}")


def _line(text: str, at: int) -> int:
    return 1 + text.count("\n", 0, at)


def _words(text: str) -> list[str]:
    """Split arguments; comments are left out, and strings lose their quotes."""
    return [_unquoted(x) for x in _ARGUMENT.findall(text) if x]


def _unquoted(text: str) -> str:
    if "\\" in text:
        text = re.sub(_CONTINUED, " ", text).replace('\\"', '"')
    return text[1:-1] if text.startswith('"') else text.strip()


def _number(text: str) -> float | None:
    """Return a number; None if the text is not one, or the number is too large."""
    number = float(text) if _NUMBER.fullmatch(text.strip()) else math.inf
    return number if abs(number) < _LARGEST else None


def _shown(text: str) -> str:
    return repr(_cut(text, 40))


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}..."
