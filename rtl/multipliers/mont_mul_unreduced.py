"""MontMulUnreduced: Montgomery multiplication without final subtraction, one bit per cycle."""

from pymtl3 import Component, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.rtl.lib.serial_control import SerialControl


class MontMulUnreduced(Component):
    """Computes ``a * b / 2**(nbits + 2) mod m``; scans ``a`` from its least significant bit.

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    recv : {a, b, m}; ``a`` and ``b`` of nbits + 1 bits, below 2m; m odd and held until the response
        is taken
    send : {r}; nbits + 1 bits, below 2m

    Latency: ``nbits + 3`` cycles: ``nbits + 2`` iterations, and one cycle to register the operands;
    one product at a time, the next is accepted in the cycle in which the response is taken.

    Source: Vassoler 2023, algorithm 2 (with ``1_i`` for the quotient bit q_i in the copy read) and
    figure 7.
    """

    def construct(s, nbits):
        width = nbits + 1
        s.recv = RecvIfcRTL(product_request(nbits, (("a", width), ("b", width))))
        s.send = SendIfcRTL(product_response(width))

        Operand = mk_bits(width)
        Sum = mk_bits(width + 2)
        s.a_reg = Wire(Operand)
        s.b_reg = Wire(Operand)
        s.sum_reg = Wire(Sum)
        s.with_b = Wire(Sum)
        s.with_m = Wire(Sum)

        s.control = SerialControl(nbits + 2, finish_cycles=0)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        @update
        def comb_step():
            s.with_b @= s.sum_reg
            if s.a_reg[0]:
                s.with_b @= s.sum_reg + zext(s.b_reg, Sum)
            s.with_m @= s.with_b
            if s.with_b[0]:
                s.with_m @= s.with_b + zext(s.recv.msg.m, Sum)

        @update_ff
        def seq_step():
            if s.control.load:
                s.a_reg <<= s.recv.msg.a
                s.b_reg <<= s.recv.msg.b
                s.sum_reg <<= 0
            elif s.control.step:
                s.a_reg <<= s.a_reg >> 1
                s.sum_reg <<= s.with_m >> 1

        s.send.msg.r //= s.sum_reg[0:width]

    def line_trace(s):
        return f"{s.recv}(){s.send}"
