"""Base class of the nodes that run a step of the physical tool."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.flow.code import code_of
from rsaxcel.flow.errors import FlowError, NoRoom
from rsaxcel.flow.files import write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.layout import SEARCHED
from rsaxcel.flow.nodes.node import KIT, Node, Place
from rsaxcel.flow.physical.interface import Task
from rsaxcel.flow.physical.tools import find_tool

TASK = (KIT, "netlist.json", "netlist.v")  # of every step


class StepNode(Node, base=True):
    """Runs a step of the job's physical tool; the step has the node's name.

    Inputs are ``TASK`` and, except for the first step, the checkpoint of the step before.
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
    pictured: ClassVar[tuple[str, ...]] = ()  # kept beside the logs if the check finds no room

    @staticmethod
    def decides(job: FlowJob) -> Any:
        """Return name and version of the physical tool, and a digest of its code."""
        tool = find_tool(job.physical)
        return tool.name, tool.version(), code_of(type(tool))

    @classmethod
    def step(cls, job: FlowJob) -> str:
        return cls.name

    @classmethod
    def check(cls, job: FlowJob, figures: dict[str, Any]) -> None:
        """Refuse figures that show a fault, by a ``FlowError``."""

    @classmethod
    def run(cls, job: FlowJob, place: Place) -> None:
        """Run the step; write its files, and its figures to ``NAME.json``."""
        if job.utilisation == SEARCHED:
            raise FlowError(
                f"utilisation={SEARCHED:g}: only `rsaxcel flow` searches it; the job must name one"
            )
        tool, inputs = find_tool(job.physical), place.inputs
        task = Task(
            netlist=inputs.resolve() / "netlist.json",
            top=job.design,
            kit=Kit.read(inputs / KIT, job.library),
            clock_ns=job.clock_ns,
            utilisation=job.utilisation,
            seed=job.seed,
            uncertainty_ns=job.uncertainty_ns,
            derate=job.derate,
        )
        before = [inputs.resolve() / x for x in cls.inputs if x not in TASK]
        outputs, work = place.outputs.resolve(), place.work.resolve()
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
