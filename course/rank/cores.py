"""Cores in Verilog that are handed in: each sandbox makes the circuit anew, from their files."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rsaxcel.catalog import registry
from rsaxcel.catalog.described import DescribedEntry, DescribedMultiplierEntry
from rsaxcel.circuit import Circuit
from rsaxcel.cores import vhdl
from rsaxcel.sim.check.refused import Refused
from rsaxcel.store.errors import UserError
from rsaxcel.store.folders import key_of

PACKAGE = "__init__.py"
_TOLD = 2  #: reasons why a multiplier fits no design: by the first plain and Montgomery design


def is_core(files: Mapping[str, str]) -> bool:
    """Whether the files are those of a core, and not of a design in Python."""
    return registry.DESCRIPTION in files and PACKAGE not in files


def tools(files: Mapping[str, str]) -> list[str]:
    """Versions of tools that read the files of a core; ``ToolError`` if one is missing."""
    is_needed = is_core(files) and any(vhdl.is_vhdl(Path(x)) for x in files)
    return [vhdl.ghdl_version()] if is_needed else []


def write(name: str, files: Mapping[str, str]) -> Path:
    """Write files into a folder of the current one; return its relative path."""
    for file, content in files.items():
        path = Path(name) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
    return Path(name)


def load(name: str, files: Mapping[str, str]) -> DescribedEntry | DescribedMultiplierEntry:
    """Register the core of a folder's files alone, and return it."""
    registry.GIVEN.clear()  # a circuit in PyMTL3 is a core of the same name for each width
    own = registry.named(str(write(name, files) / registry.DESCRIPTION))
    entry = registry.find(own)
    assert isinstance(entry, DescribedEntry | DescribedMultiplierEntry)
    registry.GIVEN[own] = entry = replace(entry, typed="")  # a replay names it, not this copy
    return entry


def configured(entry: DescribedEntry | DescribedMultiplierEntry, nbits: int) -> Circuit:
    """Configure a core; a multiplier becomes a part of a design, as a ranking needs powers."""
    if isinstance(entry, DescribedEntry):
        return entry.configure(nbits)
    entry.configure(nbits)  # the reason why the multiplier lacks a width
    refusals = []
    for design in registry.DESIGNS.values():
        try:
            return design.configure(nbits, multiplier=entry.name)
        except ValueError as error:
            refusals.append(str(error))
    raise ValueError("; ".join(refusals[:_TOLD]))


def described(name: str, files: Mapping[str, str], widths: Sequence[int]) -> dict[str, Any]:
    """Elaborate a core; return its name and, but for the first width, why it lacks a width."""
    try:
        entry = load(name, files)
        skipped = {}
        for nbits in widths:
            try:
                configured(entry, nbits).component("rtl")
            except ValueError as error:
                if nbits == widths[0]:
                    raise
                skipped[str(nbits)] = str(error)
    except (UserError, ValueError) as error:
        raise Refused("broken", str(error)) from error
    is_product = isinstance(entry, DescribedMultiplierEntry)
    about = {"name": entry.name, "summary": entry.summary, "is_product": is_product}
    return {**about, "skipped": skipped}


@dataclass(frozen=True)
class HandedCore:
    """A core of a width, for processes that do not read its files."""

    design_name: str
    nbits: int
    folder: str
    files: Mapping[str, str]  #: in base 64 by relative path
    is_product: bool = False  #: measured as a part of a design

    @property
    def key(self) -> str:
        return key_of(self.as_json())

    @property
    def tools(self) -> list[str]:
        return tools(self.files)

    def as_json(self) -> dict[str, Any]:
        core = [self.folder, self.files, self.is_product]
        return {"name": self.design_name, "nbits": self.nbits, "core": core}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> HandedCore:
        return cls(content["name"], content["nbits"], *content["core"])

    def circuit(self, *, alone: bool = False) -> Circuit:
        """Make the circuit in a sandbox; ``alone``: not in the design around a multiplier."""
        try:
            entry = load(self.folder, self.files)
            return entry.configure(self.nbits) if alone else configured(entry, self.nbits)
        except UserError as error:
            raise Refused("broken", str(error)) from error
