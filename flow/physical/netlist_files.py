"""Writes a design as Verilog, and in Yosys's JSON form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rsaxcel.flow.physical.array_netlist import OUTPUT_PORT, ArrayNetlist, bit_name
from rsaxcel.flow.yosys_json import Module, write_module

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


def write_verilog(netlist: ArrayNetlist, path: Path) -> None:
    """Write a flat Verilog module; a net that connects several bits of ports needs assignments."""
    path.write_text("".join(_verilog(netlist)))


def _verilog(netlist: ArrayNetlist) -> Iterator[str]:
    ports, outputs = _ports(netlist), _output_names(netlist)
    yield f"module {_escaped(netlist.top)}({', '.join(map(_escaped, netlist.ports))});\n"
    for port, width in netlist.ports.items():
        direction = "output" if bit_name(port, 0, width) in outputs else "input"
        span = f"[{width - 1}:0] " if width > 1 else ""
        yield f"  {direction} {span}{_escaped(port)};\n"
    bits = {name for names in ports.values() for name in names}
    written = [_bit(name) if name in bits else _escaped(name) for name in netlist.nets]
    for net, name in enumerate(netlist.nets):
        if name not in bits:
            yield f"  wire {written[net]};\n"
    for net, names in ports.items():
        for other in names:
            if other != netlist.nets[net]:
                yield f"  assign {_bit(other)} = {written[net]};\n"
    pins = [[pin.name for pin in kind.pins] for kind in netlist.kinds]
    starts = netlist.pin_start.tolist()
    nets = netlist.pin_net.tolist()
    kinds, is_port = netlist.kind.tolist(), netlist.is_port.tolist()
    for at, name in enumerate(netlist.names):
        if is_port[at]:
            continue
        joined = ", ".join(
            f".{pin}({written[net]})"
            for pin, net in zip(pins[kinds[at]], nets[starts[at] : starts[at + 1]], strict=True)
            if net >= 0
        )
        yield f"  {netlist.kinds[kinds[at]].name} {_escaped(name)} ({joined});\n"
    yield "endmodule\n"


def write_json(netlist: ArrayNetlist, path: Path) -> None:
    """Write a design in the JSON form of Yosys's ``write_json``; numbers of nets begin with 2."""
    directions = {True: "output", False: "input"}
    starts, nets, kinds = (x.tolist() for x in (netlist.pin_start, netlist.pin_net, netlist.kind))
    module = Module(attributes={"top": "1"})
    bit_of: dict[str, int] = {}
    is_port = netlist.is_port.tolist()
    for at, name in enumerate(netlist.names):
        own = nets[starts[at] : starts[at + 1]]
        if is_port[at]:
            bit_of[name] = own[0] + 2
            continue
        kind = netlist.kinds[kinds[at]]
        module.cells[name] = {
            "hide_name": 0,
            "type": kind.name,
            "parameters": {},
            "attributes": {},
            "port_directions": {pin.name: directions[pin.is_output] for pin in kind.pins},
            "connections": {
                pin.name: [net + 2] for pin, net in zip(kind.pins, own, strict=True) if net >= 0
            },
        }
    outputs = _output_names(netlist)
    module.ports = {
        port: {
            "direction": directions[bit_name(port, 0, width) in outputs],
            "bits": [bit_of[bit_name(port, index, width)] for index in range(width)],
        }
        for port, width in netlist.ports.items()
    }
    module.netnames = {
        name: {"hide_name": 0, "bits": [net + 2], "attributes": {}}
        for net, name in enumerate(netlist.nets)
        if name not in bit_of
    }
    module.netnames |= {
        port: {"hide_name": 0, "bits": x["bits"], "attributes": {}}
        for port, x in module.ports.items()
    }
    write_module(path, netlist.top, module)


def _ports(netlist: ArrayNetlist) -> dict[int, list[str]]:
    """Names of the bits of ports at each net that has any."""
    found: dict[int, list[str]] = {}
    for at in np.flatnonzero(netlist.is_port).tolist():
        found.setdefault(int(netlist.pin_net[netlist.pin_start[at]]), []).append(netlist.names[at])
    return found


def _output_names(netlist: ArrayNetlist) -> set[str]:
    last = netlist.kinds.index(OUTPUT_PORT)
    return {netlist.names[at] for at in np.flatnonzero(netlist.kind == last).tolist()}


def _escaped(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else f"\\{name} "


def _bit(name: str) -> str:
    """Name of a port's bit, whose index stays outside of the escaped name."""
    stem, bracket, index = name.partition("[") if name.endswith("]") else (name, "", "")
    return f"{_escaped(stem)}{bracket}{index}"
