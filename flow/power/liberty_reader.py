"""Reads a Liberty file into the dataclasses of ``flow.power.liberty``.

The syntax, groups and attributes, is read by one regular expression. A statement is an attribute,
``name : value ;`` or ``name (arguments) ;``, or a group, ``name (arguments) { statements }``. The
end of a line may stand for a semicolon.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import (
    FALL,
    RISE,
    DelayArc,
    Edge,
    InternalPower,
    Leakage,
    Library,
    LibraryCell,
    LookUpTable,
    Pin,
    Sequential,
    TimingCheck,
    WireLoad,
)
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


#: Types of `timing` groups that give delays of outputs.
_CAUSES = (
    "combinational",
    "combinational_rise",
    "combinational_fall",
    "rising_edge",
    "falling_edge",
    "clear",
    "preset",
)

_CHECKS = {"setup_rising": False, "hold_rising": True}
_SENSES = {"positive_unate": 1, "negative_unate": 2}
_BOTH = 3
_LOAD, _CLOCK_SLEW = "total_output_net_capacitance", "related_pin_transition"
_COLUMNS = (_LOAD, _CLOCK_SLEW)
_SLEWS = ("input_transition_time", "input_net_transition", "constrained_pin_transition")
#: Thresholds: the percentages where a library has none.
_LEVELS = {"output": 50.0, "slew_lower": 20.0, "slew_upper": 80.0}
_UNLIMITED = 1e9


def read_liberty(path: str | Path) -> Library:
    """Read the library at `path`; ``PowerError`` if it is faulty or unsupported."""
    with liberty_file(path) as top:
        return _Reader(top).library()


class _Reader:
    """Reads one library; holds its units, defaults and templates."""

    def __init__(self, top: LibertyGroup) -> None:
        self.top = top
        self.time_s = top.unit("time_unit", "s", "1ns")
        self.load_f = top.unit("capacitive_load_unit", "f")
        self.templates = {
            name: group
            for group in top.groups("power_lut_template", "lu_table_template")
            for name in group.names()[:1]
        }
        self.leakage_w = top.unit("leakage_power_unit", "w", "1nW")
        volt = top.unit("voltage_unit", "v", "1V")
        #: The Liberty standard defines the unit of internal energy by these two units.
        self.energy_j = self.load_f * volt**2
        self.nominal_v = top.number("nom_voltage") * volt
        self.fanout_load = top.number("default_fanout_load", 1.0) or 1.0
        self.max_fanout = top.number("default_max_fanout", 0.0)

    def library(self) -> Library:
        cells = [self.cell(group) for group in self.top.groups("cell")]
        return Library(
            name=next(iter(self.top.arguments), ""),
            nominal_v=self.nominal_v,
            corner=self.corner(),
            cells={cell.name: cell for cell in cells},
            max_slew_s=self.top.number("default_max_transition", _UNLIMITED) * self.time_s,
            levels=tuple(self.levels(edge) for edge in (RISE, FALL)),
            slew_derate=self.slew_derate(),
            wire_load=self.wire_load(),
        )

    def levels(self, edge: Edge) -> tuple[float, float, float]:
        middle, low, high = (
            self.top.number(f"{name}_threshold_pct_{edge}", usual) / 100
            for name, usual in _LEVELS.items()
        )
        if not (0 < low < high < 1 and 0 < middle < 1):
            raise self.top.fault(
                f"thresholds of {edge}: expected 0 < slew_lower < slew_upper < 100, and output "
                "between 0 and 100"
            )
        return middle, low, high

    def slew_derate(self) -> float:
        derate = self.top.number("slew_derate_from_library", 1.0)
        if not derate > 0:
            raise self.top.fault("slew_derate_from_library must be above 0")
        return derate

    def corner(self) -> str:
        name = self.top.get("default_operating_conditions")
        if name is None or self.top.get("nom_temperature") is None:
            return ""
        return f"{name}, {self.nominal_v:.2f} V, {self.top.number('nom_temperature'):.0f} C"

    def wire_load(self) -> WireLoad | None:
        name = self.top.get("default_wire_load")
        if name is None:
            return None
        for group in self.top.groups("wire_load"):
            if group.arguments == [name]:
                rows = [row.tolist() for row in group.rows("fanout_length")]
                if not rows or min(map(len, rows)) < 2:
                    message = "fanout_length must be a number of loads and a length"
                    raise group.fault(message, "fanout_length")
                return WireLoad(
                    name=name,
                    capacitance_f=group.number("capacitance") * self.load_f,
                    resistance_ohm=group.number("resistance", 0.0)
                    * self.top.unit("pulling_resistance_unit", "ohm", "1ohm"),
                    slope=group.number("slope", 0.0),
                    points=tuple(sorted((row[0], row[1]) for row in rows)),
                )
        raise self.top.fault(f"the wire load {name!r} is not defined", "default_wire_load")

    def cell(self, group: LibertyGroup) -> LibraryCell:
        leakages = []
        default_w = group.number(
            "cell_leakage_power", self.top.number("default_cell_leakage_power", 0.0)
        )
        for leakage in group.groups("leakage_power"):
            when = leakage.function("when")
            if when is None:
                default_w = leakage.number("value")
            else:
                leakages.append(Leakage(when, leakage.number("value") * self.leakage_w))
        pins = {name: self.pin(name, pin) for pin in group.groups("pin") for name in pin.names()}
        return LibraryCell(
            name=group.names()[0],
            area_um2=group.number("area", 0.0),
            leakage_w=default_w * self.leakage_w,
            leakages=tuple(leakages),
            pins={name: pin for name, pin in pins.items() if pin.direction != "internal"},
            sequential=_sequential(group),
            left_alone=_is_left_alone(group),
        )

    def pin(self, name: str, group: LibertyGroup) -> Pin:
        direction = group.get("direction") or "input"
        default = self.top.number(f"default_{direction}_pin_cap", 0.0)
        capacitance = group.number("capacitance", default)
        return Pin(
            name=name,
            direction=direction,
            rise_capacitance_f=group.number("rise_capacitance", capacitance) * self.load_f,
            fall_capacitance_f=group.number("fall_capacitance", capacitance) * self.load_f,
            ranges_f=self.ranges_f(group),
            max_capacitance_f=group.number("max_capacitance", math.inf) * self.load_f,
            max_fanout=group.number("max_fanout", self.max_fanout) / self.fanout_load,
            clock=group.get("clock") == "true",
            function=group.function("function") or group.function("state_function"),
            internal_powers=_completed(
                [power for g in group.groups("internal_power") for power in self.internal_powers(g)]
            ),
            delay_arcs=tuple(arc for g in group.groups("timing") for arc in self.delay_arcs(g)),
            checks=tuple(check for g in group.groups("timing") for check in self.checks(g)),
        )

    def ranges_f(self, group: LibertyGroup) -> tuple[tuple[float, float], ...]:
        rise, fall = (group.numbers(f"{edge}_capacitance_range") for edge in (RISE, FALL))
        if rise is None or fall is None:
            return ()
        return tuple(
            (float(x.min()) * self.load_f, float(x.max()) * self.load_f) for x in (rise, fall)
        )

    def internal_powers(self, group: LibertyGroup) -> Iterator[InternalPower]:
        """Yield an `internal_power` group once per related pin."""
        tables: dict[Edge, LookUpTable] = {}
        for child in group.groups("power", "rise_power", "fall_power"):
            edges = {"rise_power": [RISE], "fall_power": [FALL]}.get(child.name, [RISE, FALL])
            tables |= dict.fromkeys(edges, self.table(child, self.energy_j))
        when = group.function("when")
        names: list[str | None] = [*(group.get("related_pin") or "").split()]
        for related in names or [None]:
            yield InternalPower(related, when, tables)

    def delay_arcs(self, group: LibertyGroup) -> Iterator[DelayArc]:
        """Yield a `timing` group once per related pin, if it gives delays."""
        timing_type = group.get("timing_type") or "combinational"
        if timing_type not in _CAUSES:
            return
        delays, slews = self.by_edge(group, "cell_{}"), self.by_edge(group, "{}_transition")
        when = group.function("when")
        sense = _SENSES.get(group.get("timing_sense") or "", _BOTH)
        for related in (group.get("related_pin") or "").split():
            yield DelayArc(related, when, delays, slews, timing_type, sense)

    def checks(self, group: LibertyGroup) -> Iterator[TimingCheck]:
        """Yield a `timing` group once per clock, if it is a setup or hold check."""
        is_hold = _CHECKS.get(group.get("timing_type") or "")
        if is_hold is not None:
            tables = self.by_edge(group, "{}_constraint")
            for related in (group.get("related_pin") or "").split():
                yield TimingCheck(related, is_hold, tables)

    def by_edge(self, group: LibertyGroup, name: str) -> dict[Edge, LookUpTable]:
        return {
            edge: self.table(child, self.time_s)
            for edge in (RISE, FALL)
            for child in group.groups(name.format(edge))
        }

    def axes_and_values(
        self, group: LibertyGroup
    ) -> tuple[list[tuple[str, np.ndarray]], np.ndarray]:
        """Return variable and points of each axis of a table, and its values, in library units.

        ``LibertyError`` for a wrong number of values, no template, or an axis that does not ascend.
        """
        name = next(iter(group.arguments), "scalar")
        template = self.templates.get(name)
        if template is None and name != "scalar":
            raise group.fault(f"the table template {name!r} is not defined")
        axes: list[tuple[str, np.ndarray]] = []
        for position in (1, 2, 3):
            variable = template.get(f"variable_{position}") if template else None
            if template and variable:
                index = f"index_{position}"
                source = group if group.has(index) else template
                points = source.numbers(index)
                if points is None:
                    raise group.fault(f"the table template {name!r} has no {index}")
                if np.any(np.diff(points) <= 0):
                    raise source.fault(f"the numbers of {index} must ascend", index)
                axes.append((variable, points))
        values = group.numbers("values")
        shape = tuple(len(points) for _, points in axes)
        if values is None or values.size != math.prod(shape):
            needed = " x ".join(map(str, shape)) or "1"
            raise group.fault(f"a table of template {name!r} needs {needed} values", "values")
        return axes, values.reshape(shape)

    def table(self, group: LibertyGroup, unit: float) -> LookUpTable:
        """Read a table; rows are over the slew, whichever axis a library has first."""
        axes, values = self.axes_and_values(group)
        quantities = values * unit
        slews, columns = np.zeros(1), np.zeros(1)
        for variable, points in axes:
            if variable in _SLEWS:
                slews = points * self.time_s
            elif variable in _COLUMNS:
                columns = points * (self.load_f if variable == _LOAD else self.time_s)
            else:
                raise group.fault(f"tables over {variable!r} are not supported")
        if len(axes) == 2 and axes[0][0] in _COLUMNS:
            quantities = quantities.T
        if quantities.size != len(slews) * len(columns):
            raise group.fault("the axes of the table must differ")
        over_load = _CLOCK_SLEW not in dict(axes)
        shape = len(slews), len(columns)
        return LookUpTable(slews, columns, quantities.reshape(shape), over_load)


def _completed(powers: list[InternalPower]) -> tuple[InternalPower, ...]:
    """Give a group without condition, if others have one, the states that no other one covers."""
    stated: dict[str | None, BooleanFunction] = {}
    for power in powers:
        if power.when is not None:
            before = stated.get(power.related_pin)
            stated[power.related_pin] = power.when if before is None else before | power.when
    return tuple(
        replace(x, when=~stated[x.related_pin]) if x.when is None and x.related_pin in stated else x
        for x in powers
    )


def _is_left_alone(cell: LibertyGroup) -> bool:
    """Whether a cell says itself that synthesis does not choose it: latch, scan cell, tri-state."""
    pins = list(cell.groups("pin"))
    return (
        cell.get("dont_use") == "true"
        or cell.has("clock_gating_integrated_cell")
        or any(cell.groups("latch", "test_cell"))
        or any(x.has("three_state") or x.get("nextstate_type") == "scan_in" for x in pins)
    )


def _clock_gate(cell: LibertyGroup) -> Sequential | None:
    """Read a cell as a clock gate for rising edges.

    None if it has test pins, or not exactly one state, one clock and one enable.
    """
    pins = {name: pin for pin in cell.groups("pin") for name in pin.arguments}
    states = [state for pin in pins.values() if (state := pin.get("internal_node"))]
    roles = {
        role: [name for name, pin in pins.items() if pin.get(f"clock_gate_{role}_pin") == "true"]
        for role in ("clock", "enable", "test")
    }
    if roles["test"] or not all(len(x) == 1 for x in (states, roles["clock"], roles["enable"])):
        return None
    return Sequential(
        kind="gate",
        state=states[0],
        complement=f"{states[0]}_N",
        next_state=BooleanFunction.variable(roles["enable"][0]),
        clock=BooleanFunction.variable(roles["clock"][0]),
    )


def _sequential(cell: LibertyGroup) -> Sequential | None:
    if cell.get("clock_gating_integrated_cell") == "latch_posedge":
        return _clock_gate(cell)
    for group in cell.groups("ff", "latch"):
        data, clock = ("next_state", "clocked_on") if group.name == "ff" else ("data_in", "enable")
        next_state, clock_function = group.function(data), group.function(clock)
        if next_state is None or clock_function is None or len(group.arguments) < 2:
            return None
        return Sequential(
            kind=group.name,
            state=group.arguments[0],
            complement=group.arguments[1],
            next_state=next_state,
            clock=clock_function,
            clear=group.function("clear"),
            preset=group.function("preset"),
        )
    return None
