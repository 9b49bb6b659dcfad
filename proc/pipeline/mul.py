"""Multiplication for a processor without divisions."""

from pymtl3 import Bits1, Bits32, Component, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.proc.pipeline.muldiv import MulDivReq, MulDivResp
from rsaxcel.rtl.lib.multiplier import Multiplier


class Mul(Component):
    """Executes ``mul``, and with ``is_high`` ``mulhu``.

    Parameters
    ----------
    is_high : bool; the high half of a product may be requested; if not, all requests are ``mul``
    early_product : bool; the port ``product`` exists

    Ports
    -----
    recv : {funct3, a, b}; field ``funct3`` of the instruction, and operands
    send : {result}
    product : out, 32 bits; result, in the cycle of the request

    Latency: 1 cycle; one product per cycle while responses are taken.
    """

    def construct(s, is_high, early_product=False):
        s.recv = RecvIfcRTL(MulDivReq)
        s.send = SendIfcRTL(MulDivResp)
        s.multiplier = Multiplier(32)
        s.multiplier.a //= s.recv.msg.a
        s.multiplier.b //= s.recv.msg.b

        s.pending_reg = Wire(Bits1)  #: a request waits for its response
        s.product_reg = Wire(Bits32)
        s.half = Wire(Bits32)
        if is_high:

            @update
            def comb_half():
                s.half @= s.multiplier.product[0:32]
                if s.recv.msg.funct3[0]:
                    s.half @= s.multiplier.product[32:64]

        else:
            s.half //= s.multiplier.product[0:32]

        if early_product:
            s.product = OutPort(32)
            s.product //= s.half

        s.send.val //= s.pending_reg
        s.send.msg.result //= s.product_reg

        @update
        def comb_recv():
            s.recv.rdy @= ~s.pending_reg | s.send.rdy

        @update_ff
        def seq_product():
            if s.reset:
                s.pending_reg <<= 0
            elif s.recv.val & s.recv.rdy:
                s.pending_reg <<= 1
            elif s.send.rdy:
                s.pending_reg <<= 0
            if s.recv.val & s.recv.rdy:
                s.product_reg <<= s.half

    def line_trace(s):
        return f"{s.recv}(){s.send}"
