"""Units (multipliers, and units that compute constants) with their classes at each level."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

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
        """Import a module of the package."""
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
        """Give the name."""
        return self.name


class BuiltIn(Classes):
    """Classes of a unit of this project, each imported when it is first used.

    A functional simulation loads no circuits.

    Parameters
    ----------
    name : str
        Name of the golden model in snake case.
    levels : tuple of module
        Packages of the unit at FL, CL and RTL.
    class_in : callable
        Names the class in such a package; its module is imported then.
    """

    def __init__(
        self, name: str, levels: Sequence[ModuleType], class_in: Callable[[Any], type[Any]]
    ) -> None:
        self.__dict__.update(name=name, _levels=[*map(OnUse, levels)], _class_in=class_in)

    @cached_property
    def fl(self) -> type[Any]:
        """Golden model."""
        return self._class_in(self._levels[0])

    @cached_property
    def cl(self) -> type[Any]:
        """Cycle model."""
        return self._class_in(self._levels[1])

    @cached_property
    def rtl(self) -> type[Any]:
        """Circuit."""
        return self._class_in(self._levels[2])

    def __eq__(self, other: object) -> bool:
        """Whether two units have the same name; names are unique."""
        return isinstance(other, BuiltIn) and self.name == other.name

    def __hash__(self) -> int:
        """Hash of the name."""
        return hash(self.name)

    def __repr__(self) -> str:
        """Give the name."""
        return f"BuiltIn({self.name})"


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
