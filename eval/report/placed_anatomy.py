"""Reads the inner structure of placed circuits, for cards and pictures."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from rsaxcel.eval.facts.fact import USUAL_OPERATION
from rsaxcel.eval.pictures.floor import floor_data
from rsaxcel.eval.pictures.placed import Placed
from rsaxcel.eval.report.anatomy import Anatomy
from rsaxcel.flow.earlier import record_files
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.record import Record

_FILES = {
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
    timing, power = (read_json(placed.file(f"placed-{x}.json")) for x in ("timing", "power"))
    return Anatomy(
        dict(Counter(placed.kinds).most_common()),
        timing.get("slacks", {}),
        tuple(timing.get("path", ())),
        timing.get("required_ns"),
        {
            name: operation.get("power_mw_by_module", {})
            for name, operation in power.get("operations", {}).items()
        },
        {
            title: os.path.relpath(placed.files[name], folder)
            for name, title in _FILES.items()
            if name in placed.files
        },
        _floor(placed),
    )


def _floor(placed: Placed) -> Mapping[str, object]:
    """Collect the data of the picture; empty if a file of the run is missing."""
    known = placed.record.operations
    usual = next((x for x in known if x.endswith(USUAL_OPERATION)), placed.record.operation)
    try:
        return floor_data(placed, usual)
    except FlowError:
        return {}
