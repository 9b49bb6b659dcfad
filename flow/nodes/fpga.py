"""FPGA: maps the translated design to a family of FPGAs, and counts the resources."""

from __future__ import annotations

from rsaxcel.flow.files import write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.nodes.node import Folders, Node
from rsaxcel.flow.resources import RESULT, count_resources
from rsaxcel.flow.yosys import yosys_version


class FpgaNode(Node):
    name = "fpga"
    inputs = ("design.v",)
    outputs = (RESULT,)
    configuration = ("design", "family")
    tools = (yosys_version,)

    @staticmethod
    def run(job: FlowJob, folders: Folders) -> None:
        """Map the design, and write how many resources and cells it needs."""
        verilog = folders.inputs / "design.v"
        found = count_resources(verilog, job.design, job.family, folders.work)
        write_json(folders.outputs / RESULT, {**found, "tools": {"yosys": yosys_version()}})
