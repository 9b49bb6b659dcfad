"""Interleaved: modular multiplication from the highest bit, by one adder."""

from pymtl3 import Bits1, Component, Wire, clog2, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.interleave import Interleave
from rsaxcel.rtl.lib.merged_lane import add_lane_ports


class InterleavedLane(Component):
    """Forms products of a result, the register x, in an exponentiator with ``control=merged``.

    x is one operand of every product; the bits of the other one, x or b, are scanned where it is.

    Ports
    -----
    As in ``rtl.lib.merged_lane``.

    Latency: nbits + 2 * (ones of the scanned operand) + 1 cycles from ``start`` until it rests.
    """

    def construct(s, nbits):
        add_lane_ports(s, nbits)
        s.x_reg = Wire(mk_bits(nbits))
        # operands up to the highest number of a bit
        s.base = Wire(mk_bits(1 << clog2(nbits)))
        s.square = Wire(mk_bits(1 << clog2(nbits)))
        connect_low(s.base, s.b)
        connect_low(s.square, s.x_reg)
        s.result //= s.x_reg

        s.unit = Interleave(nbits)
        s.unit.x //= s.x_reg
        s.unit.m //= s.m
        s.unit.start //= s.start
        s.unit.one //= s.first
        s.unit.zero //= s.zero
        s.rests //= s.unit.rests

        @update
        def comb_scanned():
            s.unit.scanned @= s.base[s.unit.index]
            if s.squares:
                s.unit.scanned @= s.square[s.unit.index]

        @update_ff
        def seq_result():
            if s.unit.rests:
                s.x_reg <<= s.unit.total

    def line_trace(s):
        return s.unit.line_trace()


class Interleaved(Component):
    """Computes ``a * b mod m``; scans all bits of ``a``, the highest first.

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits

    Ports
    -----
    recv : {a, b, m}; a and b below m, m at least 2 and held until the response is taken
    send : {r}

    Latency: ``nbits + 2 * (ones of a) + 1`` cycles. One product at a time; the next is accepted in
    the cycle after the response is taken.

    Source: see ``rtl.lib.interleave``.
    """

    merged_lane = InterleavedLane

    def construct(s, nbits):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))
        s.full_reg = Wire(Bits1)  #: there is a product, formed or being formed
        s.a_reg = Wire(mk_bits(nbits))
        s.b_reg = Wire(mk_bits(nbits))
        s.scanned = Wire(mk_bits(1 << clog2(nbits)))  #: a, up to the highest number of a bit
        connect_low(s.scanned, s.a_reg)

        s.unit = Interleave(nbits)
        s.unit.one //= 0
        s.unit.zero //= 0
        s.unit.x //= s.b_reg
        s.unit.m //= s.recv.msg.m
        s.send.msg.r //= s.unit.total

        @update
        def comb_streams():
            s.send.val @= s.full_reg & s.unit.rests
            s.recv.rdy @= ~s.full_reg  # the total depends on m until it is taken
            s.unit.start @= s.recv.val & s.recv.rdy
            s.unit.scanned @= s.scanned[s.unit.index]

        @update_ff
        def seq_full():
            if s.reset:
                s.full_reg <<= 0
            elif s.unit.start:
                s.full_reg <<= 1
            elif s.send.val & s.send.rdy:
                s.full_reg <<= 0

        @update_ff
        def seq_operands():
            if s.unit.start:
                s.a_reg <<= s.recv.msg.a
                s.b_reg <<= s.recv.msg.b

    def line_trace(s):
        return f"{s.recv}({s.unit.line_trace()}){s.send}"
