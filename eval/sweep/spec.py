"""Reads the specification of a sweep: a TOML file of ``[[group]]`` tables with values or ranges."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from rsaxcel import catalog
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import (
    ACTIVITIES,
    ALL_CYCLES,
    NOT_PLACED,
    PLACED,
    SEARCHED,
    SYNTHESIZED,
    TIMED,
    TIMED_CYCLES,
    Layout,
)
from rsaxcel.flow.libraries import check_library, known_libraries
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents
from rsaxcel.flow.resources import FAMILIES
from rsaxcel.store.errors import UserError, nearest
from rsaxcel.store.whole_files import read_text

_DEEPEST = 20  #: tables and lists within each other; the specifications have four

#: limit for the parts of a dotted key: Python's parser keeps each beginning of a key, and 100,000
#: parts take 24 GB
_PART = r"""(?:[\w-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')[ \t]*\.[ \t]*"""
_LONG_KEY = re.compile(rf"""(?<![\w"'\\-])(?:{_PART}){{{_DEEPEST}}}""")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a file in TOML; ``UserError`` if unreadable or nested too deep to be handled."""
    try:
        text = read_text(path)
        too_deep = _LONG_KEY.search(text)
        content = {} if too_deep else tomllib.loads(text)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from error
    except RecursionError as error:
        raise _too_deep(path) from error
    # raised also for an integer that Python does not convert, and for a file that is not UTF-8
    except ValueError as error:
        # Python's advice to call a function is none for a user
        told = str(error).partition("; use sys.")[0]
        raise UserError(f"{path}: not TOML: {told}") from error
    if too_deep:
        raise _too_deep(path)
    level: list[Any] = [content]
    for _ in range(_DEEPEST):
        inner = [x.values() if isinstance(x, dict) else x for x in level]
        level = [y for x in inner for y in x if isinstance(y, dict | list)]
    if level:
        raise _too_deep(path)
    return content


def _too_deep(path: Path) -> UserError:
    return UserError(f"{path}: more than {_DEEPEST} tables or lists within each other")


#: kinds of measurements: cycles by the cycle model; cycles of the circuit; area and period; also
#: power and energy from toggles of the netlist; FPGA resources (estimates)
CL_CYCLES, RTL_CYCLES, SYNTHESIS, ENERGY, FPGA = MEASURES = (
    "cl_cycles",
    "rtl_cycles",
    "synthesis",
    "energy",
    "fpga",
)

STAGES = SYNTHESIZED, PLACED

_PLACED = ("placed", "placement", "layout", "routed")
_CYCLES, _FLOW = (CL_CYCLES, RTL_CYCLES), (SYNTHESIS, ENERGY)
#: Keys of a group in the file, each with the measurements that use it; empty: all measurements.
_KEYS = {
    "design": (),
    "nbits": (),
    "measure": (),
    "library": _FLOW,
    "clock_ns": _FLOW,
    "family": (FPGA,),
    "activity": (ENERGY,),
    "timed_cycles": (ENERGY,),
    "stage": (ENERGY,),
    "utilisation": (ENERGY,),
    "operations": (*_CYCLES, ENERGY),
    "operands": _CYCLES,
    "exponents": (*_CYCLES, ENERGY),
    "choices": (),
}

_USUAL_CLOCK_NS = 0.5
_MOST_OPERANDS = 1000


@dataclass(frozen=True, eq=False)
class PointGroup:
    """A group of points: all combinations of its values."""

    table: SpecTable  #: table in the file, for errors
    designs: tuple[str, ...]  #: designs; empty: multipliers, each in the first design that uses it
    every_design: bool  #: whether `design` is "all"
    nbits: tuple[int, ...]
    choices: SpecTable  #: values of axes and parameters, by name
    measure: tuple[str, ...]  #: kinds of measurements, from MEASURES
    libraries: tuple[str, ...]  #: libraries of standard cells
    clocks_ns: tuple[float, ...]
    activities: tuple[str, ...]  #: activities, see flow.run.run_flow
    timed_cycles: int  #: cycles of each operation with gate delays
    families: tuple[str, ...]
    layouts: tuple[Layout, ...]  #: stages, and how circuits are placed
    #: the group names no clock: each placed circuit gets a constraint close to its period
    own_clock: bool
    operations: tuple[str, ...]  #: encrypt (public exponent), decrypt (private one)
    exponents: dict[str, int]  #: exponents of further operations, by name
    operands: int  #: random bases over which cycles are averaged


@dataclass(frozen=True)
class Spec:
    name: str  #: name of the sweep and of its folder
    groups: tuple[PointGroup, ...]


def read_spec(path: Path) -> Spec:
    """Read a specification; ``UserError`` names file, table, key, value and what is allowed."""
    return spec_of(read_toml(path), str(path), path.stem)


def spec_of(content: Mapping[str, Any], where: str, default_name: str) -> Spec:
    """Read a specification from TOML: ``name``, and ``group``; ``where`` begins errors."""
    top = SpecTable(where, content)
    top.allow(("name", "group"))
    name = content.get("name", default_name)
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", name):
        top.refuse(f"name={name!r}: up to 64 letters, digits, _ and - are allowed")
    tables = content.get("group")
    if not isinstance(tables, list) or not all(isinstance(x, dict) for x in tables):
        top.refuse("at least one table [[group]] is needed")
    groups = (SpecTable(f"{where}: [[group]] {n}", x) for n, x in enumerate(tables, 1))
    return Spec(name, tuple(map(_group, groups)))


def _group(table: SpecTable) -> PointGroup:
    table.allow(_KEYS)
    choices = table.table("choices")
    for value in table.values("measure"):
        if value in _PLACED:
            table.refuse(f"measure={value}: measure = '{ENERGY}' with stage = '{PLACED}' is meant")
    measure = table.chosen("measure", (RTL_CYCLES, SYNTHESIS), MEASURES)
    for key, needed in _KEYS.items():
        if key in table.content and needed and not set(needed) & set(measure):
            table.refuse(f"{key}: has a meaning with measure={' or '.join(needed)} only")
    if not ({"design"} & table.content.keys() or {"multiplier"} & choices.content.keys()):
        table.refuse("design or choices.multiplier is needed, such as design = 'ssmm_r2l'")
    every = table.all("design")
    designs = tuple(catalog.designs()) if every else table.chosen("design", (), catalog.designs())
    operations = table.chosen("operations", default_exponents(32), default_exponents(32))
    (operands,) = table.checked(
        "operands",
        (OPERATION_COUNT,),
        f"one number from 1 to {_MOST_OPERANDS} is",
        lambda x: isinstance(x, int) and 1 <= x <= _MOST_OPERANDS,
    )[:1]
    (timed_cycles,) = table.checked(
        "timed_cycles",
        (TIMED_CYCLES,),
        f"a number from 1 or {ALL!r} is",
        lambda x: x == ALL or (isinstance(x, int) and x >= 1),
    )[:1]
    return PointGroup(
        table,
        designs,
        every,
        table.checked("nbits", (32,), "whole numbers are", lambda x: isinstance(x, int)),
        choices,
        measure,
        _libraries(table),
        tuple(
            float(x)
            for x in table.checked(
                "clock_ns",
                (_USUAL_CLOCK_NS,),
                "0.01 to 1000 ns are",
                lambda x: isinstance(x, int | float) and 0.01 <= x <= 1000,
            )
        ),
        table.chosen("activity", (TIMED,), ACTIVITIES),
        ALL_CYCLES if timed_cycles == ALL else timed_cycles,
        table.chosen("family", list(FAMILIES)[:1], FAMILIES),
        _layouts(table),
        "clock_ns" not in table.content,
        operations,
        _exponents(table.table("exponents"), operations),
        operands,
    )


def _layouts(table: SpecTable) -> tuple[Layout, ...]:
    stages = table.chosen("stage", (SYNTHESIZED,), STAGES)
    if "utilisation" in table.content and PLACED not in stages:
        table.refuse(f"utilisation: has a meaning with stage = '{PLACED}' only")
    given = table.checked(
        "utilisation", (SEARCHED,), "one number is", lambda x: isinstance(x, int | float)
    )
    if len(given) > 1:
        table.refuse(f"utilisation={list(given)}: one number is allowed")
    try:
        placed = Layout(PLACED, utilisation=float(given[0]))
    except ValueError as error:
        table.refuse(str(error))
    return tuple({SYNTHESIZED: NOT_PLACED, PLACED: placed}[x] for x in stages)


def _exponents(table: SpecTable, operations: tuple[str, ...]) -> dict[str, int]:
    found = {}
    for name, given in table.content.items():
        if not name.isidentifier() or name in operations:
            table.refuse(f"{name}: names other than {', '.join(operations)} are allowed")
        found[name] = _whole(given)
        if found[name] < 0:
            table.refuse(f"{name}={given!r}: whole numbers from 0 on are allowed, or their texts")
    return found


def _whole(given: Any) -> int:
    """Return an integer that is given as a number or as a text; -1 for any other value."""
    try:
        return int(given, 0) if isinstance(given, str) else given if type(given) is int else -1
    except ValueError:
        return -1


def _libraries(table: SpecTable) -> tuple[str, ...]:
    """Names and paths of libraries; those with a corner and those of folders are in no list."""
    usual, unlisted = (DEFAULT_LIBRARY,), []
    for name in table.values("library", usual):
        with suppress(ValueError):
            check_library(name)
            unlisted.append(name)
    return table.chosen("library", usual, dict.fromkeys([*known_libraries(), *unlisted]))


ALL = "all"  #: value that stands for all valid values

_MOST = 10_000
_RANGE = ("from", "to", "step", "factor")


class SpecTable:
    """A table of a specification; its errors name file and table (``where``)."""

    def __init__(self, where: str, content: Mapping[str, Any]) -> None:
        self.where, self.content = where, content

    def refuse(self, reason: str) -> NoReturn:
        raise UserError(f"{self.where}: {reason}")

    def allow(self, keys: Iterable[str]) -> None:
        """Raise ``UserError`` if the table has a key that is not in ``keys``."""
        keys = list(keys)
        for key in self.content:
            if key not in keys:
                self.refuse(f"{key}: unknown{nearest(key, keys)}; allowed: {', '.join(keys)}")

    def table(self, key: str) -> SpecTable:
        """Return a table inside this one; empty if there is none."""
        found = self.content.get(key, {})
        if not isinstance(found, dict):
            self.refuse(f"{key}={found!r}: a table of names and values is allowed")
        return SpecTable(f"{self.where} {key}", found)

    def all(self, key: str) -> bool:
        return self.content.get(key) == ALL

    def values(self, key: str, usual: Iterable[Any] = ()) -> tuple[Any, ...]:
        """Values of a key, each once and in order; ``usual`` if the key is missing."""
        if key not in self.content:
            return tuple(usual)
        found = self.content[key]
        if isinstance(found, dict):
            found = self._range(key, found)
        elif not isinstance(found, list):
            found = [found]
        if not found:
            self.refuse(f"{key}=[]: at least one value is needed")
        for value in found:
            if not isinstance(value, str | int | float):
                self.refuse(f"{key}={value!r}: numbers and texts are allowed")
        return tuple(dict.fromkeys(found))

    def checked(
        self, key: str, usual: Iterable[Any], allowed: str, good: Callable[[Any], bool]
    ) -> tuple[Any, ...]:
        """Return a key's values, if all are ``good``; ``allowed`` begins the error ("... are")."""
        found = self.values(key, usual)
        for value in found:
            if isinstance(value, bool) or not good(value):
                self.refuse(f"{key}={value}: {allowed} allowed")
        return found

    def chosen(self, key: str, usual: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
        """Values of a key; raise ``UserError`` unless all of them are in ``known``."""
        known = list(known)
        for value in (found := self.values(key, usual)):
            if value not in known:
                meant = nearest(str(value), known)
                self.refuse(f"{key}={value}: unknown{meant}; allowed: {', '.join(known)}")
        return found

    def _range(self, key: str, given: Mapping[str, Any]) -> list[Any]:
        allowed = f"{key}={given}: from, to, and step or factor are allowed"
        if set(given) - set(_RANGE) or {"from", "to"} - set(given) or len(given) > 3:
            self.refuse(allowed)
        if not all(isinstance(x, int | float) for x in given.values()):
            self.refuse(f"{allowed}, as numbers")
        value, end = given["from"], given["to"]
        step, factor = given.get("step", 0 if "factor" in given else 1), given.get("factor", 1)
        if not (step > 0 or (factor > 1 and value > 0)) or value > end:
            self.refuse(f"{allowed}: from at most to, step above 0, factor above 1")
        found: list[Any] = []
        while value <= end + 1e-9:
            if len(found) == _MOST:
                self.refuse(f"{key}: more than {_MOST} values")
            found.append(round(value, 9) if isinstance(value, float) else value)
            value = value * factor + step
        return found
