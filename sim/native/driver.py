"""C++ sources of the drivers: of batches over a component with two streams, and of systems.

A driver is text that includes ``Dut.h`` and exports C functions; how it is compiled and kept is
none of its business, nor are ports and messages any of the build's.
"""

from pathlib import Path

from sim.native.build import Trace
from sim.native.ports import STREAM_PORTS, SYSTEM_PORTS, Ports, check_memory_messages
from sim.native.protocol import Control, ModelSetup, Outcome, Program, StreamBatch, SystemBatch
from sim.native.records import records_source
from sim.native.source import bench_source, read_sources
from sim.translate import VerilogModule

_FOLDER = Path(__file__).parent
_SOURCES = ("model.h", "stream_driver.cpp", "system_driver.cpp")


def stream_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source that exports ``run_streams`` for the module's ports."""
    records = records_source((Control, ModelSetup, StreamBatch), [Outcome])
    generated = {"records.h": records, "ports.h": _ports(STREAM_PORTS, module)}
    return _traced(trace) + _driver("stream_driver.cpp", generated)


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
    return _traced(trace) + _driver("system_driver.cpp", generated)


def _driver(name: str, generated: dict[str, str]) -> str:
    return bench_source(name, read_sources(_FOLDER, _SOURCES) | generated)


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
