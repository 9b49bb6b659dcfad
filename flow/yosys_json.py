"""Netlists in the JSON form of Yosys (``write_json``): one reader, one writer."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rsaxcel.flow.errors import PowerError

Bit = int | str  #: Yosys's number of a net, or a constant: "0", "1", "x", "z"

REGISTERS = "registers"
"""Attribute of wires: registers that they hold, each as OFFSET:NAME, with blanks between."""


@dataclass
class Module:
    """A module as Yosys writes it."""

    attributes: dict[str, Any] = field(default_factory=dict)
    ports: dict[str, dict[str, Any]] = field(default_factory=dict)
    cells: dict[str, dict[str, Any]] = field(default_factory=dict)
    netnames: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def public_nets(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Nets that keep their names in Yosys's Verilog; hidden ones have others there."""
        return ((name, net) for name, net in self.netnames.items() if not net.get("hide_name"))

    def register_names(self) -> dict[int, str]:
        """Find the register, with the index of several bits, that drives each net."""
        names: dict[int, str] = {}
        for wire, net in self.netnames.items():
            path, dot, _ = wire.rpartition(".")
            for mark in net["attributes"].get(REGISTERS, "").split():
                offset, _, name = mark.partition(":")
                bit = net["bits"][int(offset)]
                if isinstance(bit, int):
                    names.setdefault(bit, f"{path}{dot}{name}")
        return names


def read_modules(path: str | Path) -> dict[str, Module]:
    """Read all modules of a file; ``PowerError`` if it is none of Yosys's."""
    try:
        modules = json.loads(Path(path).read_text())["modules"]
        return {
            name: Module(x.get("attributes", {}), x["ports"], x["cells"], x["netnames"])
            for name, x in modules.items()
        }
    except OSError as error:
        raise PowerError(f"cannot read the netlist {path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PowerError(f"{path} is not a netlist in Yosys's JSON form") from error


def read_module(path: str | Path, top: str) -> Module:
    """Read a module; ``PowerError`` if the file does not have it."""
    modules = read_modules(path)
    if top not in modules:
        raise PowerError(f"{path} has no module {top!r}, only {', '.join(modules) or 'none'}")
    return modules[top]


def write_module(path: Path, name: str, module: Module) -> None:
    path.write_text(json.dumps({"creator": "rsaxcel", "modules": {name: vars(module)}}))


@contextmanager
def without_collection() -> Iterator[None]:
    """Disable garbage collection: a growing netlist would be traversed again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
