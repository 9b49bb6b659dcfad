"""What a cell library has and lacks, and what was guessed, for ``rsaxcel doctor --library``."""

from __future__ import annotations

from typing import Any

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.fo4 import fo4_ns
from rsaxcel.flow.kit import DEFAULT_LIBRARY, KIT_FILE, Kit
from rsaxcel.flow.kit_check import check_kit
from rsaxcel.flow.libraries import find_kit, guesses, kit_digest, known_libraries
from rsaxcel.store.errors import SetupError

_HOW = (
    "an open PDK is installed by ciel (`pip install ciel`, then `ciel enable --pdk-family NAME "
    "VERSION`); PDK_ROOT names the folder of the PDKs"
)


def list_libraries() -> list[str]:
    """Return a line on each library that can be found, and how to install others."""
    lines = []
    for name in known_libraries():
        try:
            kit = find_kit(name)
            about = f"corners {', '.join(corner for corner, _ in kit.corners)}"
        except SetupError as error:
            about = str(error)
        usual = "default; " if name == DEFAULT_LIBRARY else ""
        lines.append(f"{name:<16}{usual}{about}")
    return [*lines, f"a folder with a {KIT_FILE} is a library, too; {_HOW}"]


def examine_library(library: str) -> dict[str, Any]:
    """Read and check a library; return its properties by name, for JSON.

    ``fault`` is empty if the library can be used.
    """
    try:
        kit = find_kit(library)
        check_kit(kit)
    except SetupError as error:
        return {"library": library, "fault": str(error)}
    cells = kit.library.cells
    usable = {cell.name for cell in kit.library.usable(kit.unusable)}
    return {
        "library": library,
        "from": str(kit.file),
        "licence": kit.licence or "not stated",
        "digest": kit_digest(library),
        "corners": {
            name: {
                "file": str(path),
                "conditions": kit.at(name).corner,
                "fo4_ns": round(fo4_ns(kit.at(name)), 4),
            }
            for name, path in kit.corners
        },
        "setup at": kit.setup,
        "hold at": kit.hold,
        "power at": kit.power,
        "cells": len(cells),
        "flip-flops": _names(x.name for x in cells.values() if x.is_flip_flop),
        "clock gates": _names(x.name for x in cells.values() if x.clock_gate),
        "not chosen": _names(x for x in cells if x not in usable),
        "driving cell": kit.driving_cell,
        "load of a port": f"{kit.port_load_ff:g} fF",
        "tie cells": _names(x[0] for x in (kit.tie_high, kit.tie_low) if x),
        "uncertainty and derate": f"{kit.layout.uncertainty_ns:g} ns, {kit.layout.derate:g}",
        "notes": list(kit.notes),
        "missing": _missing(kit),
        "guessed": list(guesses(library)),
        "fault": "",
    }


def _names(names: Any) -> str:
    return ", ".join(names) or "none"


def _missing(kit: Kit) -> list[str]:
    """Return a text on each property that the library lacks, and what figures lack for it."""
    found = []
    if len(kit.corners) == 1:
        found.append("one corner: setup and hold are checked at the same speed")
    speeds = {name: fo4_ns(kit.at(name)) for name, _ in kit.corners}
    for use, corner, most in (("setup", kit.setup, max), ("hold", kit.hold, min)):
        if speeds[corner] != most(speeds.values()):
            extreme = most(speeds, key=speeds.__getitem__)
            found.append(f"{use} is checked at the corner {corner}; {extreme} is the extreme one")
    if not kit.layout.lef:
        found.append("no LEF files: circuits cannot be placed")
    elif kit.layout.mesh_layers is None:
        found.append("no layers for power straps: rails are the only power wires")
    if kit.library.wire_load is None:
        found.append("no wire-load model: wires of circuits that are not placed weigh nothing")
    if kit.tie_high is None or kit.tie_low is None:
        found.append("no tie cells: constants are the rails")
    if kit.layout.lef:
        from rsaxcel.flow.physical.lef import geometry

        try:
            geometry(kit)
        except FlowError as error:
            found.append(str(error))
    return found
