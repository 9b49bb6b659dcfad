"""Reads results of earlier runs in a folder, also those made by other versions of the code.

Outlines and FPGA resources lack their configuration, which is read from their run's folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsaxcel.catalog.given import is_given
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.fpga import RESOURCES, FpgaRecord
from rsaxcel.flow.graph import NODES
from rsaxcel.flow.job import JOB, FlowJob
from rsaxcel.flow.nodes.fpga import FpgaNode
from rsaxcel.flow.nodes.placed_record import PlacedRecordNode
from rsaxcel.flow.nodes.record import RecordNode
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.nodes.timing import TimingNode
from rsaxcel.flow.outline import OUTLINE, Outline
from rsaxcel.flow.paths import STORE, work_folder
from rsaxcel.flow.record import Record
from rsaxcel.flow.run import read_record
from rsaxcel.flow.runner import KNOWN, Stored, known_keys
from rsaxcel.store.errors import RsaxcelError
from rsaxcel.store.folders import is_whole

_RECORDS = RecordNode.name, PlacedRecordNode.name


@dataclass(frozen=True)
class Earlier:
    design: str
    nbits: int
    params: Mapping[str, Any]
    result: Record | Outline | FpgaRecord
    asked_s: float  #: time of the last request, in seconds since 1970


def earlier_results(flows: Path, mappings: Path) -> list[Earlier]:
    """Return all complete results, the most recently requested first."""
    found: list[Earlier] = []
    if flows.is_dir():
        work = work_folder(flows.absolute())
        found += [*_records(work), *_circuits(work)]
    if mappings.is_dir():
        found += _circuits(work_folder(mappings.absolute()))
    return sorted(found, key=lambda x: -x.asked_s)


def _records(work: Path) -> Iterator[Earlier]:
    """Yield the records in a folder of runs."""
    for entry in (x for name in _RECORDS for x in work.glob(f"{STORE}/{name}-*")):
        if entry.is_dir() and is_whole(entry):
            try:
                own, asked_s = read_record(entry), entry.stat().st_mtime
            except (ValueError, OSError):  # made by another version of the code, or removed since
                continue
            if not is_given(own.params):
                yield Earlier(own.design, own.nbits, own.params, own, asked_s)


def _circuits(work: Path) -> Iterator[Earlier]:
    """Yield the outlines (area and critical path) and FPGA resources in a folder of runs."""
    for path in work.glob(f"*/{JOB}"):
        try:
            job = FlowJob.read(path)
            result = None if job.exponents or is_given(job.params) else _result(job, path.parent)
            asked_s = (path.parent / KNOWN).stat().st_mtime
        # removed since, or made by another version of the code
        except (RsaxcelError, OSError, ValueError):
            continue
        if result is not None:
            yield Earlier(job.design, job.nbits, job.params, result, asked_s)


def _result(job: FlowJob, folder: Path) -> Outline | FpgaRecord | None:
    """Read the result of a run; None if the run did not finish or its result was removed."""
    keys, found = known_keys(folder), []
    for node in (FpgaNode,) if job.family else (SynthesisNode, TimingNode):
        key = keys.get(node.name, "")
        entry = folder.parent / STORE / node.entry(job, key)
        if not key or not is_whole(entry):
            return None
        found.append(Stored(node, key, entry))
    return (RESOURCES if job.family else OUTLINE).read(job, found)


def record_files(flows: Path) -> Callable[[str], tuple[FlowJob, dict[str, Path]] | None]:
    """Return a function that finds the job and the files (by name) of a record from its hash.

    The function returns None if the results are gone.
    """
    work = work_folder(flows.absolute()) if flows.is_dir() else flows
    runs: dict[str, Path] = {}
    for path in work.glob(f"*/{KNOWN}"):
        keys = known_keys(path.parent)
        runs |= {keys[name]: path.parent for name in _RECORDS if name in keys}

    def find(record: str) -> tuple[FlowJob, dict[str, Path]] | None:
        if record not in runs:
            return None
        folder = runs[record]
        try:
            job = FlowJob.read(folder / JOB)
        except FlowError:
            return None
        keys = known_keys(folder)
        entries = [work / STORE / x.entry(job, keys[x.name]) for x in NODES if x.name in keys]
        if not all(map(is_whole, entries)):
            return None
        return job, {path.name: path for entry in entries for path in entry.iterdir()}

    return find
