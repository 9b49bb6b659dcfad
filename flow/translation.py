"""Translation: the subject's circuit to Verilog."""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from flow.errors import FlowError
from flow.node import main, read_json, write_json
from flow.subjects import find_subject
from sim.translate import Field, Message, VerilogModule, translate
from sim.translator import TranslationError


def run(folder: Path, design: str, nbits: str, params: str) -> None:
    """Run the node: ``outputs/design.v``, and ``outputs/interface.json`` with its messages."""
    subject = find_subject(design, nbits, params)
    try:
        module = translate(subject.component(), design, check=subject.check)
    except TranslationError as error:
        raise FlowError(str(error)) from error
    (folder / "outputs/design.v").write_text(module.text)
    interface = {
        "top": design,
        "messages": {port: asdict(message) for port, message in module.messages.items()},
        "tools": {"pymtl3": version("pymtl3")},
    }
    write_json(folder / "outputs/interface.json", interface)


def read_interface(path: Path, verilog: str = "") -> VerilogModule:
    """Read ``interface.json`` back."""
    stored = read_json(path)
    messages = {
        port: Message(port, message["width"], tuple(Field(**f) for f in message["fields"]))
        for port, message in stored["messages"].items()
    }
    return VerilogModule(verilog, stored["top"], messages)


if __name__ == "__main__":
    main(run)
