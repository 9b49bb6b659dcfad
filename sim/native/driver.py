"""C++ sources of the drivers: of batches over a component with two streams, and of systems.

A driver is text that includes ``Dut.h`` and exports C functions; how it is compiled and kept is
none of its business, nor are ports and messages any of the build's.
"""

import re
from functools import cache
from importlib.resources import files

from sim.native.build import Trace
from sim.translate import VerilogModule


def stream_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source that exports ``run_stream_batches`` for the module's ports."""
    ports = [f"{side}__{signal}" for side in ("recv", "send") for signal in ("msg", "val", "rdy")]
    numbers = {
        "REQUEST_NBITS": module.request.width,
        "RESPONSE_NBITS": module.response.width,
    }
    return _driver("stream_driver.cpp", ports, numbers, trace)


def system_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source that exports ``run_system`` for a module with the ports of a system."""
    streams = [f"{port}__{side}" for port in ("imem", "dmem") for side in ("req", "resp")]
    streams += ["mngr2proc", "proc2mngr"]
    ports = [f"{stream}__{signal}" for stream in streams for signal in ("msg", "val", "rdy")]
    ports += ["core_id", "stats_en", "commit_inst"]
    ports += [f"trap_{name}" for name in ("val", "cause", "pc", "inst", "value")]
    numbers = {}
    # Instruction and data memory have the same messages.
    for side in ("req", "resp"):
        message = module.messages[f"imem__{side}__msg"]
        numbers[f"{side}_NBITS"] = message.width
        for field in message.fields:
            numbers[f"{side}_{field.name}_LSB"] = field.lsb
            numbers[f"{side}_{field.name}_NBITS"] = field.width
    return _driver("system_driver.cpp", ports, numbers, trace)


def _driver(name: str, ports: list[str], numbers: dict[str, int], trace: Trace | None) -> str:
    lines = [f"#define DUT_{_macro(port)} {_member(port)}" for port in ("clk", "reset", *ports)]
    lines += [f"#define DUT_{_macro(key)} {value}" for key, value in numbers.items()]
    if trace:
        lines.append(f"#define DUT_TRACE_{trace.upper()}")
    return "\n\n".join(("\n".join(lines), _source("model.h"), _source(name)))


def _macro(name: str) -> str:
    return re.sub("_+", "_", name).upper()


def _member(port: str) -> str:
    """Name under which Verilator's C++ has a port: it encodes double underscores."""
    return port.replace("__", "___05F")


@cache
def _source(name: str) -> str:
    return files(__package__).joinpath(name).read_text()
