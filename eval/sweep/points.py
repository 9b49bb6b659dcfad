"""Points of a sweep: every combination of a group's values that fits, checked before any work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import catalog
from catalog import Configuration
from diagnosis.silent import silent
from eval.sweep.spec import ENERGY, SYNTHESIS, Group, Spec
from eval.sweep.values import ALL
from flow.requests import default_exponents

_MULTIPLIER = "multiplier"


@dataclass(frozen=True, eq=False)
class Point:
    """A design at a width, with the conditions under which it is synthesized.

    Parameters
    ----------
    group : Group
        Where it stands.
    configuration : Configuration
        The design.
    library, clock_ns : str, float
        Of its synthesis; empty and 0 where there is none.
    """

    group: Group
    configuration: Configuration
    library: str = ""
    clock_ns: float = 0.0

    @property
    def choices(self) -> dict[str, Any]:
        """What differs from the design as it is entered."""
        return self.configuration.changed

    @property
    def name(self) -> str:
        """Name for people."""
        at = f" at {self.clock_ns:g} ns in {self.library}" if self.library else ""
        return f"{self.configuration.name}{at}"

    @property
    def exponents(self) -> dict[str, int]:
        """Exponent of each operation."""
        standard = default_exponents(self.configuration.nbits)
        chosen = {name: standard[name] for name in self.group.operations}
        return chosen | self.group.exponents


@dataclass(frozen=True)
class Points:
    """Points of a sweep.

    Parameters
    ----------
    points : list of Point
        Each once.
    left_out : list of str
        Why combinations with a value of ``"all"`` are no points, a line each.
    """

    points: list[Point]
    left_out: list[str]


def points_of(spec: Spec) -> Points:
    """Give all points of a sweep.

    Raises
    ------
    UserError
        For a combination that does not fit, unless ``"all"`` stands for one of its values; for a
        value that is in no point.
    """
    found: dict[tuple[str, str, float, int], Point] = {}
    left_out: list[str] = []
    for number, group in enumerate(spec.groups):
        conditions: list[tuple[str, float]] = [("", 0.0)]
        if {SYNTHESIS, ENERGY} & set(group.measure):
            conditions = list(product(group.libraries, group.clocks_ns))
        with silent():
            configurations = list(_configurations(group, left_out))
        for configuration in configurations:
            for library, clock_ns in conditions:
                key = configuration.name, library, clock_ns, number
                found.setdefault(key, Point(group, configuration, library, clock_ns))
    for point in found.values():
        _check_exponents(point)
    return Points(list(found.values()), left_out)


def _configurations(group: Group, left_out: list[str]) -> Iterator[Configuration]:
    """Give the configurations of a group that fit."""
    open_ended = group.every_design or any(group.choices.all(x) for x in group.choices.content)
    first = ""
    used: set[tuple[str, Any]] = set()
    refused: dict[tuple[str, Any], str] = {}
    for nbits in group.nbits:
        for base, asked in _combinations(group, nbits):
            given = {("nbits", nbits), *asked.items()}
            try:
                configuration = catalog.get(base).configure(nbits, **asked)
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
            group.table.refuse(f"{pair[0]}={pair[1]} fits with nothing here: {refused[pair]}")
    if not used:
        group.table.refuse(f"nothing fits: {first}")


def _combinations(group: Group, nbits: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Design to start from, and what is asked of it, for each combination at a width."""
    axes = catalog.axes()
    values: dict[str, list[str]] = {}
    for name in group.choices.content:
        if not group.choices.all(name):
            values[name] = [str(x) for x in group.choices.values(name)]
        elif name in axes:
            values[name] = list(axes[name])
    later = [x for x in group.choices.content if x not in values]
    for base, *combined in product(group.designs or ("",), *values.values()):
        asked = dict(zip(values, combined, strict=True))
        base = base or _first_design(group, asked.pop(_MULTIPLIER))
        for more in _every_value(base, nbits, asked, later):
            yield base, asked | more


def _first_design(group: Group, multiplier: str) -> str:
    """First design with a multiplier; its other choices go with it."""
    for design in catalog.DESIGNS.values():
        if design.multiplier.name == multiplier:
            return design.name
    known = ", ".join(catalog.multipliers())
    group.choices.refuse(f"multiplier={multiplier}: {known} are allowed")


def _every_value(
    base: str, nbits: int, asked: Mapping[str, str], names: list[str]
) -> Iterator[dict[str, str]]:
    """Each combination of all that parameters allow; nothing of those that there are not."""
    try:
        known = catalog.get(base).configure(nbits, **asked).parameters if names else ()
    except ValueError:  # told by whoever configures it
        known = ()
    found = {x.name: x.listed(nbits) for x in known if x.name in names}
    for name in names:
        found.setdefault(name, [ALL])  # refused, with what is allowed
    for values in product(*found.values()):
        yield dict(zip(found, map(str, values), strict=True))


def _check_exponents(point: Point) -> None:
    width = point.configuration.exponent_nbits
    for name, exponent in point.exponents.items():
        if exponent.bit_length() > width:
            point.group.table.refuse(
                f"exponents {name}: of {exponent.bit_length()} bits; up to {width} are allowed "
                f"for {point.configuration.name}"
            )


def _text(asked: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in asked.items())
