"""C++ sources of the drivers: one for components with two streams, one for systems.

A driver is the code around Verilator's model, ``Dut.h``, for given ports and messages: it exports a
C function that runs batches.
"""

from pathlib import Path

from rsaxcel.sim.native.build import Trace
from rsaxcel.sim.native.ports import STREAM_PORTS, SYSTEM_PORTS, Ports, check_memory_messages
from rsaxcel.sim.native.protocol import (
    CallControl,
    ModelSetup,
    ProgramResult,
    RunOutcome,
    StreamBatch,
    SystemBatch,
)
from rsaxcel.sim.native.records import records_source
from rsaxcel.sim.native.source import bench_source, read_sources
from rsaxcel.sim.translate import VerilogModule

_FOLDER = Path(__file__).parent
_SOURCES = ("model.h", "stream_driver.cpp", "system_driver.cpp")


def stream_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source of the driver of a module with the streams recv and send: ``run_streams``."""
    records = records_source((CallControl, ModelSetup, StreamBatch), [RunOutcome])
    generated = {"records.h": records, "ports.h": _ports(STREAM_PORTS, module)}
    return _traced(trace) + _driver("stream_driver.cpp", generated)


def system_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source of the driver of a module with the ports of a system: ``run_systems``.

    ``ValueError`` unless its memory messages are ``MemReqMsg`` and ``MemRespMsg``.
    """
    check_memory_messages(module.messages)
    records = records_source((CallControl, ModelSetup, ProgramResult, SystemBatch), [RunOutcome])
    generated = {"records.h": records, "ports.h": _ports(SYSTEM_PORTS, module)}
    return _traced(trace) + _driver("system_driver.cpp", generated)


def _driver(name: str, generated: dict[str, str]) -> str:
    return bench_source(name, read_sources(_FOLDER, _SOURCES) | generated)


def _traced(trace: Trace | None) -> str:
    return f"#define DUT_TRACE_{trace.upper()}\n" if trace else ""


def _ports(ports: Ports, module: VerilogModule) -> str:
    """C++ source of the structure ``DutPorts``: a member for each port, to access it in ``Dut``."""

    def member(port: str) -> str:
        """Name of a port in Verilator's C++, which encodes double underscores."""
        return port.replace("__", "___05F")

    def kind(port: str) -> str:
        message = module.messages.get(port)
        nbits = f", {message.port_nbits}" if message else ""
        return f"Port<decltype(Dut::{member(port)}){nbits}>"

    return ports.source("DutPorts", "Dut& dut", kind, lambda port: f"dut.{member(port)}")
