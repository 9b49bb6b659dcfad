"""The graph of the flow for mflowgen: ``mflowgen run --design flow/construct.py``, then ``make``.

mflowgen loads this file by its path; the other modules come from the installed project.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mflowgen.components import Graph, Step

from rsaxcel import catalog
from rsaxcel.flow.graph import NODES, as_step
from rsaxcel.flow.job import JOB, FlowJob, circuit_job
from rsaxcel.flow.libraries import kit_step
from rsaxcel.flow.requests import default_exponents

_NBITS = 32
_UTILISATION = 0.7  # the makefile does not search it


def construct() -> Graph:
    """Build the graph of the job in ``job.json``.

    Without this file, write one for a small design first.
    """
    path = Path(JOB)
    if not path.exists():
        standard_job().write(path)
    graph = Graph()
    kit = Step(str(kit_step(FlowJob.read(path).library)))
    steps = [kit, *(Step(as_step(node)) for node in NODES)]
    for step in steps:
        graph.add_step(step)
    for index, step in enumerate(steps):
        for source in steps[:index]:
            graph.connect_by_name(source, step)
    return graph


def standard_job() -> FlowJob:
    target = next(iter(catalog.designs().values())).configure(_NBITS)
    asked: dict[str, Any] = {"exponents": default_exponents(_NBITS), "family": "xc7"}
    return circuit_job(target, **asked).replaced(utilisation=_UTILISATION)
