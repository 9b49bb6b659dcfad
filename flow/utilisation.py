"""Searches the smallest core in which a circuit's wires have room.

The search places the circuit at several utilisations, and takes the largest one at which the global
router finds no overflow after placement. Then it runs the other steps; if the wires of the finished
layout do not fit, it goes down, utilisation by utilisation. Every step's result is stored, so that
an interrupted search is resumed; so is the utilisation that was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flow.errors import FlowError, NoRoom
from flow.files import read_json
from flow.graph import STEPS, path_to
from flow.job import FlowJob
from flow.nodes.place import PlaceNode
from flow.nodes.synthesis import SynthesisNode
from flow.nodes.wires import WiresNode
from flow.results import made_digests
from flow.runner import Progress, run_nodes
from store.folders import find_json, keep_json, key_of

UTILISATIONS = (*(percent / 100 for percent in range(80, 45, -2)), 0.45)
"""Utilisations that the search tries: from the smallest core to the largest one."""

_LONGEST_NAME = 150  # a name in a file system has 255 characters


def find_utilisation(job: FlowJob) -> float | None:
    """Return the utilisation that a search has found for a job; None if there was no search."""
    name = _entry(job)
    return None if name is None else find_json(job.store, name)


def search_utilisation(job: FlowJob, root: Path, progress: Progress) -> float:
    """Search the largest utilisation without overflow, or return the stored one.

    Parameters
    ----------
    job
        Job of the run; its utilisation is not used.
    root, progress
        See ``flow.runner.run_nodes``.

    Raises
    ------
    FlowError
        If a node fails, or the wires have no room even in the largest core.
    """
    run_nodes(job, path_to(SynthesisNode), root, progress, Path.iterdir)
    name = _entry(job)
    if name is None:
        raise FlowError(f"{job.name}: the result of synthesis is gone")
    return keep_json(job.store, name, lambda: _search(job, root, progress))


def _search(job: FlowJob, root: Path, progress: Progress) -> float:
    first, last = 0, len(UTILISATIONS) - 1
    while first < last:
        middle = (first + last) // 2
        if _has_room(job, UTILISATIONS[middle], root, progress):
            last = middle
        else:
            first = middle + 1
    for utilisation in UTILISATIONS[first:]:
        try:
            _run(job, utilisation, path_to(WiresNode), root, progress)
        except NoRoom:
            if utilisation == UTILISATIONS[-1]:
                raise
        else:
            return utilisation
    raise AssertionError  # the loop ends by a return or by an exception


def _has_room(job: FlowJob, utilisation: float, root: Path, progress: Progress) -> bool:
    """Whether cells and wires have room after placement."""
    try:
        figures = _run(job, utilisation, path_to(PlaceNode), root, progress)
    except NoRoom:
        return False
    return not figures["overflow"]


def _run(
    job: FlowJob, utilisation: float, nodes: Sequence[Any], root: Path, progress: Progress
) -> Mapping[str, Any]:
    """Run nodes at a utilisation; return the figures of the last one."""

    def tell(line: str) -> None:
        progress(f"{line} at utilisation {utilisation:g}")

    def read(folder: Path) -> Mapping[str, Any]:
        return read_json(folder / f"{nodes[-1].name}.json")

    return read(run_nodes(job.at(utilisation), nodes, root, tell, read)[0])


def _entry(job: FlowJob) -> str | None:
    """Name of the stored utilisation: a digest of the netlist and of all that places it."""
    made = made_digests(job, path_to(SynthesisNode))
    if made is None:
        return None
    keys = [node.key(job, {**dict.fromkeys(node.inputs, ""), **made}) for node in STEPS]
    return f"utilisation-{job.name[:_LONGEST_NAME]}-{key_of(keys, UTILISATIONS)}"
