"""Timing: critical path and smallest period of the netlist, slews of pins, slacks of endpoints."""

from __future__ import annotations

from typing import Any

from flow.files import write_json
from flow.job import FlowJob
from flow.kit import Kit
from flow.nodes.node import KIT, Node, Place
from flow.opensta import StaticTiming, analyse_timing, opensta_version


class TimingNode(Node):
    """Analyses the netlist with OpenSTA."""

    name = "timing"
    inputs = (KIT, "netlist.v")
    outputs = ("timing.json", "slews.txt")
    configuration = ("design", "library", "clock_ns")
    tools = (opensta_version,)

    @staticmethod
    def run(job: FlowJob, place: Place) -> None:
        """Analyse the netlist; write critical path, slacks and slews."""
        timing = analyse_timing(
            place.inputs / "netlist.v",
            job.design,
            Kit.read(place.inputs / KIT, job.library),
            clock_ns=job.clock_ns,
            work_dir=place.work,
            slews=place.outputs / "slews.txt",
        )
        write_json(place.outputs / "timing.json", timing_summary(timing))


def timing_summary(timing: StaticTiming) -> dict[str, Any]:
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
        "tools": {"opensta": opensta_version()},
    }
