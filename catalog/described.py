"""Circuits of cores that others wrote in Verilog, by their descriptions (``cores``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from rsaxcel.catalog.given import GivenDesign, GivenEntry, GivenMultiplier, GivenMultiplierEntry
from rsaxcel.circuit import Label
from rsaxcel.cores.description import Description, read_description
from rsaxcel.fl.status import InputRules
from rsaxcel.plan.parameters import Parameter, parse_parameters
from rsaxcel.rtl.shells import SHELL, Apart, shell

_ROOT = Path(__file__).parents[1]
_CODE = tuple(_ROOT / x for x in ("cores", "rtl/shells", "rtl/lib", "plan/protocols.py"))


# The shell is this project's, not a part of what the core's authors made.
LEFT_OUT, COUNTED = "left_out", "counted"
COUNTS = Parameter(
    "shell",
    lambda nbits: LEFT_OUT,
    lambda nbits: (LEFT_OUT, COUNTED),
    "whether area, clock and energy are those of the core alone, or of core and shell",
)


class _Described:
    """A core in its shell, as a circuit."""

    described: Description
    nbits: int
    rules: Any
    levels: tuple[str, ...]
    counts_shell: bool
    design_name: str

    @property
    def labels(self) -> tuple[Label, ...]:
        """Labels of core and shell, which are instances beside each other."""
        core = re.escape(self.shelled.core)
        return Label(core, "core", self.shelled.core), Label(SHELL, "shell", "shell")

    @property
    def params(self) -> dict[str, str]:
        return {COUNTS.name: COUNTED} if self.counts_shell else {}

    @property
    def changed(self) -> dict[str, str]:
        return self.params

    @property
    def name(self) -> str:
        own = f"{self.design_name}_{self.nbits}"
        return f"{own}_{COUNTS.name}_{COUNTED}" if self.counts_shell else own

    @property
    def whole(self) -> Self:
        return replace(self, counts_shell=True)  # type: ignore[type-var]

    @cached_property
    def shelled(self) -> Apart:
        core, text = self.described.core(self.nbits), self.described.text(self.nbits)
        return Apart(core, self.rules, text, self.counts_shell)

    @cached_property
    def sources(self) -> tuple[Path, ...]:
        """Files of the core and of its description, and the code of shells."""
        return (*self.described.files, *_CODE)

    @property
    def most_cycles(self) -> int:
        """Cycles that the core takes at most, as its description says; 0: it does not say."""
        return self.described.most_cycles(self.nbits)

    def component(self, level: str) -> Any:
        """PyMTL3 component, not elaborated: at RTL the shell, at FL Python's integers."""
        if level != "rtl":
            return super().component(level)  # type: ignore[misc]
        return shell(self.described.core(self.nbits), self.rules, self.described.text(self.nbits))

    def operator(self) -> Any:
        """Return what the flow takes; ``DescriptionError`` if no netlist can be made of it."""
        self.described.check_netlist(self.nbits)
        text = self.described.netlist_text(self.nbits)
        return shell(self.described.core(self.nbits), self.rules, text)


def _counted(nbits: int, params: dict[str, Any]) -> bool:
    """Take the parameter by which a shell is counted from the others."""
    ((_, how),) = parse_parameters((COUNTS,), params, nbits)
    return bool(how == COUNTED)


@dataclass(frozen=True)
class DescribedDesign(_Described, GivenDesign):
    """An exponentiator in its shell."""

    described: Description = field(kw_only=True)
    counts_shell: bool = field(default=False, kw_only=True)

    @cached_property
    def rules(self) -> InputRules:
        return self.described.rules(self.nbits)

    def usable_modulus(self, drawn: int) -> int:
        """Return a modulus of full length from a random number, if the core demands it."""
        return drawn | self.rules.min_modulus if self.described.full_modulus else drawn


@dataclass(frozen=True)
class DescribedMultiplier(_Described, GivenMultiplier):
    """A multiplier in its shell."""

    described: Description = field(kw_only=True)
    counts_shell: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class DescribedEntry(GivenEntry):
    """An exponentiator by its description."""

    described: Description = field(kw_only=True)

    parameters: ClassVar[tuple[Parameter, ...]] = (COUNTS,)

    def notes(self, nbits: int) -> tuple[str, ...]:
        return self.described.notes(nbits)

    def configure(self, nbits: int, /, **params: Any) -> DescribedDesign:
        counts_shell = _counted(nbits, params)
        found = super().configure(nbits, **params)
        own: dict[str, Any] = {"described": self.described, "counts_shell": counts_shell}
        return DescribedDesign(**_fields(found), **own)


@dataclass(frozen=True)
class DescribedMultiplierEntry(GivenMultiplierEntry):
    """A multiplier by its description."""

    described: Description = field(kw_only=True)

    parameters: ClassVar[tuple[Parameter, ...]] = (COUNTS,)

    def configure(self, nbits: int, /, **params: Any) -> DescribedMultiplier:
        counts_shell = _counted(nbits, params)
        found = super().configure(nbits, **params)
        own: dict[str, Any] = {"described": self.described, "counts_shell": counts_shell}
        return DescribedMultiplier(**_fields(found), **own)


def is_same(a: Any, b: Any) -> bool:
    """Whether two entries are from one file."""
    files = [x.described.file.resolve() for x in (a, b) if getattr(x, "described", None)]
    return len(files) == 2 and files[0] == files[1]


def _fields(circuit: Any) -> Mapping[str, Any]:
    return {x.name: getattr(circuit, x.name) for x in fields(circuit)}


def describe(path: Path) -> DescribedEntry | DescribedMultiplierEntry:
    """Read a description and make what the registry lists; ``DescriptionError`` for a mistake."""
    found = read_description(path)
    common: dict[str, Any] = {
        "name": found.name,
        "summary": found.title,
        "widths": found.widths,
        "text": found.text,
        "odd_modulus": found.odd_modulus,
        "source": found.source,
        "described": found,
    }
    if found.is_product:
        return DescribedMultiplierEntry(**common, divisor=found.divisor)
    declared = {x: getattr(found, x) for x in ("exponent_dependent", "base_dependent")}
    return DescribedEntry(**common, host_constants=found.constants, **declared)
