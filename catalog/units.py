"""Units (multipliers, and units that compute constants) with their classes at each level."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

from rsaxcel.cl import constants as cl_constants
from rsaxcel.cl import stores as cl_stores
from rsaxcel.fl import constants as fl_constants
from rsaxcel.plan.modulus_constants import Formula
from rsaxcel.rtl import constants as rtl_constants
from rsaxcel.rtl import stores as rtl_stores

LEVELS = ("fl", "cl", "rtl")


def check_level(level: str) -> None:
    """Raise ``ValueError`` if a level is unknown."""
    if level not in LEVELS:
        raise ValueError(f"level {level!r}: {', '.join(LEVELS)} are allowed")


class OnUse:
    """Modules of a package, each imported when it is first named as an attribute."""

    def __init__(self, package: ModuleType) -> None:
        self._package = package.__name__

    def __getattr__(self, name: str) -> Any:
        return import_module(f"{self._package}.{name}")


@dataclass(frozen=True)
class Classes:
    """Classes of one unit at each level; all are built with the same parameters.

    Parameters
    ----------
    fl : type
        Golden model, which declares the unit's parameters.
    cl : type
        Cycle model.
    rtl : type
        Circuit.
    """

    fl: type[Any]
    cl: type[Any]
    rtl: type[Any]

    @cached_property
    def name(self) -> str:
        """Name of the golden model in snake case, such as ``mont_mul`` for ``MontMul``."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.fl.__name__).lower()

    def __str__(self) -> str:
        return self.name


class BuiltIn(Classes):
    """Classes of a unit of this project, each imported when it is first used.

    A functional simulation loads no circuits. ``class_in`` names the class in a package of such
    units: ``levels`` has those at FL, CL and RTL.
    """

    _levels: list[OnUse]
    _class_in: Callable[[Any], type[Any]]

    def __init__(
        self, name: str, levels: Sequence[ModuleType], class_in: Callable[[Any], type[Any]]
    ) -> None:
        _BUILT_IN[name] = self
        self.__dict__.update(name=name, _levels=[*map(OnUse, levels)], _class_in=class_in)

    @cached_property
    def fl(self) -> type[Any]:
        return self._class_in(self._levels[0])

    @cached_property
    def cl(self) -> type[Any]:
        return self._class_in(self._levels[1])

    @cached_property
    def rtl(self) -> type[Any]:
        return self._class_in(self._levels[2])

    def __eq__(self, other: object) -> bool:
        """Whether two units have the same name; names are unique."""
        return isinstance(other, BuiltIn) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"BuiltIn({self.name})"

    def __reduce__(self) -> Any:
        """Another process finds the unit by its name."""
        return _built_in, (self.name,)


_BUILT_IN: dict[str, BuiltIn] = {}


def _built_in(name: str) -> BuiltIn:
    return _BUILT_IN[name]


@dataclass(frozen=True)
class Unit:
    """A unit that a configuration uses, with its parameters; it can be built at any level.

    Parameters
    ----------
    classes : Classes
        Classes of the unit.
    params : tuple of (str, value)
        Names and values of all its construction parameters except ``nbits``.
    """

    classes: Classes
    params: tuple[tuple[str, Any], ...] = ()

    def build(self, level: str, nbits: int, *args: Any, **extra: Any) -> Any:
        """Return an object of the unit's class at a level, built for ``nbits`` bits.

        ``level`` is ``"fl"``, ``"cl"`` or ``"rtl"``. ``args`` and ``extra`` are parameters of that
        level only, such as the number of lanes.
        """
        return getattr(self.classes, level)(nbits, *args, **dict(self.params), **extra)

    def __str__(self) -> str:
        """Return a short name, with the parameters and their values."""
        return "_".join([self.classes.name, *(f"{k}_{v}" for k, v in self.params)])


@dataclass(frozen=True)
class Store:
    """A store: its cycle model and its circuit, each imported when first used; none at FL."""

    name: str
    class_in: Callable[[Any], type[Any]]  # names the class in the package of stores at CL or RTL

    @property
    def cl(self) -> type[Any]:
        return self.class_in(OnUse(cl_stores))

    @property
    def rtl(self) -> type[Any]:
        return self.class_in(OnUse(rtl_stores))

    def __reduce__(self) -> Any:
        """Another process finds the store by its name."""
        return _store, (self.name,)


def _store(name: str) -> Store:
    return STORES[name]


STORES: Mapping[str, Store] = {
    store.name: store
    for store in (
        Store("registers", lambda at: at.registers.RegisterStore),
        Store("words", lambda at: at.words.WordStore),
        Store("digits", lambda at: at.digits.DigitStore),
    )
}
"""Every store by its name."""


_CONSTANTS = fl_constants, cl_constants, rtl_constants

CONSTANT_UNITS: Mapping[str, Classes] = {
    "division": BuiltIn("division", _CONSTANTS, lambda at: at.division.Division),
    "ssmm": BuiltIn("shift_sub_square", _CONSTANTS, lambda at: at.shift_sub.ShiftSubSquare),
    "doubling": BuiltIn("doubling", _CONSTANTS, lambda at: at.doubling.Doubling),
}
"""Classes of each unit by its token."""


def units_for(formula: Formula, nbits: int) -> tuple[str, ...]:
    """Tokens of the units that can compute a formula for moduli of ``nbits`` bits."""
    return tuple(
        token for token, unit in CONSTANT_UNITS.items() if unit.fl.computes(formula, nbits)
    )
