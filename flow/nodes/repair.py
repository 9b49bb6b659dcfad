"""Repair: inserts buffers and sizes cells where a slew or a load is too large."""

from __future__ import annotations

from rsaxcel.flow.nodes.step import TASK, StepNode
from rsaxcel.flow.physical.interface import PLACE, REPAIR


class RepairNode(StepNode):
    name = REPAIR
    inputs = (*TASK, f"{PLACE}.db")
    outputs = (f"{REPAIR}.db", f"{REPAIR}.json")
