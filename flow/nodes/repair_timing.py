"""Repair of timing: setup and hold, on the clock tree and on legal places."""

from __future__ import annotations

from rsaxcel.flow.nodes.step import TASK, StepNode
from rsaxcel.flow.physical.interface import CLOCK_TREE, REPAIR_TIMING


class RepairTimingNode(StepNode):
    """Repairs setup and hold."""

    name = REPAIR_TIMING
    inputs = (*TASK, f"{CLOCK_TREE}.db")
    outputs = (f"{REPAIR_TIMING}.db", f"{REPAIR_TIMING}.json")
