"""A core and its shell as two circuits beside each other, so that each can be measured alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rsaxcel.fl.status import InputRules
from rsaxcel.plan.protocols import Core
from rsaxcel.rtl.lib.verilog_core import MODULE
from rsaxcel.rtl.shells.pins import connected, held_values, instance, pin
from rsaxcel.rtl.shells.shell import RESET, Shell

SHELL = "shell"
"""Instance of the shell beside the core."""

_CLOCK = "clk"


@dataclass(frozen=True)
class Apart:
    """A core in Verilog, and its shell; see ``circuit.ShelledCore``."""

    described: Core
    rules: InputRules | None
    text: str
    is_counted: bool
    #: refuses a core of which no netlist can be made
    check: Callable[[], None] = field(default=lambda: None, compare=False)
    macros: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def core(self) -> str:
        core = self.described
        taken = {SHELL, *_streams()}
        taken |= {name(core, x.name) for x in core.ports for name in (_inside, _outside)}
        names = (core.module, *(f"core{number or ''}" for number in range(len(taken) + 1)))
        return next(x for x in names if x not in taken)

    @property
    def modules(self) -> frozenset[str]:
        return frozenset(MODULE.findall(self.text))

    def shell(self) -> Any:
        return Shell(self.described, self.rules, None)

    @property
    def wires(self) -> dict[str, str]:
        core = self.described
        return {_outside(core, x): _inside(core, x) for x in self._connected}

    def alone(self, top: str) -> str:
        self.check()
        core, ports, values = self.described, [], {}
        for port in core.ports:
            if port.name not in dict(core.held):
                values[port.name] = name = _inside(core, port.name)
                ports.append(_declared(port.is_input, port.nbits, name))
        body = self._instance(values)
        return _joined(self.text, _module(top, ports, body))

    def beside(self, top: str, shell: str, text: str, request_nbits: int, nbits: int) -> str:
        self.check()
        core = self.described
        ports = _streams(request_nbits, nbits)
        wires = {x: _outside(core, x) for x in self._connected}
        names = (*ports, *wires.values())
        body = "".join(f"  wire {_size(core.port(x).nbits)}{wires[x]};\n" for x in wires)
        body += f"  {shell} {SHELL} (\n{connected({x: x for x in names})}\n  );\n"
        values = {x.name: wires.get(x.name, "") for x in core.ports} | {core.clock: _CLOCK}
        body += self._instance(values)
        declared = [_declared(is_input, nbits, name) for name, (is_input, nbits) in ports.items()]
        return _joined(self.text, text, _module(top, declared, body))

    @property
    def _connected(self) -> list[str]:
        """Ports of the core that the shell has, too: all that have a use but clock and held."""
        core = self.described
        left_out = (core.clock, *dict(core.held))
        return [x.name for x in core.ports if x.name in core.used and x.name not in left_out]

    def _instance(self, values: Mapping[str, str]) -> str:
        # Synthesis keeps the boundary: the core's cells and paths have its name.
        given = {**values, **held_values(self.described)}
        return "  (* rsaxcel_unit *)\n" + instance(self.described, self.core, given)


def _outside(core: Core, port: str) -> str:
    """Name of a port of the core at the shell."""
    return RESET if core.reset and core.reset.port == port else pin(port)


def _inside(core: Core, port: str) -> str:
    """Name of a port of the core at the module with the core alone, whose clock is ``clk``."""
    if port == core.clock:
        return _CLOCK
    return port if port != _CLOCK and re.fullmatch(r"[A-Za-z]\w*", port) else pin(port)


def _streams(request_nbits: int = 0, nbits: int = 0) -> dict[str, tuple[bool, int]]:
    """Ports of the module with core and shell: whether it is an input, and its width."""
    ports = {_CLOCK: (True, 1), "reset": (True, 1)}
    ports |= {"recv__msg": (True, request_nbits), "recv__val": (True, 1)}
    ports |= {"recv__rdy": (False, 1), "send__msg": (False, nbits)}
    return ports | {"send__val": (False, 1), "send__rdy": (True, 1)}


def _declared(is_input: bool, nbits: int, name: str) -> str:
    return f"{'input' if is_input else 'output'} {_size(nbits)}{name}"


def _size(nbits: int) -> str:
    return f"[{nbits - 1}:0] " if nbits > 1 else ""


def _module(name: str, ports: Sequence[str], body: str) -> str:
    return f"module {name} (\n  " + ",\n  ".join(ports) + f"\n);\n{body}endmodule\n"


def _joined(*texts: str) -> str:
    return "\n\n".join(x.rstrip() for x in texts) + "\n"
