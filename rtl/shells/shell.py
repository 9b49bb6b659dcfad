"""Shell: a core in Verilog with the framework's streams; or the core and the shell apart."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pymtl3 import Component, InPort, OutPort, Wire, clog2, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import power_request, power_response, product_request, product_response
from rsaxcel.fl.status import STATUS_NBITS, InputRules, Status
from rsaxcel.plan.protocols import Core, StartDone, Streams
from rsaxcel.rtl.lib.operand_check import OperandCheck
from rsaxcel.rtl.lib.verilog_core import MODULE
from rsaxcel.rtl.shells.pins import Pins, connected, held_values, instance, pin
from rsaxcel.rtl.shells.start_done import StartDoneAdapter
from rsaxcel.rtl.shells.steps import StepsAdapter
from rsaxcel.rtl.shells.streams import StreamsAdapter

_IDLE, _RUN, _REFUSED = range(3)


class Front(Component):
    """Passes requests that meet the input rules, one at a time, and answers the others.

    ========  =====================================  ==================================
    state     in it                                  next
    ========  =====================================  ==================================
    idle      a good request is offered on           run when it is accepted
              ``request``                            refused after a bad request
    run       ``response`` is passed to ``send``     idle when it is taken
    refused   ``send`` has result 0 and the status   idle when it is taken
    ========  =====================================  ==================================

    Parameters
    ----------
    request_type, response_type, result_type : type; messages of ``recv``, ``send``, ``response``
    rules : fl.status.InputRules or None; None: every request is good

    Ports
    -----
    recv : a ``request_type``
    send : a ``response_type``
    request : a ``request_type``, to the adapter of the core
    response : a ``result_type``, from it
    blocked : in, 1 bit; no request is accepted in this cycle

    Latency: none from ``recv`` to ``request`` and from ``response`` to ``send``; 1 cycle from a bad
    request to its answer. The next request is accepted in the cycle after a response is taken.
    """

    def construct(s, request_type, response_type, result_type, rules: InputRules | None):
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        s.request = SendIfcRTL(request_type)
        s.response = RecvIfcRTL(result_type)
        s.blocked = InPort(1)
        s.state_reg = Wire(mk_bits(2))
        s.status = Wire(mk_bits(STATUS_NBITS))
        s.accepts = Wire(1)
        connect(s.recv.msg, s.request.msg)
        if rules:
            s.check = OperandCheck(rules)
            connect(s.check.base, s.recv.msg.b)
            connect(s.check.modulus, s.recv.msg.m)
            connect(s.check.wide, s.recv.msg.wide)
            connect(s.check.missing, s.recv.msg.missing if rules.host_constants else 0)
            if rules.min_exponent:
                s.add_exponent_check(rules.min_exponent)
            else:
                connect(s.check.status, s.status)
            s.status_reg = Wire(mk_bits(STATUS_NBITS))
            connect(s.send.msg.status, s.status_reg)

            @update_ff
            def seq_status():
                if s.accepts:
                    s.status_reg <<= s.status

        else:
            connect(s.status, 0)
            if hasattr(s.send.msg, "status"):
                connect(s.send.msg.status, 0)

        @update
        def comb_request():
            s.request.val @= (s.state_reg == _IDLE) & s.recv.val & ~s.blocked & (s.status == 0)
            s.recv.rdy @= (s.state_reg == _IDLE) & ~s.blocked & (s.request.rdy | (s.status != 0))
            s.accepts @= s.recv.val & s.recv.rdy

        @update
        def comb_response():
            s.send.val @= (s.state_reg == _REFUSED) | ((s.state_reg == _RUN) & s.response.val)
            s.response.rdy @= (s.state_reg == _RUN) & s.send.rdy
            s.send.msg.r @= s.response.msg.r
            if s.state_reg == _REFUSED:
                s.send.msg.r @= 0

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= _IDLE
            elif s.accepts:
                s.state_reg <<= _RUN
                if s.status != 0:
                    s.state_reg <<= _REFUSED
            elif s.send.val & s.send.rdy:
                s.state_reg <<= _IDLE

    def add_exponent_check(s, least):
        """Refuse an exponent that is too small, if no other rule is broken."""
        too_small = int(Status.EXPONENT_TOO_SMALL)

        @update
        def comb_exponent():
            s.status @= s.check.status
            if (s.check.status == 0) & (s.recv.msg.e < least):
                s.status @= too_small

    def line_trace(s):
        return f"{s.recv}({s.state_reg}){s.send}"


class CoreReset(Component):
    """Resets the core with the shell, and again between operations.

    Parameters
    ----------
    cycles : int; cycles of the reset of the core, 1 or more

    Ports
    -----
    again : in, 1 bit; the core is reset from the next cycle on
    active : out, 1 bit; reset of the core, from a register: an asynchronous reset sees no glitches

    Latency: 1 cycle. ``active`` stays 1 for ``cycles`` cycles after the last 1 of ``reset`` or
    ``again``.
    """

    def construct(s, cycles):
        Count = mk_bits(clog2(cycles + 1))
        s.again = InPort(1)
        s.active = OutPort(1)
        s.active_reg = Wire(1)
        s.left_reg = Wire(Count)
        connect(s.active, s.active_reg)

        @update_ff
        def seq_left():
            if s.reset | s.again:
                s.active_reg <<= 1
                s.left_reg <<= cycles - 1
            elif s.left_reg != 0:
                s.left_reg <<= s.left_reg - 1
            else:
                s.active_reg <<= 0


RESET = "pins_reset"
"""Port for the reset of a core that is outside."""

_ADAPTERS: dict[type, type[Component]] = {Streams: StreamsAdapter, StartDone: StartDoneAdapter}


class Shell(Component):
    """Checks requests, and runs them on a core by the adapter of its protocol.

    A reset of the shell resets the core, also during an operation. A core that never ends lets the
    shell wait; a simulation tells it, and a reset ends it.

    Parameters
    ----------
    core : plan.protocols.Core; the core for one width
    rules : fl.status.InputRules or None; None: a product, whose response has no status
    text : str or None; Verilog of all modules of the core; None: the core is outside, and the shell
        has its ports, but clock and held ones

    Ports
    -----
    recv : {b, e, m, wide}, with constants {b, e, m, constants, wide, missing}; a product
        {a, b, m, constants}
    send : {r, status}; a product {r}
    pin_NAME : as the port NAME of a core that is outside, in the other direction
    pins_reset : out, 1 bit; reset of a core that is outside, active as the core wants it

    Latency: that of the core and of the adapter; 1 cycle from a request that breaks an input rule
    to its status. The next request is accepted in the cycle after a response is taken.
    """

    def construct(s, core: Core, rules: InputRules | None, text: str | None):
        nbits = core.nbits
        if core.is_product:
            request_type = product_request(nbits, core.constants)
            response_type = product_response(nbits)
        else:
            request_type = power_request(nbits, core.constants, nbits)
            response_type = power_response(nbits)
        result_type = product_response(nbits)
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        s.front = Front(request_type, response_type, result_type, rules)
        adapter = _ADAPTERS.get(type(core.protocol), StepsAdapter)
        s.adapter = adapter(core, request_type, result_type)
        connect(s.recv, s.front.recv)
        connect(s.front.request, s.adapter.recv)
        connect(s.adapter.send, s.front.response)
        connect(s.front.send, s.send)
        s.resets = Wire(1)
        if text is None:
            for port in core.ports:
                if hasattr(s.adapter, pin(port.name)):
                    kind = OutPort if port.is_input else InPort
                    setattr(s, pin(port.name), kind(port.nbits))
            pins = s
            _add_reset(s, core)
        else:
            s.pins = pins = Pins(core, text)
            connect(s.pins.core_reset, s.resets)
        for port in core.ports:
            name = pin(port.name)
            if hasattr(s.adapter, name):
                connect(getattr(s.adapter, name), getattr(pins, name))
        if core.reset and (core.reset.cycles > 1 or getattr(core.protocol, "resets", False)):
            s.core_reset = CoreReset(core.reset.cycles)
            connect(s.core_reset.again, s.adapter.again)
            connect(s.core_reset.active, s.resets)
            connect(s.core_reset.active, s.front.blocked)
        else:
            connect(s.resets, s.reset)
            connect(s.front.blocked, 0)

    def line_trace(s):
        return f"{s.recv}({s.adapter.line_trace()}){s.send}"


def _add_reset(s: Any, core: Core) -> None:
    """Add the reset of a core that is outside."""
    if not core.reset:
        return
    s.pins_reset = OutPort(1)
    if core.reset.active_high:
        connect(s.pins_reset, s.resets)
    else:

        @update
        def comb_reset():
            s.pins_reset @= ~s.resets


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
