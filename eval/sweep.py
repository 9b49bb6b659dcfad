"""Sweeps: measure all points of a specification and write them as facts.

Points are all valid combinations of the values of a group, checked before any measurement. Each
missing measurement is a job; facts and failures are kept.
"""

from __future__ import annotations

import json
import re
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NoReturn, TextIO

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit
from rsaxcel.diagnosis.error import silent
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.measure import cycles, flows
from rsaxcel.eval.measure.collect import collect, duration, in_order, kept
from rsaxcel.eval.measure.costs import LEDGER, cost_of
from rsaxcel.eval.measure.errors import Failure, JobOutcome
from rsaxcel.eval.measure.job import Job, Measurement, Progress, Workers, logged
from rsaxcel.flow.errors import FlowError
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
from rsaxcel.store.errors import RsaxcelError, SetupError, UserError, nearest
from rsaxcel.store.folders import unwritable
from rsaxcel.store.places import make_folder
from rsaxcel.store.shown import choices_text
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

#: Words in place of a measure that mean "energy" at the stage "placed".
_MEANT_PLACED = ("placed", "placement", "layout", "routed")
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

ALL = "all"  #: value that stands for all valid values

_MOST_VALUES = 10_000
_RANGE = ("from", "to", "step", "factor")

_USUAL_CLOCK_NS = 0.5
_MOST_OPERANDS = 1000


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
            if len(found) == _MOST_VALUES:
                self.refuse(f"{key}: more than {_MOST_VALUES} values")
            found.append(round(value, 9) if isinstance(value, float) else value)
            value = value * factor + step
        return found


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
        if value in _MEANT_PLACED:
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


_MULTIPLIER = "multiplier"
_MOST_POINTS = 50_000  #: combinations of a sweep; to check one takes up to a millisecond


@dataclass(frozen=True, eq=False)
class Point:
    """A configuration with the conditions of its synthesis."""

    group: PointGroup
    configuration: Circuit
    library: str = ""  #: library of cells; empty: no synthesis
    clock_ns: float = 0.0  #: clock constraint; 0: no synthesis

    @property
    def choices(self) -> dict[str, Any]:
        """Choices and parameters that differ from those of the design."""
        return self.configuration.changed

    @property
    def name(self) -> str:
        group, clock = self.group, f"{self.clock_ns:g} ns"
        if group.own_clock and all(layout.placed for layout in group.layouts):
            clock = "a published period"
        at = f" at {clock} in {self.library}" if self.library else ""
        return f"{self.configuration.name}{at}"

    @property
    def exponents(self) -> dict[str, int]:
        """Exponent of each measured operation, by the operation's name."""
        standard = default_exponents(self.configuration.nbits)
        chosen = {name: standard[name] for name in self.group.operations}
        return chosen | self.group.exponents


@dataclass(frozen=True)
class Points:
    points: list[Point]  #: points, each once
    #: lines with combination and reason; only of groups that ask for "all" values
    left_out: list[str]


def points_of(spec: Spec) -> Points:
    """Return all points of a sweep.

    ``UserError``: over 50,000 combinations; a value that occurs in no valid combination; and,
    without ``"all"``, an invalid combination or an exponent that is too wide.
    """
    found: dict[tuple[str, str, float, int], Point] = {}
    left_out: list[str] = []
    count = 0
    for number, group in enumerate(spec.groups):
        conditions: list[tuple[str, float]] = [("", 0.0)]
        if {SYNTHESIS, ENERGY} & set(group.measure):
            conditions = list(product(group.libraries, group.clocks_ns))
        count += _count(group) * len(conditions)
        if count > _MOST_POINTS:
            _refuse_count(group, f"{count:,}")
        with silent():
            most = (_MOST_POINTS - count) // len(conditions) + _count(group)
            configurations = list(_configurations(group, left_out, most))
        for configuration in configurations:
            for library, clock_ns in conditions:
                key = configuration.name, library, clock_ns, number
                found.setdefault(key, Point(group, configuration, library, clock_ns))
    points = []
    for point in found.values():
        if (reason := _exponents_refused(point)) and not _is_open_ended(point.group):
            point.group.table.refuse(f"exponents {reason} for {point.configuration.name}")
        elif reason:
            left_out.append(f"{point.name}: exponents {reason}")
        else:
            points.append(point)
    if not points:
        spec.groups[0].table.refuse(f"nothing fits: {left_out[-1]}")
    return Points(points, left_out)


def _is_open_ended(group: PointGroup) -> bool:
    return group.every_design or any(group.choices.all(x) for x in group.choices.content)


def _refuse_count(group: PointGroup, count: str) -> NoReturn:
    group.table.refuse(
        f"{count} combinations up to this group: at most {_MOST_POINTS:,} are allowed"
    )


def _count(group: PointGroup) -> int:
    """Count the combinations of a group; a parameter with all its values counts as 1."""
    values, _ = _listed(group)
    return prod(map(len, (group.nbits, group.designs or ("",), *values.values())))


def _configurations(group: PointGroup, left_out: list[str], most: int) -> Iterator[Circuit]:
    """Yield a group's valid configurations, at most ``most``; say why in ``left_out``."""
    open_ended = _is_open_ended(group)
    first = ""
    used: set[tuple[str, Any]] = set()
    refused: dict[tuple[str, Any], str] = {}
    for nbits in group.nbits:
        for base, asked in _combinations(group, nbits):
            most -= 1
            if most < 0:
                _refuse_count(group, f"more than {_MOST_POINTS:,}")
            given = {("nbits", nbits), *asked.items()}
            try:
                configuration = catalog.find_design(base).configure(nbits, **asked)
            except ValueError as error:
                reason = str(error)
                if not open_ended:
                    group.table.refuse(reason)
                first = first or reason
                refused |= {x: reason for x in given if x not in refused}
                left_out.append(f"{base} {nbits} {_asked_text(asked)}: {reason}")
            else:
                used |= given
                yield configuration
    explicit = (x for x in refused if not (x[0] != "nbits" and group.choices.all(x[0])))
    for pair in explicit:
        if pair not in used:
            group.table.refuse(f"{pair[0]}={pair[1]} fits no combination: {refused[pair]}")
    if not used:
        group.table.refuse(f"nothing fits: {first}")


def _combinations(group: PointGroup, nbits: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the design, and its choices and parameters, for each combination at a width."""
    values, later = _listed(group)
    for base, *combined in product(group.designs or ("",), *values.values()):
        asked = dict(zip(values, combined, strict=True))
        base = base or _first_design(group, asked.pop(_MULTIPLIER))
        for more in _every_value(base, nbits, asked, later):
            yield base, asked | more


def _listed(group: PointGroup) -> tuple[dict[str, list[str]], list[str]]:
    """Values of the group's choices by name, and the parameters whose values a design decides."""
    axes = catalog.axes()
    values: dict[str, list[str]] = {}
    for name in group.choices.content:
        if not group.choices.all(name):
            values[name] = [str(x) for x in group.choices.values(name)]
        elif name in axes:
            values[name] = list(axes[name])
    return values, [x for x in group.choices.content if x not in values]


def _first_design(group: PointGroup, multiplier: str) -> str:
    try:
        return catalog.first_design(multiplier).name
    except ValueError as error:
        group.choices.refuse(str(error))


def _every_value(
    base: str, nbits: int, asked: Mapping[str, str], names: list[str]
) -> Iterator[dict[str, str]]:
    """Yield all combinations of the allowed values of the parameters in ``names``."""
    try:
        configuration = catalog.find_design(base).configure(nbits, **asked)
        known = configuration.parameters if isinstance(configuration, Configuration) else ()
    except ValueError:  # the caller configures the design again and reports the error
        known = ()
    found = {x.name: x.listed(nbits) for x in known if x.name in names}
    for name in names:
        found.setdefault(name, [ALL])  # a parameter that the design lacks: the caller reports it
    for values in product(*found.values()):
        yield dict(zip(found, map(str, values), strict=True))


def _exponents_refused(point: Point) -> str:
    """Text on an exponent of a point that is too wide for its configuration; empty if none is."""
    width = point.configuration.exponent_nbits
    # Standard exponents are below the modulus. To draw a wide key takes a second, so none is drawn
    # where all its exponents fit.
    fits = width >= point.configuration.nbits
    for name, exponent in (point.group.exponents if fits else point.exponents).items():
        if exponent.bit_length() > width:
            return f"{name}: of {exponent.bit_length()} bits; up to {width} are allowed"
    return ""


def _asked_text(asked: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in asked.items())


FOLDER = Path("build", "sweeps")  #: folder of the sweeps, relative to the current folder

#: File that lists the points without figures, each with its failed job, the reason and the log.
FAILURES = "failures.json"

_LOG = "sweep.log"
_LOGS = "logs"
_MOST_WIDTHS = 200


def _incomplete(failures: list[Failure], points: int, folder: Path) -> RsaxcelError:
    """Error for points without figures."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for failure in failures:
        reasons[failure.message].append(failure.name)
    listed = "; ".join(
        reason if len(x) == 1 else f"{reason} ({len(x)} times)" for reason, x in reasons.items()
    )
    lack = "points lack" if points != 1 else "point lacks"
    kind = SetupError if all(failure.setup for failure in failures) else FlowError
    return kind(f"{points} {lack} figures, see {folder / FAILURES}: {listed}")


def run_sweep(spec: Spec, points: list[Point], workers: Workers, progress: Progress) -> Path:
    """Measure the missing results of a sweep; write and return its folder.

    Files: ``facts.parquet``, ``facts.csv``, ``ledger.jsonl``, ``failures.json``, ``sweep.log`` and
    ``logs``. ``FlowError`` or ``SetupError`` for missing figures, after all others are written.
    """
    folder = FOLDER / spec.name
    try:
        make_folder(folder / _LOGS)
        ledger = (folder / LEDGER).open("a", encoding="utf-8")
    except OSError as error:
        raise unwritable(folder, error) from error
    asked = [(point, *x) for point in points for x in measurements_of(point)]
    about = {x.job.name: _about(point, measure) for point, measure, x in asked}
    with ledger, logged(folder / _LOG, progress) as tell:
        found, failures = collect(
            [x for _, _, x in asked],
            tell,
            workers=workers,
            note=lambda job, outcome: _note(ledger, folder, job, about[job.name], outcome),
        )
    Facts(found).write(folder)
    failed = {failure.name: failure for failure in failures}
    lacking = [
        {
            "point": point.name,
            "job": name,
            "reason": failed[name].told,
            "log": _kept_log(folder, name),
        }
        for point, _, x in asked
        if (name := x.job.name) in failed
    ]
    (folder / FAILURES).write_text(json.dumps(lacking, indent=1) + "\n", encoding="utf-8")
    if failures:
        raise _incomplete(failures, len({x["point"] for x in lacking}), folder)
    return folder


def expected(points: list[Point], workers: Workers) -> str:
    """Text on the number of stored results of a sweep, and on the time that missing ones take."""
    # With many widths, the text has neither: the standard key of each width would have to be drawn.
    if (widths := len({x.configuration.nbits for x in points})) > _MOST_WIDTHS:
        return f"{widths} widths: results that are there are told for up to {_MOST_WIDTHS}"
    jobs = in_order(x for point in points for _, x in measurements_of(point))
    told: list[str] = []
    there = kept(jobs, told.append)
    seconds = sum(job.weight for job in jobs if job.name not in there)
    counted = f"{len(there)} of {len(jobs)} results are there"
    if not seconds or workers.scheduler:
        rest = f"the others take about {duration(seconds)} of a core" if seconds else ""
    else:
        count = workers.count
        many = f"{count} workers" if count > 1 else "one worker"
        rest = f"the others take about {duration(seconds / count)} with {many}"
    return "\n".join([*told, ", ".join(filter(None, [counted, rest]))])


def _note(
    ledger: TextIO, folder: Path, job: Job, about: Mapping[str, Any], outcome: JobOutcome
) -> None:
    """Write the outcome of a job to the ledger, and its log to a file."""
    log = _log_path(folder, job.name)
    if outcome.log:
        log.write_text(outcome.log, encoding="utf-8")
    line = {
        "time": time.strftime("%Y-%m-%d %H:%M:%S"),
        "job": job.name,
        **about,
        "done": outcome.error is None,
        "reason": str(outcome.error or ""),
        "seconds": round(outcome.seconds, 2),
        "core_seconds": round(outcome.core_seconds, 2),
        "memory_mb": round(outcome.memory_mb),
        "worker": outcome.worker,
    }
    ledger.write(json.dumps(line) + "\n")
    ledger.flush()


def _log_path(folder: Path, name: str) -> Path:
    return folder / _LOGS / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', name)[:200]}.log"


def _kept_log(folder: Path, name: str) -> str:
    path = _log_path(folder, name)
    return str(path) if path.exists() else ""


_LEVELS = {CL_CYCLES: "cl", RTL_CYCLES: "rtl"}


def measurements_of(point: Point) -> list[tuple[str, Measurement]]:
    """Pairs of a measure and its measurement, as a specification asks for them at a point.

    A measure is one of ``MEASURES``, or "placed": energy at this stage.
    """
    return [(x, _with_check(y, x, point.configuration)) for x, y in _measurements(point)]


def _about(point: Point, measure: str) -> dict[str, Any]:
    """Describe a measurement for its line in the sweep's ledger."""
    configuration = point.configuration
    return {
        "measure": measure,
        "design": configuration.design_name,
        "nbits": configuration.nbits,
        "choices": choices_text(point.choices),
    }


def _measurements(point: Point) -> Iterable[tuple[str, Measurement]]:
    configuration, group = point.configuration, point.group
    design, nbits, choices = configuration.design_name, configuration.nbits, point.choices
    for measure, level in _LEVELS.items():
        if measure in group.measure:
            asked = level, point.exponents, group.operands
            yield measure, cycles.workload(design, nbits, *asked, **choices)
    where: dict[str, Any] = {"library": point.library, "clock_ns": point.clock_ns}
    if ENERGY in group.measure:
        for layout, activity in product(group.layouts, group.activities):
            clock = {"clock_ns": None} if layout.placed and group.own_clock else {}
            conditions = {**where, **clock, "operations": point.exponents}
            own = flows.flow(design, nbits, **conditions, **choices)
            timed = flows.at_activity(own, activity, group.timed_cycles)
            yield PLACED if layout.placed else ENERGY, flows.at_layout(timed, layout)
    elif SYNTHESIS in group.measure:
        yield SYNTHESIS, flows.outline(design, nbits, **where, **choices)
    if FPGA in group.measure:
        for family in group.families:
            yield FPGA, flows.fpga(design, nbits, family, **choices)


def _with_check(measurement: Measurement, measure: str, configuration: Circuit) -> Measurement:
    placed = measure == PLACED
    job, cost = measurement.job, cost_of(ENERGY if placed else measure, configuration)
    job = replace(
        job,
        function=partial(diagnosed, configuration, job.function),
        weight=cost.seconds * (flows.PLACED_WEIGHT if placed else 1.0),
        memory_mb=cost.memory_mb,
    )
    return replace(measurement, job=job)


def diagnosed(
    configuration: Circuit, function: Callable[..., Any], *arguments: Any, progress: Progress
) -> Any:
    """Run ``function(*arguments)``; check a circuit from outside for combinational loops first."""
    # Imported only here, because PyMTL3 is slow to import.
    from rsaxcel.diagnosis.check import check_target

    if configuration.is_foreign:
        check_target(configuration)
    return function(*arguments, progress=progress)
