"""Place: gives every cell a place in the core."""

from __future__ import annotations

from rsaxcel.flow.nodes.step import TASK, StepNode
from rsaxcel.flow.physical.interface import FLOORPLAN, PLACE


class PlaceNode(StepNode):
    name = PLACE
    inputs = (*TASK, f"{FLOORPLAN}.db")
    outputs = (f"{PLACE}.db", f"{PLACE}.json")
