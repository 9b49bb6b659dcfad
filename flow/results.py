"""Results of nodes: where they are in a job's store, and what makes those that are not there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from flow.graph import AnyNode
from flow.job import FlowJob
from flow.kit import kit_digest
from flow.nodes.node import KIT, Place
from store.folders import digests, keep


@dataclass(frozen=True)
class Result:
    """Result of a node in a job's store, whether it is there or not.

    Parameters
    ----------
    name, key
        Name of its folder, and its key.
    made
        Whether it is there.
    """

    name: str
    key: str
    made: bool


def results(job: FlowJob, nodes: Sequence[AnyNode]) -> Iterator[Result]:
    """Look for the nodes' results, one after the other, as far as they are there; build no design.

    The result after one that is not there is looked for, too, if the missing one has been made
    before the next is asked for.
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


def make_result(node: AnyNode, job: FlowJob, key: str, folder: Path) -> None:
    """Make a node's result unless it is kept, and link it in the node's folder.

    Parameters
    ----------
    node, job, key
        The node, what is asked, and the key of the result.
    folder
        Folder of the node: its inputs are in ``inputs``; its outputs get into ``outputs``, its logs
        into a folder ``work-...``.

    Raises
    ------
    FlowError, ValueError
        See ``flow.nodes.node.Node.run``.
    CacheError, OSError
        If a folder cannot be written.
    """

    def populate(draft: Path) -> None:
        # What a killed run's tools still write does not get here.
        work = Path(tempfile.mkdtemp(prefix="work-", dir=folder))
        node.run(job, Place(folder / "inputs", draft, work, key))

    entry = keep(job.store, node.entry(job, key), populate)
    link(folder / "outputs", {name: entry / name for name in node.outputs})


def link(folder: Path, files: Mapping[str, Path]) -> None:
    """Put links into a folder, in place of those that are there."""
    folder.mkdir(exist_ok=True)
    for name, target in files.items():
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)
