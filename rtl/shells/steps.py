"""StepsAdapter: a core with addresses: memory-mapped words, an AXI4-Lite bus or xcel messages."""

from pymtl3 import Component, OutPort, Wire, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.plan.protocols import Core
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.shells.buses import LateTaker, address_nbits, bus_of, response_handshakes
from rsaxcel.rtl.shells.pins import pin
from rsaxcel.rtl.shells.sequencer import StepSequencer
from rsaxcel.rtl.shells.values import HeldRequest, add_pins

_IDLE, _RUN, _DONE = range(3)


class StepsAdapter(Component):
    """Runs the steps of the protocol for each request, and gives the result.

    =====  =========================================  ==============================
    state  in it                                      next
    =====  =========================================  ==============================
    idle   accepts a request, which a register holds  run
    run    the steps are run                          done when the last one ends
    done   ``send`` has the result                    idle when it is taken
    =====  =========================================  ==============================

    Parameters
    ----------
    core : plan.protocols.Core; its protocol has steps
    request_type, result_type : type; messages of ``recv`` and ``send``

    Ports
    -----
    recv : a ``request_type``
    send : a ``result_type``
    again : out, 1 bit; always 0: the core is not reset between operations
    pin_NAME : as the port NAME of the core, in the other direction

    Latency: the first access is made in the cycle after a request, the result given in the cycle
    after the last access.
    """

    def construct(s, core: Core, request_type, result_type):
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(result_type)
        s.again = OutPort(1)
        connect(s.again, 0)
        s.request = HeldRequest(request_type)
        s.sequencer = StepSequencer(core, request_type, address_nbits(core))
        s.bus = bus_of(core)(core)
        connect_named(
            s.sequencer, s.bus, "val", "write", "address", "data", "done", "word", "drained"
        )
        late = response_handshakes(core) if core.host_waits else []
        s.takers = [LateTaker() for _ in late]
        for taker, (valid, ready) in zip(s.takers, late, strict=True):
            add_pins(s, core, (valid, ready))
            connect(getattr(s, pin(valid)), taker.val)
            connect(getattr(s, pin(ready)), taker.rdy)
            connect(getattr(s.bus, pin(valid)), taker.late_val)
            connect(getattr(s.bus, pin(ready)), taker.late_rdy)
        for part in (s.sequencer, s.bus):
            for port in core.ports:
                name = pin(port.name)
                if hasattr(part, name) and not hasattr(s, name):
                    add_pins(s, core, [port.name])
                    connect(getattr(s, name), getattr(part, name))
        connect(s.request.given, s.recv.msg)
        connect(s.request.held, s.sequencer.request)
        connect(s.send.msg.r, s.sequencer.result)
        s.state_reg = Wire(mk_bits(2))

        @update
        def comb_streams():
            s.recv.rdy @= s.state_reg == _IDLE
            s.sequencer.start @= s.recv.val & s.recv.rdy
            s.request.load @= s.recv.val & s.recv.rdy
            s.send.val @= s.state_reg == _DONE

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= _IDLE
            elif s.sequencer.start:
                s.state_reg <<= _RUN
            elif s.sequencer.ended:
                s.state_reg <<= _DONE
            elif s.send.val & s.send.rdy:
                s.state_reg <<= _IDLE

    def line_trace(s):
        return f"{s.recv}({s.state_reg}){s.send}"
