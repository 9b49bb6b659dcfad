"""Circuits of cores that others wrote in Verilog, by their descriptions (``cores``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.catalog.given import GivenDesign, GivenEntry, GivenMultiplier, GivenMultiplierEntry
from rsaxcel.circuit import Label
from rsaxcel.cores.description import Description, read_description
from rsaxcel.fl.status import InputRules
from rsaxcel.rtl.shells import CORE, shell

_ROOT = Path(__file__).parents[1]
_CODE = tuple(_ROOT / x for x in ("cores", "rtl/shells", "rtl/lib", "plan/protocols.py"))


class _Described:
    """A core in its shell, as a circuit."""

    described: Description
    nbits: int
    rules: Any
    levels: tuple[str, ...]
    # The instance around the core has nothing else in it, and is mapped on its own.
    labels: ClassVar[tuple[Label, ...]] = (Label(CORE.partition(".")[0], "core", "core"),)

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


@dataclass(frozen=True)
class DescribedDesign(_Described, GivenDesign):
    """An exponentiator in its shell."""

    described: Description = field(kw_only=True)

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


@dataclass(frozen=True)
class DescribedEntry(GivenEntry):
    """An exponentiator by its description."""

    described: Description = field(kw_only=True)

    def notes(self, nbits: int) -> tuple[str, ...]:
        return self.described.notes(nbits)

    def configure(self, nbits: int, /, **params: Any) -> DescribedDesign:
        found = super().configure(nbits, **params)
        return DescribedDesign(**_fields(found), described=self.described)


@dataclass(frozen=True)
class DescribedMultiplierEntry(GivenMultiplierEntry):
    """A multiplier by its description."""

    described: Description = field(kw_only=True)

    def configure(self, nbits: int, /, **params: Any) -> DescribedMultiplier:
        found = super().configure(nbits, **params)
        return DescribedMultiplier(**_fields(found), described=self.described)


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
