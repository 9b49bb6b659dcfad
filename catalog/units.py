"""Units (multipliers, and units that compute constants) with their classes at each level."""

import re
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

LEVELS = ("fl", "cl", "rtl")


def check_level(level: str) -> None:
    """Raise ``ValueError`` if a level is unknown."""
    if level not in LEVELS:
        raise ValueError(f"level {level!r}: {', '.join(LEVELS)} are allowed")


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

    @property
    def name(self) -> str:
        """Name of the golden model in snake case, such as ``mont_mul`` for ``MontMul``."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.fl.__name__).lower()

    def __str__(self) -> str:
        """Give the name."""
        return self.name


class BuiltIn(Classes):
    """Classes of a unit of this project, found by module and name of its golden model.

    The golden model ``fl.multipliers.ssmm.Ssmm`` has the cycle model ``cl.multipliers.ssmm.Ssmm``
    and the circuit ``rtl.multipliers.ssmm.Ssmm``. Each is imported when it is first used: a
    functional simulation loads no circuits.

    Parameters
    ----------
    fl : type
        Golden model.
    """

    def __init__(self, fl: type[Any]) -> None:
        object.__setattr__(self, "fl", fl)

    @cached_property
    def cl(self) -> type[Any]:
        """Class of the cycle model; ``ValueError`` if there is none."""
        return self._at("cl")

    @cached_property
    def rtl(self) -> type[Any]:
        """Class of the circuit; ``ValueError`` if there is none."""
        return self._at("rtl")

    def _at(self, level: str) -> type[Any]:
        project, _, *rest = self.fl.__module__.split(".")
        module = ".".join([project, level, *rest])
        return class_in(module, self.fl.__name__)

    def __eq__(self, other: object) -> bool:
        """Whether two units have the same golden model."""
        return isinstance(other, BuiltIn) and self.fl is other.fl

    def __hash__(self) -> int:
        """Hash of the golden model."""
        return hash(self.fl)

    def __repr__(self) -> str:
        """Give the name of the golden model's class."""
        return f"BuiltIn({self.fl.__name__})"


def class_in(module: str, name: str) -> type[Any]:
    """Class of a module, which is imported if necessary.

    Raises
    ------
    ValueError
        If there is no such module, or it has no such class.
    """
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise ValueError(f"there is no module {module} with a class {name}") from error
    except AttributeError as error:
        raise ValueError(f"module {module} has no class {name}") from error


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
