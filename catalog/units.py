"""Units (multipliers, and units that compute constants) with their classes at each level."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.plan.modulus_constants import Formula

LEVELS = ("fl", "cl", "rtl")


def check_level(level: str, levels: Sequence[str] = LEVELS) -> None:
    """Raise ``ValueError`` if a level is unknown, or not one of a circuit's."""
    if level not in levels:
        raise ValueError(f"level {level!r}: {', '.join(levels)} are allowed")


@dataclass(frozen=True)
class Classes:
    """Classes of one unit at each level; all are built with the same parameters."""

    fl: type[Any]  #: golden model, which declares the unit's parameters
    cl: type[Any]  #: cycle model; None: only a simulation has the cycles
    rtl: type[Any]  #: circuit

    is_checked: ClassVar[bool] = False  #: circuit and models need no check when they are used
    is_timed: ClassVar[bool] = True  #: there is a cycle model
    in_verilog: ClassVar[bool] = False  #: PyMTL3 cannot simulate the circuit

    @cached_property
    def name(self) -> str:
        """Name of the golden model in snake case, such as ``mont_mul`` for ``MontMul``."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.fl.__name__).lower()

    def mapped(self, nbits: int) -> Classes:
        """Classes for circuits of which netlists are made; ``ValueError`` if none can be made."""
        return self

    def notes(self, nbits: int) -> Sequence[str]:
        """Lines for records on what is unusual in the circuit."""
        return ()

    def files(self, nbits: int) -> Sequence[Path]:
        """Files besides those of the classes on which circuits of a width depend."""
        return ()

    def __str__(self) -> str:
        return self.name


class BuiltIn(Classes):
    """Classes of a unit of this project, each imported when it is first used.

    A functional simulation loads no circuits. ``kind`` names the module of such units at a level;
    where it is a package, each unit has a module of its name in it. ``class_in`` names the class in
    the module.
    """

    is_checked = True  #: the project's tests check it

    def __init__(
        self,
        name: str,
        kind: str,
        class_in: Callable[[Any], type[Any]],
        levels: Sequence[str] = LEVELS,
    ) -> None:
        _BUILT_IN[name] = self
        self.__dict__.update(name=name, _kind=kind, _class_in=class_in, _levels=levels)

    def __getattr__(self, level: str) -> Any:
        """Import the class of a level."""
        if level not in self._levels:
            raise AttributeError(level)
        module = import_module(f"rsaxcel.{level}.{self._kind}")
        if hasattr(module, "__path__"):
            module = import_module(f"{module.__name__}.{self.name}")
        self.__dict__[level] = found = self._class_in(module)
        return found

    def __eq__(self, other: object) -> bool:
        """Whether two units have the same name; names are unique."""
        return isinstance(other, BuiltIn) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"BuiltIn({self.name})"

    def __reduce__(self) -> Any:
        """Pickle the unit by its name, by which another process finds it."""
        return _built_in, (self.name,)


_BUILT_IN: dict[str, BuiltIn] = {}


def _built_in(name: str) -> BuiltIn:
    return _BUILT_IN[name]


@dataclass(frozen=True)
class Unit:
    """A unit that a configuration uses, with its parameters; it can be built at any level."""

    classes: Classes
    params: tuple[tuple[str, Any], ...] = ()  #: names and values of all parameters but ``nbits``

    def build(self, level: str, nbits: int, *args: Any, **extra: Any) -> Any:
        """Return an object of the unit's class at a level, built for ``nbits`` bits.

        ``args``, ``extra``: parameters of that level only, such as the number of lanes.
        """
        return getattr(self.classes, level)(nbits, *args, **dict(self.params), **extra)

    def __str__(self) -> str:
        """Return a short name, with the parameters and their values."""
        return "_".join([self.classes.name, *(f"{k}_{v}" for k, v in self.params)])


_TIMED = ("cl", "rtl")  # golden models have no store

STORES: Mapping[str, Classes] = {
    "registers": BuiltIn("registers", "stores", lambda at: at.RegisterStore, _TIMED),
    "words": BuiltIn("words", "stores", lambda at: at.WordStore, _TIMED),
    "digits": BuiltIn("digits", "stores", lambda at: at.DigitStore, _TIMED),
}
"""Every store by its name."""

CONSTANT_UNITS: Mapping[str, Classes] = {
    "division": BuiltIn("division", "constants", lambda at: at.Division),
    "ssmm": BuiltIn("shift_sub_square", "constants", lambda at: at.ShiftSubSquare),
    "doubling": BuiltIn("doubling", "constants", lambda at: at.Doubling),
    "inversion": BuiltIn("inversion", "constants", lambda at: at.Inversion),
}
"""Classes of each unit by its token."""


def units_for(formula: Formula, nbits: int) -> list[str]:
    """Tokens of the units that can compute a formula for moduli of ``nbits`` bits."""
    return [x for x, unit in CONSTANT_UNITS.items() if unit.fl.computes(formula, nbits)]
