"""Reads the inner structure of circuits: cells, longest path, slacks, power by module, places."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rsaxcel import catalog
from rsaxcel.circuit import Target, is_product
from rsaxcel.eval.facts.fact import USUAL_OPERATION
from rsaxcel.eval.facts.points import choices_of
from rsaxcel.eval.pictures.floor import floor_data
from rsaxcel.eval.pictures.placed import Placed
from rsaxcel.flow.earlier import record_files
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.job import circuit_job, energy_job
from rsaxcel.flow.outline import OUTLINE
from rsaxcel.flow.record import Record
from rsaxcel.flow.run import RECORD, stored_folders
from rsaxcel.proc.systems import find_system, is_system

_PLACED_FILES = {
    "placed.v": "netlist",
    "placed.def": "places",
    "placed.spef": "wires",
    "clock.json": "clock tree",
    "placed-timing.json": "timing",
    "placed-power.json": "power",
    "placed-record.json": "record",
}

Loader = Callable[[str], Placed | None]
"""Function that reads a placed circuit by the hashes of its records, separated by blanks."""


def placed_circuits(flows: Path) -> Loader:
    """Return a function that reads placed circuits; it returns None if there is no such circuit."""
    find = record_files(flows)

    def load(hashes: str) -> Placed | None:
        for key in hashes.split():
            found = find(key)
            if found is None or "placed-record.json" not in found[1]:
                continue
            try:
                record = Record.from_json(read_json(found[1]["placed-record.json"]))
                return Placed(record, found[1])
            except (FlowError, OSError):
                return None
        return None

    return load


def placed_anatomy(folder: Path, placed: Placed) -> Anatomy:
    """Collect the inner structure of a placed circuit; links are relative to ``folder``."""
    links = {
        title: os.path.relpath(placed.files[name], folder)
        for name, title in _PLACED_FILES.items()
        if name in placed.files
    }
    timing, power = (read_json(placed.file(f"placed-{x}.json")) for x in ("timing", "power"))
    return _anatomy(dict(Counter(placed.kinds).most_common()), timing, power, links, _floor(placed))


def _floor(placed: Placed) -> Mapping[str, object]:
    """Collect the data of the picture; empty if a file of the run is missing."""
    known = placed.record.operations
    usual = next((x for x in known if x.endswith(USUAL_OPERATION)), placed.record.operation)
    try:
        return floor_data(placed, usual)
    except FlowError:
        return {}


#: Titles of the linked files, by node of the flow and file name.
_FILES = {
    "translate": {"design.v": "Verilog"},
    "synthesis": {"netlist.v": "netlist", "synthesis.json": "cells"},
    "timing": {"timing.json": "timing"},
    "gate-simulation": {"simulation.json": "simulation"},
    "power": {"power.json": "power"},
    "record": {"record.json": "record"},
    "run": {"make.log": "log of the run"},
}


@dataclass(frozen=True)
class Anatomy:
    """Inner structure of a circuit, beyond its facts; a field without data is empty."""

    cells: Mapping[str, int] = field(default_factory=dict)  #: number of cells by kind
    #: histogram of slacks, see flow.endpoints.histogram
    slacks: Mapping[str, Any] = field(default_factory=dict)
    #: cells of the longest path, see flow.endpoints.read_ends
    path: tuple[Mapping[str, Any], ...] = ()
    required_ns: float | None = None  #: time at which a signal must arrive at the end of the path
    #: mW by operation and instance, without instances inside
    power_by_module: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)  #: relative paths of files by title
    #: data of the picture, see eval.pictures.floor.floor_data
    floor: Mapping[str, Any] = field(default_factory=dict)


def target_of(subject: str, nbits: int, choices: str) -> Target:
    """Find and configure the design, multiplier or system of a fact."""
    asked = choices_of(choices)
    if is_system(subject):
        return find_system(subject, nbits, **asked)
    return catalog.find(subject).configure(nbits, **asked)


def find_anatomy(
    folder: Path, subject: str, nbits: int, choices: str, library: str, clock_ns: float, hashes: str
) -> Anatomy:
    """Read a circuit's inner structure from the flow's folders; without results, it is empty.

    ``hashes`` of the facts' records are separated by blanks; links are relative to ``folder``.
    """
    try:
        target = target_of(subject, nbits, choices)
        asked, goal = (circuit_job, OUTLINE) if is_product(target) else (energy_job, RECORD)
        results = stored_folders(asked(target, library, clock_ns), goal)
    except (ValueError, OSError):
        return Anatomy()
    last = results.get("record", results.get("timing"))
    if last is None or not any(last.name.endswith(f"-{x}") for x in hashes.split()):
        return Anatomy()
    cells = _read(results, "synthesis").get("cells", {})
    timing, power = (_read(results, x) for x in ("timing", "power"))
    return _anatomy(cells, timing, power, _links(results, folder))


def _anatomy(
    cells: Mapping[str, int],
    timing: Mapping[str, Any],
    power: Mapping[str, Any],
    links: Mapping[str, str],
    floor: Mapping[str, Any] | None = None,
) -> Anatomy:
    """Collect an inner structure from cells by kind, and the files of timing and power."""
    return Anatomy(
        cells,
        timing.get("slacks", {}),
        tuple(timing.get("path", ())),
        timing.get("required_ns"),
        {
            name: operation.get("power_mw_by_module", {})
            for name, operation in power.get("operations", {}).items()
        },
        links,
        floor or {},
    )


def _read(results: Mapping[str, Path], node: str) -> Mapping[str, Any]:
    path = results.get(node, Path()) / f"{node}.json"
    return read_json(path) if path.is_file() else {}


def _links(results: Mapping[str, Path], folder: Path) -> dict[str, str]:
    return {
        title: os.path.relpath(path, folder)
        for node, files in _FILES.items()
        if node in results
        for name, title in files.items()
        if (path := results[node] / name).is_file()
    }
