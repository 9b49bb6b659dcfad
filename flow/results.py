"""Finds the results of nodes in the result cache of a job, and makes those that are missing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.graph import AnyNode
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import kit_digest
from rsaxcel.flow.nodes.node import KIT, Place
from rsaxcel.flow.paths import is_safe
from rsaxcel.store.folders import digests, keep
from rsaxcel.store.places import make_folder


@dataclass(frozen=True)
class Result:
    """Where a node's result is in the result cache (``FlowJob.store``), and whether it exists."""

    name: str
    key: str
    made: bool


def results(job: FlowJob, nodes: Sequence[AnyNode]) -> Iterator[Result]:
    """Yield the nodes' results in order, up to the first missing one; elaborate no circuit.

    The iteration goes on after a missing result if the caller makes it before asking for the next.
    """
    digest_of = {KIT: kit_digest(job.library)}
    for node in nodes:
        key = node.key(job, digest_of)
        name = node.entry(job, key)
        yield Result(name, key, digests(job.store, name) is not None)
        made = digests(job.store, name)
        if made is None:
            return
        digest_of |= made


def made_digests(job: FlowJob, nodes: Sequence[AnyNode]) -> dict[str, str] | None:
    """Digests of all files that nodes have made, and of the kit; None if a result is missing."""
    found = {KIT: kit_digest(job.library)}
    count = 0
    for result in results(job, nodes):
        made = digests(job.store, result.name)
        if made is None:
            return None
        found |= made
        count += 1
    return found if count == len(nodes) else None


def make_result(node: AnyNode, job: FlowJob, key: str, folder: Path) -> None:
    """Make a node's result unless the cache has it, and link it in the node's folder.

    Inputs are in ``inputs``, links to outputs in ``outputs``, logs in ``work-...``.
    """

    def populate(draft: Path) -> None:
        # A new work folder, because tools of a killed run may still write to the old one.
        work = Path(tempfile.mkdtemp(prefix="work-", dir=folder))
        node.run(job, Place(folder / "inputs", draft, work, key))

    entry = keep(job.store, node.entry(job, key), populate)
    link(folder / "outputs", {name: entry / name for name in node.outputs})


def plain_folder(folder: Path) -> None:
    """Make a folder, in place of a link: somebody else may have chosen where the link leads."""
    if folder.is_symlink():
        folder.unlink()
    make_folder(folder)


def link(folder: Path, files: Mapping[str, Path]) -> None:
    """Put links into a folder, in place of links with the same names."""
    plain_folder(folder)
    for name, target in files.items():
        if not is_safe(target):
            raise FlowError(f"{target}: a link leads to a place with a name that no tool can take")
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)
