"""Timing: critical path and smallest period of the netlist, slews of pins, slacks of endpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from rsaxcel.flow.files import write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.nodes.node import KIT, Folders, Node
from rsaxcel.flow.timer import PlacedWires, StaticTiming, Timer
from rsaxcel.flow.tools import find_timer, key_of_tool


class TimingNode(Node):
    """Analyses the netlist with the job's timer."""

    netlist: ClassVar[str] = "netlist.v"
    figures: ClassVar[str] = "timing.json"
    slews: ClassVar[str] = "slews.txt"

    name = "timing"
    inputs: ClassVar[tuple[str, ...]] = (KIT, netlist, "netlist.json")
    outputs: ClassVar[tuple[str, ...]] = (figures, slews)
    configuration: ClassVar[tuple[str, ...]] = ("design", "library", "clock_ns", "timer")
    tools: ClassVar[tuple[Callable[[], str], ...]] = ()

    @staticmethod
    def decides(job: FlowJob) -> Any:
        """Return name, version and code of the timer."""
        return key_of_tool(find_timer(job.timer))

    @classmethod
    def run(cls, job: FlowJob, folders: Folders) -> None:
        timing = cls.analyse(job, folders)
        write_json(folders.outputs / cls.figures, timing_summary(timing, find_timer(job.timer)))

    @classmethod
    def analyse(
        cls, job: FlowJob, folders: Folders, wires: PlacedWires | None = None
    ) -> StaticTiming:
        """Analyse the netlist, with the wires of a placed one; write the slews."""
        return find_timer(job.timer).analyse(
            folders.inputs / cls.netlist,
            job.design,
            Kit.read(folders.inputs / KIT, job.library),
            clock_ns=job.clock_ns,
            work_dir=folders.work,
            slews=folders.outputs / cls.slews,
            wires=wires,
        )


def timing_summary(timing: StaticTiming, timer: Timer) -> dict[str, Any]:
    """Return the timing as values for ``timing.json``."""
    return {
        "clock_ns": timing.clock_ns,
        "slack_ns": round(timing.slack_ns, 6),
        "min_period_ns": round(timing.min_period_ns, 6),
        "critical_path": {
            "start": timing.start,
            "end": timing.end,
            "delay_ns": round(timing.delay_ns, 6),
            "points": [[point.pin, round(point.arrival_ns, 6)] for point in timing.points],
        },
        **timing.ends,
        "tools": {timer.name: timer.version()},
    }
