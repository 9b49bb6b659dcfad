"""The space of a search: all compositions at a width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

from rsaxcel import catalog
from rsaxcel.catalog import Configuration, Design
from rsaxcel.catalog.choices import OWN_AXES
from rsaxcel.eval.facts.fact import OPERATIONS
from rsaxcel.eval.facts.points import point_name
from rsaxcel.flow.requests import default_exponents
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.schedules import EXPONENT_NBITS, SCHEDULES
from rsaxcel.store.shown import choices_text

MOST_LANES = 2
PARAMETERS = "parameters"
"""Name that stands for all parameters of multiplier, units and schedule in ``Space.vary``."""

_MOST_VALUES = 16
#: Parameters that change what the circuit computes, not only how it does so. ``PARAMETERS`` does
#: not include them.
_GIVEN = ("modulus", "cofactor", EXPONENT_NBITS.name)


@dataclass(frozen=True, eq=False)
class Composition:
    """A configuration with its coordinates in a space."""

    configuration: Configuration
    #: values of multiplier, varied axes and parameters, which identify the composition
    coordinates: tuple[tuple[str, Any], ...]

    @property
    def subject(self) -> str:
        """Name of the design that the composition changes."""
        return self.configuration.design_name

    @property
    def changed(self) -> dict[str, Any]:
        """Choices and parameters that differ from those of the design."""
        return self.configuration.changed

    @cached_property
    def point(self) -> str:
        """Name in tables: design, width and changes, such as ``mont_r2l:32,schedule=window``."""
        nbits = self.configuration.nbits
        return point_name(self.subject, nbits, choices_text(self.changed))


@dataclass(frozen=True)
class Space:
    """Fixed and varied choices of a search, at a width.

    If a parameter has many values, only the powers of two and the default are tried.
    """

    nbits: int
    fixed: Mapping[str, str]  #: fixed choices, as users type them
    multipliers: Sequence[str] = ()  #: allowed multipliers; empty: all that support any modulus
    #: axes and parameters to vary, besides multiplier, schedule and lanes; PARAMETERS: all
    vary: Sequence[str] = ()
    #: operations that count; too narrow exponents are left out, as a refused request takes few
    #: cycles
    operations: Sequence[str] = OPERATIONS

    @cached_property
    def compositions(self) -> tuple[Composition, ...]:
        """All valid compositions, each once, ordered by multiplier."""
        found: dict[Any, Composition] = {}
        for composition in self._all():
            found.setdefault(composition.configuration.choices, composition)
        return tuple(found.values())

    @property
    def reason(self) -> str:
        """Error of the first design that refuses the fixed choices, if the space is empty."""
        for name in self.multipliers or _any_modulus():
            try:
                catalog.first_design(name).configure(self.nbits, **self.fixed)
            except ValueError as error:
                return str(error)
        asked = " or ".join(self.operations)
        return f"no schedule with these choices takes the exponent of {asked}"

    def at(self, nbits: int) -> Space:
        return self if nbits == self.nbits else replace(self, nbits=nbits)

    def find(self, configuration: Configuration) -> Composition | None:
        """Return the composition with the same circuit as a configuration, or None."""
        return self._by_choices.get(configuration.choices)

    @cached_property
    def _by_choices(self) -> dict[Any, Composition]:
        return {c.configuration.choices: c for c in self.compositions}

    def _all(self) -> Iterator[Composition]:
        for name in self.multipliers or _any_modulus():
            design = catalog.first_design(name)
            if self.nbits in design.widths:
                yield from self._of(design)

    def _of(self, design: Design) -> Iterator[Composition]:
        known = axes()
        usual = {"schedule": tuple(SCHEDULES), "lanes": tuple(range(1, MOST_LANES + 1))}
        # Without a choice on it, a composition that lacks an axis is in the space, too.
        varied = usual | {name: (None, *known[name]) for name in self.vary if name in known}
        tried = {name: values for name, values in varied.items() if name not in self.fixed}
        for choices in product(*tried.values()):
            asked = {x: y for x, y in zip(tried, choices, strict=True) if y is not None}
            if (first := self._configure(design, asked)) is None:
                continue
            for values in self._values(first):
                configuration = self._configure(design, asked | values)
                if configuration is not None:
                    yield Composition(configuration, _coordinates(configuration, varied, values))

    def _configure(self, design: Design, asked: Mapping[str, Any]) -> Configuration | None:
        try:
            configuration = design.configure(self.nbits, **{**self.fixed, **asked})
        except ValueError:  # the choices exclude each other
            return None
        most = max(default_exponents(self.nbits)[x].bit_length() for x in self.operations)
        return configuration if most <= configuration.exponent_nbits else None

    def _values(self, configuration: Configuration) -> Iterator[dict[str, Any]]:
        """Yield all combinations of values of the varied parameters."""
        every = PARAMETERS in self.vary
        varied = [
            p
            for p in configuration.parameters
            if (p.name in self.vary or (every and p.name not in _GIVEN))
            and p.name not in self.fixed
        ]
        for values in product(*(sampled(p, self.nbits) for p in varied)):
            yield dict(zip((p.name for p in varied), values, strict=True))


def axes() -> dict[str, Mapping[str, str]]:
    """Every axis with its choices, those of ``OWN_AXES`` with the usual choice first."""
    return {**catalog.axes(), **OWN_AXES}


def sampled(parameter: Parameter, nbits: int) -> list[Any]:
    """Values of a parameter to try: all, or the default and powers of two in a long range."""
    allowed = parameter.allowed(nbits)
    if not isinstance(allowed, range):
        return list(allowed)
    if len(allowed) <= _MOST_VALUES and allowed[-1] <= _MOST_VALUES:
        return list(allowed)
    powers = {1 << i for i in range(allowed[-1].bit_length())} & set(allowed)
    return sorted(powers | {parameter.default(nbits)})


def _any_modulus() -> list[str]:
    entries = catalog.multipliers().items()
    return [name for name, entry in entries if not entry.default.constant_modulus]


def _coordinates(
    configuration: Configuration, varied: Iterable[str], values: Mapping[str, Any]
) -> tuple[tuple[str, Any], ...]:
    """Coordinates of a configuration: multiplier, its choices on varied axes, and ``values``."""
    usual = {name: next(iter(tokens)) for name, tokens in OWN_AXES.items()}
    tokens = usual | configuration.choices.tokens
    named = {"multiplier": tokens["multiplier"]} | {x: tokens[x] for x in varied if x in tokens}
    return tuple({**named, **values}.items())


def axes_values(compositions: Iterable[Composition]) -> dict[str, list[Any]]:
    """Values that each coordinate has in the compositions, by the coordinate's name."""
    found: dict[str, dict[Any, None]] = {}
    for composition in compositions:
        for name, value in composition.coordinates:
            found.setdefault(name, {})[value] = None
    return {name: list(values) for name, values in found.items()}
