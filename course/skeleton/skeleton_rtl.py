"""Skeleton: the circuit."""

from pymtl3 import Component, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.rtl.lib.serial_control import SerialControl


class Skeleton(Component):
    """``a * b mod m``; scans b from its most significant bit.

    Parameters
    ----------
    nbits : int
        Width of operands, modulus and result in bits.

    Ports
    -----
    recv : {a, b, m}; a and b below m, m at least 2
    send : {r}

    Latency: ``nbits + 1`` cycles. One product at a time; the next is accepted in the cycle in which
    the response is taken.
    """

    def construct(s, nbits):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))

        s.control = SerialControl(nbits, finish_cycles=0)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        Value = mk_bits(nbits)
        Sum = mk_bits(nbits + 1)
        s.a_reg = Wire(Value)
        s.b_reg = Wire(Value)
        s.m_reg = Wire(Value)
        s.p_reg = Wire(Value)
        s.modulus = Wire(Sum)
        s.twice = Wire(Sum)
        s.doubled = Wire(Sum)
        s.added = Wire(Sum)
        s.product = Wire(Sum)

        # TODO: the work of one cycle. Here p becomes 2p + a * (one bit of b), modulo m.
        @update
        def comb_double():
            s.modulus @= zext(s.m_reg, Sum)
            s.twice @= zext(s.p_reg, Sum) << 1
            s.doubled @= s.twice
            if s.twice >= s.modulus:
                s.doubled @= s.twice - s.modulus

        @update
        def comb_add():
            s.added @= s.doubled
            if s.b_reg[nbits - 1]:
                s.added @= s.doubled + zext(s.a_reg, Sum)
            s.product @= s.added
            if s.added >= s.modulus:
                s.product @= s.added - s.modulus

        @update_ff
        def seq_operands():
            if s.control.load:
                s.a_reg <<= s.recv.msg.a
                s.b_reg <<= s.recv.msg.b
                s.m_reg <<= s.recv.msg.m
                s.p_reg <<= 0
            elif s.control.step:
                s.b_reg <<= s.b_reg << 1
                s.p_reg <<= s.product[0:nbits]

        s.send.msg.r //= s.p_reg

    def line_trace(s):
        return f"{s.recv}(){s.send}"
