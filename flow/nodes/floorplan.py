"""Floorplan: fixes the core, its rows, ports, taps and power straps."""

from __future__ import annotations

from rsaxcel.flow.nodes.step import TASK, StepNode
from rsaxcel.flow.physical.interface import FLOORPLAN


class FloorplanNode(StepNode):
    name = FLOORPLAN
    inputs = TASK
    outputs = (f"{FLOORPLAN}.db", f"{FLOORPLAN}.json")
