"""Clock tree: buffers from the clock port to flip-flops and clock gates."""

from __future__ import annotations

from rsaxcel.flow.nodes.step import TASK, StepNode
from rsaxcel.flow.physical.interface import CLOCK_TREE, REPAIR


class ClockTreeNode(StepNode):
    name = CLOCK_TREE
    inputs = (*TASK, f"{REPAIR}.db")
    outputs = (f"{CLOCK_TREE}.db", f"{CLOCK_TREE}.json")
