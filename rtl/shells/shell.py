"""Shell: a core in Verilog with the framework's streams."""

from typing import Any

from pymtl3 import Component, InPort, OutPort, Wire, connect, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import power_request, power_response, product_request, product_response
from rsaxcel.fl.status import InputRules
from rsaxcel.plan.protocols import Core, StartDone, Streams
from rsaxcel.rtl.shells.front import CoreReset, Front
from rsaxcel.rtl.shells.pins import Pins, pin
from rsaxcel.rtl.shells.start_done import StartDoneAdapter
from rsaxcel.rtl.shells.steps import StepsAdapter
from rsaxcel.rtl.shells.streams import StreamsAdapter

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
