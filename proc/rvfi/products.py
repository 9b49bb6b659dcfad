"""Multiplier and divider that compute simple sums, so that a proof need not know arithmetic."""

from pymtl3 import Bits1, Bits32, Component, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.proc.pipeline.muldiv import MulDivReq, MulDivResp


class AlternativeProducts(Component):
    """Takes the place of ``MulDiv`` or ``Mul``: sums and differences in place of products.

    Products are replaced by ``a + b`` and quotients, remainders and ``mulhsu`` by ``a - b``, each
    XORed with a number of its own.

    Source: RISC-V Formal Interface, alternative arithmetic operations.

    Parameters
    ----------
    early_product : bool; the port ``product`` exists

    Ports
    -----
    recv : {funct3, a, b}; field ``funct3`` of the instruction, and operands
    send : {result}
    refuses : in, 1 bit; no request is accepted in this cycle
    waits : in, 1 bit; no response is offered in this cycle
    product : out, 32 bits; result of the requested operation, in the cycle of the request

    Latency: 1 cycle, and those in which it waits.
    """

    def construct(s, early_product=False):
        s.recv = RecvIfcRTL(MulDivReq)
        s.send = SendIfcRTL(MulDivResp)
        s.refuses = InPort(1)
        s.waits = InPort(1)
        s.result = Wire(Bits32)
        s.pending_reg = Wire(Bits1)
        s.result_reg = Wire(Bits32)
        if early_product:
            s.product = OutPort(32)
            s.product //= s.result

        @update
        def comb_result():
            if s.recv.msg.funct3 == 0:
                s.result @= (s.recv.msg.a + s.recv.msg.b) ^ 0x5876063E
            elif s.recv.msg.funct3 == 1:
                s.result @= (s.recv.msg.a + s.recv.msg.b) ^ 0xF6583FB7
            elif s.recv.msg.funct3 == 2:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0xECFBE137
            elif s.recv.msg.funct3 == 3:
                s.result @= (s.recv.msg.a + s.recv.msg.b) ^ 0x949CE5E8
            elif s.recv.msg.funct3 == 4:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0x7F8529EC
            elif s.recv.msg.funct3 == 5:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0x10E8FD70
            elif s.recv.msg.funct3 == 6:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0x8DA68FA5
            else:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0x3138D0E1

        s.send.msg.result //= s.result_reg

        @update
        def comb_handshakes():
            s.send.val @= s.pending_reg & ~s.waits
            s.recv.rdy @= ~s.refuses & (~s.pending_reg | (s.send.val & s.send.rdy))

        @update_ff
        def seq_alternative():
            if s.reset:
                s.pending_reg <<= 0
            elif s.recv.val & s.recv.rdy:
                s.pending_reg <<= 1
            elif s.send.val & s.send.rdy:
                s.pending_reg <<= 0
            if s.recv.val & s.recv.rdy:
                s.result_reg <<= s.result
