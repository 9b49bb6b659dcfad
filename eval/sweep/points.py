"""Points of a sweep: all valid combinations of a group's values, checked before any measurement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, NoReturn

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit
from rsaxcel.diagnosis.error import silent
from rsaxcel.eval.sweep.spec import ALL, ENERGY, SYNTHESIS, PointGroup, Spec
from rsaxcel.flow.requests import default_exponents

_MULTIPLIER = "multiplier"
_MOST = 50_000  #: combinations of a sweep; to check one takes up to a millisecond


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
        at = f" at {self.clock_ns:g} ns in {self.library}" if self.library else ""
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
        if count > _MOST:
            _refuse_count(group, f"{count:,}")
        with silent():
            most = (_MOST - count) // len(conditions) + _count(group)
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
    group.table.refuse(f"{count} combinations up to this group: at most {_MOST:,} are allowed")


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
                _refuse_count(group, f"more than {_MOST:,}")
            given = {("nbits", nbits), *asked.items()}
            try:
                configuration = catalog.find_design(base).configure(nbits, **asked)
            except ValueError as error:
                reason = str(error)
                if not open_ended:
                    group.table.refuse(reason)
                first = first or reason
                refused |= {x: reason for x in given if x not in refused}
                left_out.append(f"{base} {nbits} {_text(asked)}: {reason}")
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


def _text(asked: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in asked.items())
