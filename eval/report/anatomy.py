"""Reads cells, longest path, slacks and power by module of a circuit from the flow's folders."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rsaxcel import catalog
from rsaxcel.circuit import Target, is_product
from rsaxcel.eval.facts.points import choices_of
from rsaxcel.flow.files import read_json
from rsaxcel.flow.job import circuit_job, energy_job
from rsaxcel.flow.kit import LIBRARIES
from rsaxcel.flow.outline import OUTLINE
from rsaxcel.flow.run import RECORD, stored_folders
from rsaxcel.proc.systems import find_system, is_system

# Titles of the linked files, by node of the flow and file name.
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

    cells: Mapping[str, int] = field(default_factory=dict)  # number of cells by kind
    # histogram of slacks, see flow.endpoints.histogram
    slacks: Mapping[str, Any] = field(default_factory=dict)
    # cells of the longest path, see flow.endpoints.read_ends
    path: tuple[Mapping[str, Any], ...] = ()
    required_ns: float | None = None  # time at which a signal must arrive at the end of the path
    # mW by operation and instance, without instances inside
    power_by_module: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)  # relative paths of files by title
    # data of the picture, see eval.pictures.floor.floor_data
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
    """Read a circuit's inner structure from the flow's folders; without results, it is empty."""
    # ``hashes`` of the facts' records are separated by blanks; links are relative to ``folder``.
    if library not in LIBRARIES:
        return Anatomy()
    try:
        target = target_of(subject, nbits, choices)
        asked, goal = (circuit_job, OUTLINE) if is_product(target) else (energy_job, RECORD)
        results = stored_folders(asked(target, library, clock_ns), goal)
    except (ValueError, OSError):
        return Anatomy()
    last = results.get("record", results.get("timing"))
    if last is None or not any(last.name.endswith(f"-{x}") for x in hashes.split()):
        return Anatomy()
    timing = _read(results, "timing")
    return Anatomy(
        _read(results, "synthesis").get("cells", {}),
        timing.get("slacks", {}),
        tuple(timing.get("path", ())),
        timing.get("required_ns"),
        {
            name: operation.get("power_mw_by_module", {})
            for name, operation in _read(results, "power").get("operations", {}).items()
        },
        _links(results, folder),
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
