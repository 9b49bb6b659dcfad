"""The compositions of a width among which the best one is looked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import catalog
from catalog import Configuration, Design
from eval.facts.fact import choices_text
from eval.facts.points import point_name
from plan.parameters import Parameter
from plan.schedules import EXPONENT_NBITS, SCHEDULES

MOST_LANES = 2
PARAMETERS = "parameters"
"""Among what is varied: every parameter of multiplier, units and schedule."""

_MOST_VALUES = 16
# Of the parameters those that say what is computed rather than how.
_GIVEN = ("modulus", "cofactor", EXPONENT_NBITS.name)


@dataclass(frozen=True, eq=False)
class Composition:
    """A choice on the axes, and values of parameters, in place of a design's own.

    Parameters
    ----------
    configuration : Configuration
        The design at the width.
    coordinates : tuple of (str, value)
        What tells it from others of the space: ``multiplier``, ``domain``, ``schedule``,
        ``lanes``, and each parameter that is varied.
    """

    configuration: Configuration
    coordinates: tuple[tuple[str, Any], ...]

    @property
    def subject(self) -> str:
        """Name of the design that it starts from."""
        return str(self.configuration.design.name)

    @property
    def changed(self) -> dict[str, Any]:
        """Choices and parameters that are not the design's own, or not the default."""
        return self.configuration.changed

    @cached_property
    def point(self) -> str:
        """Name in tables."""
        nbits = self.configuration.nbits
        return point_name(self.subject, nbits, choices_text(self.changed))


@dataclass(frozen=True)
class Space:
    """What is to be chosen, at a width.

    Parameters
    ----------
    nbits : int
        Width in bits.
    fixed : mapping of str to str
        Choices and parameters that are given, as users type them.
    multipliers : sequence of str
        Names; all that are for any modulus unless given.
    vary : sequence of str
        Axes and parameters that are varied besides multiplier, schedule and lanes: of few values
        all, of many the powers of two and the default. ``PARAMETERS`` stands for all parameters.
    """

    nbits: int
    fixed: Mapping[str, str]
    multipliers: Sequence[str] = ()
    vary: Sequence[str] = ()

    @cached_property
    def compositions(self) -> tuple[Composition, ...]:
        """All that fit, each once, multiplier by multiplier."""
        found: dict[Any, Composition] = {}
        for composition in self._all():
            found.setdefault(_identity(composition.configuration), composition)
        return tuple(found.values())

    @property
    def reason(self) -> str:
        """Why a design does not fit, by the catalogue; for a space without compositions."""
        for name in self.multipliers or _any_modulus():
            try:
                first_design(name).configure(self.nbits, **self.fixed)
            except ValueError as error:
                return str(error)
        return "no schedule with these choices"

    def at(self, nbits: int) -> Space:
        """Give the same choices at another width."""
        return self if nbits == self.nbits else replace(self, nbits=nbits)

    def find(self, configuration: Configuration) -> Composition | None:
        """Find the composition that is the same circuit, whatever design it starts from."""
        return self._by_choices.get(_identity(configuration))

    @cached_property
    def _by_choices(self) -> dict[Any, Composition]:
        return {_identity(c.configuration): c for c in self.compositions}

    def _all(self) -> Iterator[Composition]:
        for name in self.multipliers or _any_modulus():
            design = first_design(name)
            if self.nbits in design.widths:
                yield from self._of(design)

    def _of(self, design: Design) -> Iterator[Composition]:
        known = catalog.axes()
        usual = {"schedule": tuple(SCHEDULES), "lanes": tuple(range(1, MOST_LANES + 1))}
        varied = usual | {name: tuple(known[name]) for name in self.vary if name in known}
        axes = {name: values for name, values in varied.items() if name not in self.fixed}
        for choices in product(*axes.values()):
            asked = dict(zip(axes, choices, strict=True))
            if (first := self._configure(design, asked)) is None:
                continue
            for values in self._values(first):
                configuration = self._configure(design, asked | values)
                if configuration is not None:
                    yield Composition(configuration, _coordinates(configuration, varied, values))

    def _configure(self, design: Design, asked: Mapping[str, Any]) -> Configuration | None:
        try:
            return design.configure(self.nbits, **{**self.fixed, **asked})
        except ValueError:  # the catalogue says what does not fit
            return None

    def _values(self, configuration: Configuration) -> Iterator[dict[str, Any]]:
        """Values of the parameters that are varied."""
        every = PARAMETERS in self.vary
        varied = [
            p
            for p in configuration.parameters
            if (p.name in self.vary or (every and p.name not in _GIVEN))
            and p.name not in self.fixed
        ]
        for values in product(*(sampled(p, self.nbits) for p in varied)):
            yield dict(zip((p.name for p in varied), values, strict=True))


def first_design(multiplier: str) -> Design:
    """First design of the registry that uses a multiplier; its other choices go with it.

    Raises
    ------
    ValueError
        Lists the multipliers there are.
    """
    for design in catalog.DESIGNS.values():
        if design.multiplier.name == multiplier:
            return design
    allowed = ", ".join(catalog.multipliers())
    raise ValueError(f"multiplier {multiplier!r} is unknown; allowed: {allowed}")


def sampled(parameter: Parameter, nbits: int) -> list[Any]:
    """Values of a parameter: all if they are few; the default and powers of two of a long range."""
    allowed = parameter.allowed(nbits)
    if not isinstance(allowed, range):
        return list(allowed)
    if len(allowed) <= _MOST_VALUES and allowed[-1] <= _MOST_VALUES:
        return list(allowed)
    powers = {1 << i for i in range(allowed[-1].bit_length())} & set(allowed)
    return sorted(powers | {parameter.default(nbits)})


def _any_modulus() -> list[str]:
    """Multipliers that take any modulus."""
    entries = catalog.multipliers().items()
    return [name for name, entry in entries if not entry.default.constant_modulus]


def _coordinates(
    configuration: Configuration, axes: Iterable[str], values: Mapping[str, Any]
) -> tuple[tuple[str, Any], ...]:
    """Choices on the axes as they came out, where there is one, and values of parameters."""
    tokens = dict(configuration.choices.tokens)
    named = {"multiplier": tokens["multiplier"]} | {x: tokens[x] for x in axes if x in tokens}
    return tuple({**named, **values}.items())


def _identity(configuration: Configuration) -> Any:
    choices = configuration.choices
    return choices.nbits, frozenset(choices.tokens), choices.values


def axes_values(compositions: Iterable[Composition]) -> dict[str, list[Any]]:
    """Values that each coordinate has among compositions."""
    found: dict[str, dict[Any, None]] = {}
    for composition in compositions:
        for name, value in composition.coordinates:
            found.setdefault(name, {})[value] = None
    return {name: list(values) for name, values in found.items()}
