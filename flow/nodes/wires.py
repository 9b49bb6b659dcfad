"""Wires: resistances and capacitances of all nets, and the files of the finished layout."""

from __future__ import annotations

from typing import Any

from rsaxcel.flow.errors import FlowError, NoRoom
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.layout import ROUTED
from rsaxcel.flow.nodes.step import TASK, StepNode
from rsaxcel.flow.physical.interface import FIGURES, LAYOUT, REPAIR_TIMING, ROUTE, WIRES


class WiresNode(StepNode):
    """Estimates the wires; for the stage ``routed``, routes and extracts them."""

    name = WIRES
    inputs = (*TASK, f"{REPAIR_TIMING}.db")
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
