"""StartDoneAdapter: a core with a start, and a sign of the end."""

from pymtl3 import Component, OutPort, Wire, clog2, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.plan.protocols import Core, StartDone
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.shells.pins import pin
from rsaxcel.rtl.shells.values import HeldRequest, add_pins, connect_pieces

_IDLE, _START, _RUN, _DONE, _REST = range(5)


class StartDoneAdapter(Component):
    """Starts a core for each request, and gives its result.

    =======  ==============================================  ===================================
    state    in it                                           next
    =======  ==============================================  ===================================
    idle     held operands: accepts a request                start
             sampled ones: starts with a request, when the   run
             core can, and accepts it
    start    starts, when the core can                       run
    run      a level of start stays; after ``settles``       rest or idle when the result is
             cycles the end counts, and ``send`` has the     taken; done when it is not
             result
    done     ``send`` has the result                         rest or idle when it is taken
    rest     start is 0; the core may be reset               idle
    =======  ==============================================  ===================================

    Parameters
    ----------
    core : plan.protocols.Core; its protocol is ``StartDone``
    request_type, result_type : type; messages of ``recv`` and ``send``

    Ports
    -----
    recv : a ``request_type``
    send : a ``result_type``
    again : out, 1 bit; the core is to be reset before the next operation
    pin_NAME : as the port NAME of the core, in the other direction

    Latency: none before a core that samples its operands, else 1 cycle; none behind its end. A core
    with a level of start, or with a reset between operations, rests for 1 cycle after a result.
    """

    def construct(s, core: Core, request_type, result_type):
        protocol = core.protocol
        assert isinstance(protocol, StartDone)
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(result_type)
        s.again = OutPort(1)
        ports = (protocol.start, protocol.done, protocol.busy, protocol.ready)
        add_pins(s, core, (*ports, *(x.port for x in protocol.operands), protocol.result.port))

        sampled, level, resets = int(protocol.sampled), int(protocol.level), int(protocol.resets)
        settles = protocol.settles
        Settled = mk_bits(clog2(settles + 1))
        s.state_reg = Wire(mk_bits(3))
        s.settled_reg = Wire(Settled)  #: cycles since the first one of start, at most ``settles``
        s.can = Wire(1)
        s.begins = Wire(1)
        s.start = Wire(1)
        s.ended = Wire(1)
        s.at_end = Wire(1)
        s.ready = Wire(1)
        s.busy = Wire(1)
        connect(s.start, getattr(s, pin(protocol.start)))
        connect(s.ready, getattr(s, pin(protocol.ready)) if protocol.ready else 1)
        connect(s.busy, getattr(s, pin(protocol.busy)) if protocol.busy else 0)
        if protocol.done:
            connect(s.at_end, getattr(s, pin(protocol.done)))
        else:
            by_busy = int(bool(protocol.busy))

            @update
            def comb_end():
                s.at_end @= s.ready
                if by_busy:
                    s.at_end @= ~s.busy

        if not protocol.sampled:
            s.request = HeldRequest(request_type)
            connect(s.request.given, s.recv.msg)

            @update
            def comb_load():
                s.request.load @= s.recv.val & s.recv.rdy

        operands = s.recv.msg if protocol.sampled else s.request.held
        for data in protocol.operands:
            connect_pieces(getattr(s, pin(data.port)), operands, data)

        @update
        def comb_start():
            s.can @= s.ready & ~s.busy
            if sampled:
                s.recv.rdy @= (s.state_reg == _IDLE) & s.can
                s.begins @= (s.state_reg == _IDLE) & s.can & s.recv.val
            else:
                s.recv.rdy @= s.state_reg == _IDLE
                s.begins @= (s.state_reg == _START) & s.can
            s.start @= s.begins
            if level:
                s.start @= s.begins | (s.state_reg == _RUN)

        s.result = Wire(s.send.msg.r._dsl.Type)
        connect_low(s.result, getattr(s, pin(protocol.result.port)))
        if protocol.result_held:
            connect(s.send.msg.r, s.result)
        else:
            s.result_reg = Wire(s.send.msg.r._dsl.Type)

            @update
            def comb_result():
                s.send.msg.r @= s.result
                if s.state_reg == _DONE:
                    s.send.msg.r @= s.result_reg

            @update_ff
            def seq_result():
                if s.ended:
                    s.result_reg <<= s.result

        @update
        def comb_send():
            s.ended @= (s.state_reg == _RUN) & (s.settled_reg == settles) & s.at_end
            s.send.val @= s.ended | (s.state_reg == _DONE)
            s.again @= (s.state_reg == _REST) & resets

        @update_ff
        def seq_settled():
            if s.begins:
                s.settled_reg <<= 1
            elif s.settled_reg != settles:
                s.settled_reg <<= s.settled_reg + 1

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= _IDLE
            elif s.begins:
                s.state_reg <<= _RUN
            elif s.recv.val & s.recv.rdy:
                s.state_reg <<= _START
            elif s.send.val & s.send.rdy:
                s.state_reg <<= _IDLE
                if resets | (level & (s.state_reg == _RUN)):
                    s.state_reg <<= _REST
            elif s.ended:
                s.state_reg <<= _DONE
            elif s.state_reg == _REST:
                s.state_reg <<= _IDLE

    def line_trace(s):
        return f"{s.recv}({s.state_reg}){s.send}"
