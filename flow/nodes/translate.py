"""Translation: translates the circuit to Verilog."""

from __future__ import annotations

from typing import Any

from rsaxcel.flow.interface import write_interface
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.nodes.node import Folders, Node
from rsaxcel.flow.subjects.subject import pymtl3_version

DESIGN = "design.v"
INTERFACE = "interface.json"


class TranslateNode(Node):
    name = "translate"
    inputs = ()
    outputs = (DESIGN, INTERFACE)
    configuration = ("design", "nbits", "params")
    tools = (pymtl3_version,)

    @staticmethod
    def decides(job: FlowJob) -> Any:
        return job.subject.circuit

    @staticmethod
    def run(job: FlowJob, folders: Folders) -> None:
        module = job.subject.verilog()
        (folders.outputs / DESIGN).write_text(module.text)
        write_interface(folders.outputs / INTERFACE, module, job.subject.tools)
