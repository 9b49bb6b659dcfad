"""Runs the nodes of the physical tool on netlists that no synthesis made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.graph import AnyNode
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.layout import PLACED
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.nodes.node import KIT, Folders
from rsaxcel.flow.nodes.placed_timing import PlacedTimingNode
from rsaxcel.flow.nodes.steps import STEP_NODES
from tests.flow.physical.netlists import Netlist

NODES: tuple[AnyNode, ...] = (*STEP_NODES, PlacedTimingNode)


class Failed(Exception):  # noqa: N818
    """A node failed: its name, and the error."""

    def __init__(self, node: str, error: Exception) -> None:
        super().__init__(f"{node}: {error}")
        self.node, self.error = node, error


def job_for(folder: Path, **asked: Any) -> FlowJob:
    """Job of a netlist, named ``top`` unless ``design`` is asked."""
    asked = {"clock_ns": 0.6, "utilisation": 0.6, "stage": PLACED, **asked}
    top = asked.pop("design", "top")
    own = {"design": top, "name": top, "results": str(folder / "results")}
    return FlowJob(nbits=8, params={}, **own, **asked)


def prepare(netlist: Netlist, folder: Path) -> Path:
    """Write a netlist where the nodes read it."""
    folder.mkdir(exist_ok=True)
    netlist.design(folder)
    (folder / KIT).symlink_to(plain_kit("freepdk-45nm"))
    return folder


def run(nodes: Iterable[AnyNode], job: FlowJob, folder: Path) -> None:
    """Run nodes in a folder that has the files of the nodes before; outputs go there, too."""
    work = folder / "work"
    work.mkdir(exist_ok=True)
    for node in nodes:
        try:
            node.run(job, Folders(folder, folder, work, "key"))
        except (FlowError, ValueError) as error:
            raise Failed(node.name, error) from error
