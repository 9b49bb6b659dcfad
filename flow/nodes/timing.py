"""Timing: critical path and smallest period of the netlist, slews of pins, slacks of endpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from rsaxcel.flow.files import write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.nodes.node import KIT, Folders, Node
from rsaxcel.flow.timer import PlacedWires, StaticTiming
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
        kit, found = Kit.read(folders.inputs / KIT), cls.analyse(job, folders)
        write_json(folders.outputs / cls.figures, timing_summary(kit, found, job))

    @classmethod
    def analyse(
        cls, job: FlowJob, folders: Folders, wires: Mapping[str, PlacedWires] | None = None
    ) -> dict[str, StaticTiming]:
        """Analyse the netlist at each corner, with the wires of a placed one by corner.

        The file of slews gets those of the corner at which power is given.
        """
        kit, found = Kit.read(folders.inputs / KIT), {}
        for corner, _ in kit.corners:
            work = folders.work / corner
            slews = folders.outputs / cls.slews
            found[corner] = find_timer(job.timer).analyse(
                folders.inputs / cls.netlist,
                job.design,
                kit.at(corner),
                clock_ns=job.clock_ns,
                work_dir=work,
                slews=slews if corner == kit.power else work / cls.slews,
                wires=wires[corner] if wires else None,
            )
        return found


def timing_summary(kit: Kit, found: Mapping[str, StaticTiming], job: FlowJob) -> dict[str, Any]:
    """Return the timing at the corner of the setup, and each corner's figures, for JSON."""
    timing, timer = found[kit.setup], find_timer(job.timer)
    return {
        "clock_ns": timing.clock_ns,
        "slack_ns": round(timing.slack_ns, 6),
        "min_period_ns": round(timing.min_period_ns, 6),
        "critical_path": {
            "start": timing.start,
            "end": timing.end,
            "delay_ns": round(timing.delay_ns, 6),
            "points": [[pin, round(arrival_ns, 6)] for pin, arrival_ns in timing.points],
        },
        **timing.ends,
        "corners": {corner: _figures(kit, corner, found[corner]) for corner in found},
        "tools": {timer.name: timer.version()},
    }


def _figures(kit: Kit, corner: str, timing: StaticTiming) -> dict[str, Any]:
    found: dict[str, Any] = {
        "conditions": kit.at(corner).corner,
        "min_period_ns": round(timing.min_period_ns, 6),
    }
    if timing.placed:
        found["hold_slack_ns"] = round(timing.placed.hold_slack_ns, 6)
        found["skew_ns"] = round(timing.placed.skew_ns, 6)
    return found
