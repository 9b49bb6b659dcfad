"""C++ source of the batch driver for a component with one request and one response stream.

A driver is text that includes ``Dut.h`` and exports C functions; how it is compiled and kept is
none of its business, nor are ports and messages any of the build's.
"""

from functools import cache
from importlib.resources import files

from sim.batch import RESET_CYCLES, RESET_IN_FLIGHT_CYCLES
from sim.native.build import Trace
from sim.translate import VerilogModule


def stream_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source that exports ``run_stream_batch`` for the module's ports."""
    definitions = {
        "CLK": "clk",
        "RESET": "reset",
        "RECV_MSG": module.request.port,
        "RECV_VAL": "recv__val",
        "RECV_RDY": "recv__rdy",
        "SEND_MSG": module.response.port,
        "SEND_VAL": "send__val",
        "SEND_RDY": "send__rdy",
    }
    lines = [f"#define DUT_{name} {_member(port)}" for name, port in definitions.items()]
    lines += [
        f"#define DUT_REQUEST_NBITS {module.request.width}",
        f"#define DUT_RESPONSE_NBITS {module.response.width}",
        f"#define DUT_RESET_CYCLES {RESET_CYCLES}",
        f"#define DUT_RESET_IN_FLIGHT_CYCLES {RESET_IN_FLIGHT_CYCLES}",
    ]
    if trace:
        lines.append(f"#define DUT_TRACE_{trace.upper()}")
    return "\n".join(lines) + "\n\n" + _source()


def _member(port: str) -> str:
    """Name under which Verilator's C++ has a port: it encodes double underscores."""
    return port.replace("__", "___05F")


@cache
def _source() -> str:
    return files(__package__).joinpath("stream_driver.cpp").read_text()
