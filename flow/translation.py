"""Translation: a configuration of the registry to Verilog."""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from flow.errors import FlowError
from flow.node import main, read_json, write_json
from flow.requests import configure
from sim.translate import Field, Message, VerilogModule, translate
from sim.translator import TranslationError


def run(folder: Path, design: str, nbits: str, params: str) -> None:
    """Run the node: ``outputs/design.v``, and ``outputs/interface.json`` with its messages."""
    configuration = configure(design, nbits, params)
    try:
        module = translate(configuration.component("rtl"), design)
    except TranslationError as error:
        raise FlowError(str(error)) from error
    (folder / "outputs/design.v").write_text(module.text)
    interface = {name: asdict(getattr(module, name)) for name in ("request", "response")}
    tools = {"pymtl3": version("pymtl3")}
    write_json(folder / "outputs/interface.json", {"top": design, **interface, "tools": tools})


def read_interface(path: Path, verilog: str = "") -> VerilogModule:
    """Read ``interface.json`` back."""
    stored = read_json(path)
    messages = {}
    for name in ("request", "response"):
        message = stored[name]
        fields = tuple(Field(**field) for field in message["fields"])
        messages[name] = Message(message["port"], message["width"], fields)
    return VerilogModule(verilog, stored["top"], **messages)


if __name__ == "__main__":
    main(run)
