"""C++ sources of the drivers: of batches over a component with two streams, and of systems.

A driver is text that includes ``Dut.h`` and exports C functions; how it is compiled and kept is
none of its business, nor are ports and messages any of the build's.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from sim.native.build import Trace
from sim.native.ports import (
    STREAM_PORTS,
    SYSTEM_PORTS,
    Ports,
    check_memory_messages,
    memory_messages_source,
)
from sim.native.protocol import Control, ModelSetup, Outcome, Program, StreamBatch, SystemBatch
from sim.native.records import records_source
from sim.translate import VerilogModule

_INCLUDE = re.compile(r'^#include "(.+)"\n', re.M)


def stream_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source that exports ``run_streams`` for the module's ports."""
    records = records_source((Control, ModelSetup, StreamBatch), [Outcome])
    generated = {"records.h": records, "ports.h": _ports(STREAM_PORTS, module)}
    return _traced(trace) + bench_source("stream_driver.cpp", generated)


def system_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source that exports ``run_systems`` for a module with the ports of a system.

    Raises
    ------
    ValueError
        If the messages of its memories are not those of ``proc.ports``.
    """
    check_memory_messages(module.messages)
    records = records_source((Control, ModelSetup, Program, SystemBatch), [Outcome])
    generated = {"records.h": records, "ports.h": _ports(SYSTEM_PORTS, module)}
    return _traced(trace) + bench_source("system_driver.cpp", generated)


def bench_source(name: str, more: Mapping[str, str]) -> str:
    """Text of a file of this package or of ``more``, with those that it includes, each once."""
    texts = {"memory_messages.h": memory_messages_source(), **_sources(), **more}
    included = {name}

    def expanded(name: str) -> str:
        return _INCLUDE.sub(include, texts[name])

    def include(line: re.Match[str]) -> str:
        name = line[1]
        if name not in texts:
            return line[0]
        if name in included:
            return ""
        included.add(name)
        return expanded(name)

    return expanded(name)


@cache
def _sources() -> dict[str, str]:
    paths = files(__package__).iterdir()
    return {path.name: path.read_text() for path in paths if path.name.endswith((".h", ".cpp"))}


def _traced(trace: Trace | None) -> str:
    return f"#define DUT_TRACE_{trace.upper()}\n" if trace else ""


def _ports(ports: Ports, module: VerilogModule) -> str:
    """C++ of ``DutPorts``: Verilator's variables by the ports' names."""

    def member(port: str) -> str:
        """Name under which Verilator's C++ has a port: it encodes double underscores."""
        return port.replace("__", "___05F")

    def kind(port: str) -> str:
        message = module.messages.get(port)
        nbits = f", {message.width}" if message else ""
        return f"Port<decltype(Dut::{member(port)}){nbits}>"

    return ports.source("DutPorts", "Dut& dut", kind, lambda port: f"dut.{member(port)}")
