"""Translation: the circuit to Verilog."""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flow.errors import FlowError
from flow.files import read_json, write_json
from flow.job import Job
from flow.node import main
from flow.stage import Place, Stage
from store.code import code_digest, without_comments

if TYPE_CHECKING:
    from sim.translate import VerilogModule

# PyMTL3 and all designs are imported by what needs them: the node of a run does not, because the
# circuit has been translated before.


def _decides(job: Job) -> Any:
    from flow.subjects import find_circuit

    circuit = find_circuit(job)
    return job.design, job.nbits, dict(job.params), code_digest(circuit.sources)


STAGE = Stage("translate", Path(__file__), _decides, tools={"pymtl3": lambda: version("pymtl3")})


def run(job: Job, place: Place) -> None:
    """Write ``design.v``, and ``interface.json`` with its messages.

    The Verilog has no comments: they tell the lines of the source, which must not decide anything.
    """
    from flow.subjects import find_circuit
    from sim.translate import translate
    from sim.translator import TranslationError

    circuit = find_circuit(job)
    try:
        module = translate(circuit.component(), job.design, check=circuit.check)
    except TranslationError as error:
        raise FlowError(str(error)) from error
    (place.outputs / "design.v").write_text(without_comments(module.text, ".v"))
    interface = {
        "top": job.design,
        "messages": {port: asdict(message) for port, message in module.messages.items()},
        "tools": {"pymtl3": version("pymtl3")},
    }
    write_json(place.outputs / "interface.json", interface)


def read_interface(path: Path, verilog: str = "") -> VerilogModule:
    """Read ``interface.json`` back."""
    from sim.translate import Field, Message, VerilogModule

    stored = read_json(path)
    messages = {
        port: Message(port, message["width"], tuple(Field(**f) for f in message["fields"]))
        for port, message in stored["messages"].items()
    }
    return VerilogModule(verilog, stored["top"], messages)


if __name__ == "__main__":
    main(STAGE, run)
