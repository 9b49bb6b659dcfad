"""Front: checks the input rules, and answers what breaks them in place of the core."""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.status import STATUS_NBITS, InputRules, Status
from rsaxcel.rtl.lib.operand_check import OperandCheck

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
