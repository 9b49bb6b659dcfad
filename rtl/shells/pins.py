"""Pins: a foreign core, whose ports have names and directions that PyMTL3 allows."""

import re
from collections.abc import Mapping

from pymtl3 import InPort, OutPort

from rsaxcel.plan.protocols import Core
from rsaxcel.rtl.lib.verilog_core import MODULE, VerilogText


def pin(name: str) -> str:
    """Name of a port of ``Pins`` and of an adapter, for a port of the core."""
    return "pin_" + re.sub(r"[\W_]+", "_", name).strip("_")


def held_values(core: Core) -> dict[str, str]:
    """Constant at each port that is held, in Verilog."""
    return {name: f"{core.port(name).nbits}'d{value}" for name, value in core.held}


def instance(core: Core, name: str, values: Mapping[str, str]) -> str:
    """Verilog of an instance of a core, with the given values at its ports."""
    parameters = [
        f".{name}({value!r})" if isinstance(value, int) else f'.{name}("{value}")'
        for name, value in core.parameters
    ]
    given = f" #({', '.join(parameters)})" if parameters else ""
    return f"  {core.module}{given} {name} (\n{connected(values)}\n  );\n"


def connected(values: Mapping[str, str]) -> str:
    return ",\n".join(f"    .{name}({value})" for name, value in values.items())


class Pins(VerilogText):
    """A module around the instance ``core`` of a foreign module, with nothing else in it.

    It passes clock and reset under the names and with the level that the core wants, and holds
    ports at values. Synthesis keeps the boundary of the module: its area is that of the core.

    Parameters
    ----------
    core : plan.protocols.Core; names and widths of the ports, and parameters
    text : str; Verilog of all modules of the core

    Ports
    -----
    pin_NAME : as the port NAME of the core, but clock, reset and held ports, which are not there
    core_reset : in, 1 bit; reset of the core, active high
    """

    def construct(s, core: Core, text: str):
        s.core_reset = InPort(1)
        values = held_values(core) | {core.clock: "clk"}
        if core.reset:
            values[core.reset.port] = "core_reset" if core.reset.active_high else "~core_reset"
        ports = ["input clk", "input reset", "input core_reset"]
        for port in core.ports:
            if port.name not in values:
                kind, word = (InPort, "input") if port.is_input else (OutPort, "output")
                values[port.name] = name = pin(port.name)
                setattr(s, name, kind(port.nbits))
                ports.append(f"{word} [{port.nbits - 1}:0] {name}")
        taken = MODULE.findall(text)
        module = next(
            x for x in ("pins", *(f"pins_{n}" for n in range(len(taken)))) if x not in taken
        )
        body = instance(core, "core", values)
        head = f"(* keep_hierarchy *)\nmodule {module} (\n  " + ",\n  ".join(ports) + "\n);\n"
        s.set_text(module, f"{text.rstrip()}\n\n{head}{body}endmodule\n")
