"""The nodes that run the steps of the physical tool, one for each step."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.flow.errors import FlowError, NoRoom
from rsaxcel.flow.files import write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.layout import ROUTED, SEARCHED
from rsaxcel.flow.nodes.node import KIT, Folders, Node
from rsaxcel.flow.physical.interface import FIGURES, LAYOUT, ROUTE, STEPS, WIRES, PlacementTask
from rsaxcel.flow.tools import find_tool, key_of_tool

_TASK = (KIT, "netlist.json", "netlist.v")  #: task, which every step reads


class StepNode(Node, base=True):
    """Runs a step of the job's physical tool; the step has the node's name.

    Inputs are ``_TASK`` and, except for the first step, the checkpoint of the step before.
    """

    configuration: ClassVar[tuple[str, ...]] = (
        "design",
        "library",
        "clock_ns",
        "physical",
        "utilisation",
        "seed",
        "uncertainty_ns",
        "derate",
    )
    tools: ClassVar[tuple[Callable[[], str], ...]] = ()
    #: files kept beside the logs if the check finds no room
    pictured: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def decides(job: FlowJob) -> Any:
        """Return name and version of the physical tool, and a digest of its code."""
        return key_of_tool(find_tool(job.physical))

    @classmethod
    def step(cls, job: FlowJob) -> str:
        return cls.name

    @classmethod
    def check(cls, job: FlowJob, figures: dict[str, Any]) -> None:
        """Refuse figures that show a fault, by a ``FlowError``."""

    @classmethod
    def run(cls, job: FlowJob, folders: Folders) -> None:
        """Run the step; write its files, and its figures to ``NAME.json``."""
        if job.utilisation == SEARCHED:
            raise FlowError(
                f"utilisation={SEARCHED:g}: only `rsaxcel flow` searches it; the job must name one"
            )
        tool, inputs = find_tool(job.physical), folders.inputs
        kit = Kit.read(inputs / KIT)
        task = PlacementTask.of(job, kit, inputs.resolve() / "netlist.json")
        before = [inputs.resolve() / x for x in cls.inputs if x not in _TASK]
        outputs, work = folders.outputs.resolve(), folders.work.resolve()
        step = cls.step(job)
        figures = tool.run(step, task, before[0] if before else None, outputs, work)
        try:
            cls.check(job, figures)
        except NoRoom as error:
            error.files = {x: Path(shutil.copy(outputs / x, work / x)) for x in cls.pictured}
            raise
        figures = {**figures, "tools": {tool.name: tool.version()}}
        write_json(outputs / f"{cls.name}.json", figures)
        for name in cls.outputs:
            if not (outputs / name).exists():
                raise FlowError(f"{tool.name} wrote no {name} in step {step}")


class WiresNode(StepNode):
    """Estimates the wires; for the stage ``routed``, routes and extracts them."""

    name = WIRES
    inputs = (*_TASK, f"{STEPS[-2]}.db")
    outputs = (*LAYOUT, f"{WIRES}.json")
    pictured = ("placed.def", "capacity.npz")
    configuration = (*StepNode.configuration, "stage")

    @classmethod
    def step(cls, job: FlowJob) -> str:
        return ROUTE if job.stage == ROUTED else WIRES

    @classmethod
    def check(cls, job: FlowJob, figures: dict[str, Any]) -> None:
        """Refuse a layout in which wires do not fit, or that lacks a figure."""
        if lacking := [name for name in FIGURES if name not in figures]:
            raise FlowError(f"the physical tool gave no {', '.join(lacking)}")
        if figures["overflow"] > 0:
            raise NoRoom(
                f"overflow: {figures['overflow']:g} tracks are lacking at a utilisation of "
                f"{job.utilisation:g}; wires fit at a lower one"
            )


def _node(before: str, step: str) -> type[StepNode]:
    own = {
        "name": step,
        "inputs": (*_TASK, f"{before}.db") if before else _TASK,
        "outputs": (f"{step}.db", f"{step}.json"),
        "__module__": __name__,
    }
    return type(f"{step.title().replace('-', '')}Node", (StepNode,), own)


#: nodes of the steps, in order
STEP_NODES: tuple[type[StepNode], ...] = (
    *(_node(before, step) for before, step in pairwise(("", *STEPS[:-1]))),
    WiresNode,
)
