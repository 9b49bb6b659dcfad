"""A unit with its parameters, built at any level."""

import re
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Unit:
    """A unit that a configuration uses.

    Parameters
    ----------
    classes : Classes
        The unit.
    params : tuple of (str, value)
        All construction parameters besides ``nbits``.
    """

    classes: Classes
    params: tuple[tuple[str, Any], ...] = ()

    def build(self, level: str, nbits: int, *args: Any, **extra: Any) -> Any:
        """Build the unit at a level (``"fl"``, ``"cl"`` or ``"rtl"``) for ``nbits`` bits.

        ``args`` and ``extra`` are parameters of that level only, such as the number of lanes.
        """
        return getattr(self.classes, level)(nbits, *args, **dict(self.params), **extra)

    def __str__(self) -> str:
        """Give a short name."""
        return "_".join([self.classes.name, *(f"{k}_{v}" for k, v in self.params)])
