"""Searches the smallest core in which a circuit's wires have room.

The search takes the largest utilisation without overflow after placement, runs the other steps, and
goes down if the finished wires do not fit. Every result is stored, so that a search is resumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rsaxcel.flow.errors import FlowError, NoRoom
from rsaxcel.flow.files import read_json
from rsaxcel.flow.graph import path_to
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.layout import PLACED_STAGES, SEARCHED
from rsaxcel.flow.nodes.node import LONGEST_NAME
from rsaxcel.flow.nodes.steps import STEP_NODES, StepNode, WiresNode
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.physical.interface import PLACE
from rsaxcel.flow.runner import Goal, Progress, Stored, made_digests, run_nodes
from rsaxcel.store.folders import find_json, keep_json, key_of

#: Utilisations that the search tries, from the smallest core on.
UTILISATIONS = (*(percent / 100 for percent in range(80, 45, -2)), 0.45)

_PLACE = next(node for node in STEP_NODES if node.name == PLACE)


def find_core(job: FlowJob) -> FlowJob | None:
    """Return a job with the utilisation that an earlier search has found; None if none has."""
    if not _is_searched(job):
        return job
    name = _entry(job)
    utilisation = None if name is None else find_json(job.store, name)
    return None if utilisation is None else job.replaced(utilisation=utilisation)


def search_core(job: FlowJob, progress: Progress) -> FlowJob:
    """Return a job with its utilisation; search the smallest core if asked and not yet stored."""
    if not _is_searched(job):
        return job
    run_nodes(job, Goal(lambda _: SynthesisNode, lambda _, found: found), progress)
    name = _entry(job)
    if name is None:
        raise FlowError(f"{job.name}: the result of synthesis is gone")
    return job.replaced(utilisation=keep_json(job.store, name, partial(_search, job, progress)))


def _is_searched(job: FlowJob) -> bool:
    return job.stage in PLACED_STAGES and job.utilisation == SEARCHED


def _search(job: FlowJob, progress: Progress) -> float:
    first, last = 0, len(UTILISATIONS) - 1
    while first < last:
        middle = (first + last) // 2
        if _has_room(job, UTILISATIONS[middle], progress):
            last = middle
        else:
            first = middle + 1
    for utilisation in UTILISATIONS[first:]:
        try:
            _run(job, utilisation, WiresNode, progress)
        except NoRoom:
            if utilisation == UTILISATIONS[-1]:
                raise
        else:
            return utilisation
    raise AssertionError  # the loop ends by a return or by an exception


def _has_room(job: FlowJob, utilisation: float, progress: Progress) -> bool:
    """Whether cells and wires have room after placement."""
    try:
        figures = _run(job, utilisation, _PLACE, progress)
    except NoRoom:
        return False
    return not figures["overflow"]


def _run(
    job: FlowJob, utilisation: float, last: type[StepNode], progress: Progress
) -> Mapping[str, Any]:
    """Run nodes at a utilisation; return the figures of the last one."""

    def tell(line: str) -> None:
        progress(f"{line} at utilisation {utilisation:g}")

    def read(_: FlowJob, found: Sequence[Stored]) -> Mapping[str, Any]:
        return read_json(found[-1].folder / f"{last.name}.json")

    return run_nodes(job.replaced(utilisation=utilisation), Goal(lambda _: last, read), tell)


def _entry(job: FlowJob) -> str | None:
    """Name of the stored utilisation: a digest of the keys of all nodes that place the netlist."""
    made = made_digests(job, path_to(SynthesisNode))
    if made is None:
        return None
    keys = [node.key(job, {**dict.fromkeys(node.inputs, ""), **made}) for node in STEP_NODES]
    return f"utilisation-{job.name[:LONGEST_NAME]}-{key_of(keys, UTILISATIONS)}"
