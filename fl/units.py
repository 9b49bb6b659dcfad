"""A unit named once, built at any level."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Unit:
    """A class that exists under the same path in ``fl``, ``cl`` and ``rtl``, with its parameters.

    Parameters
    ----------
    ref : str
        ``"package.module:Class"`` below the level, such as ``"multipliers.mul_rem:MulRem"``.
    params : tuple of (str, value)
        Construction parameters besides ``nbits``.
    """

    ref: str
    params: tuple[tuple[str, Any], ...] = ()

    @property
    def module(self) -> str:
        """Last part of the module path: the unit's name in snake case."""
        return self.ref.partition(":")[0].rpartition(".")[2]

    def resolve(self, level: str) -> type:
        """Class of this unit at a level (``"fl"``, ``"cl"`` or ``"rtl"``)."""
        path, _, name = self.ref.partition(":")
        return getattr(import_module(f"{level}.{path}"), name)

    def build(self, level: str, nbits: int, **extra: Any) -> Any:
        """Build the unit at a level for operands of ``nbits`` bits.

        ``extra`` are parameters of that level only, such as those of a timing model.
        """
        return self.resolve(level)(nbits, **dict(self.params), **extra)

    def __str__(self) -> str:
        """Give a short name; it enters the names of Verilog modules."""
        return "_".join([self.module, *(f"{k}_{v}" for k, v in self.params)])
