"""The file ``interface.json``: message formats of a circuit's ports, for simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from rsaxcel.flow.files import read_json, write_json
from rsaxcel.sim.translate import Message, MessageField, VerilogModule


def write_interface(path: Path, module: VerilogModule, tools: Mapping[str, str]) -> None:
    """Write the top module's name, the messages of its ports, and the translation's ``tools``."""
    messages = {port: asdict(message) for port, message in module.messages.items()}
    write_json(path, {"top": module.top, "messages": messages, "tools": dict(tools)})


def read_interface(path: Path) -> VerilogModule:
    """Read the file that ``write_interface`` wrote; the module's text is not in it."""
    stored = read_json(path)
    messages = {
        port: Message(**{**message, "fields": tuple(MessageField(**f) for f in message["fields"])})
        for port, message in stored["messages"].items()
    }
    return VerilogModule("", stored["top"], messages)
