"""Interleaved: modular multiplication from the highest bit, by one adder."""

from pymtl3 import (
    Bits1,
    Bits2,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    concat,
    mk_bits,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.merged_lane import add_merged_lane_ports

REST, DOUBLE, LOWER, ADD = range(4)


class Interleave(Component):
    """Forms ``a * x mod m`` by one adder; the user holds a, x and m, and gives the bits of a.

    The sum p is in -m .. m - 1. For each bit of a, the highest first::

        DOUBLE  p = 2p - m if p >= 0, else 2p + m
        LOWER   p = p - m if p >= 0              (only for a 1)
        ADD     p = p + x, as p < 0 <= x < m     (only for a 1)

    So the sign of a register decides, and no comparison follows an addition. After the last bit, m
    is added to a negative sum.

    Parameters
    ----------
    nbits : int; width of operands and modulus in bits

    Ports
    -----
    start : in, 1 bit; the next cycle is the first step; only while ``rests``
    one : in, 1 bit; ``total`` is 1, or 0 if ``zero``; only while ``rests``
    zero : in, 1 bit; may come late: no carry depends on it
    index : out, clog2(nbits) bits; number of the bit that is scanned
    scanned : in, 1 bit; this bit of a
    x, m : in, nbits bits each; x below m
    rests : out, 1 bit; no step is done in this cycle
    total : out, nbits bits; the product while ``rests``, until ``start``

    Latency from ``start`` until it rests again: 1 + nbits + 2 * (ones of a) cycles.

    Source: Blakley, "A computer algorithm for calculating the product AB modulo M", 1983.
    Deviation: signed sums, each corrected by its sign, in place of comparisons with m and 2m.
    """

    def construct(s, nbits: int):
        Signed = mk_bits(nbits + 1)
        Index = mk_bits(clog2(nbits))
        highest = nbits - 1
        s.start = InPort(1)
        s.one = InPort(1)
        s.zero = InPort(1)
        s.index = OutPort(Index)
        s.scanned = InPort(1)
        s.x = InPort(nbits)
        s.m = InPort(nbits)
        s.rests = OutPort(1)
        s.total = OutPort(nbits)

        s.state_reg = Wire(Bits2)
        s.index_reg = Wire(Index)
        s.index //= s.index_reg
        s.p_reg = Wire(Signed)  #: always the last sum, so that it needs no enable
        s.negative = Wire(Bits1)
        s.negative //= s.p_reg[nbits]
        s.first = Wire(Bits1)
        s.add = Wire(Bits1)
        s.subtract = Wire(Bits1)
        s.kept = Wire(Signed)
        s.term = Wire(Signed)
        s.added = Wire(Signed)
        s.sum = Wire(Signed)
        s.total //= s.sum[0:nbits]

        @update
        def comb_correction():
            s.rests @= s.state_reg == REST
            s.first @= s.index_reg == highest  # the sum before the first bit is 0
            s.add @= 0
            s.subtract @= 0
            if s.state_reg == DOUBLE:
                s.add @= s.negative & ~s.first
                s.subtract @= ~s.negative | s.first
            elif s.state_reg == LOWER:
                s.subtract @= ~s.negative
            elif s.state_reg == REST:
                s.add @= s.negative & ~s.one

        @update
        def comb_sum():
            s.kept @= s.p_reg
            if s.state_reg == DOUBLE:
                s.kept @= concat(s.p_reg[0:nbits], Bits1(0))
            if ((s.state_reg == DOUBLE) & s.first) | s.one:
                s.kept @= 0
            s.term @= 0
            if s.add | s.subtract:
                s.term @= zext(s.m, Signed)
            elif s.state_reg == ADD:
                s.term @= zext(s.x, Signed)
            if s.subtract:
                s.term @= ~s.term
            s.added @= s.kept + s.term + zext(s.subtract | s.one, Signed)
            s.sum @= s.added ^ zext(s.one & s.zero, Signed)

        @update_ff
        def seq_sum():
            s.p_reg <<= s.sum

        s.next_bit = Wire(Bits1)

        @update
        def comb_next_bit():
            s.next_bit @= ((s.state_reg == DOUBLE) & ~s.scanned) | (s.state_reg == ADD)

        @update_ff
        def seq_index():
            if s.state_reg == REST:
                s.index_reg <<= highest
            elif s.next_bit:
                s.index_reg <<= s.index_reg - 1

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= REST
            elif s.start:
                s.state_reg <<= DOUBLE
            elif s.next_bit:
                s.state_reg <<= DOUBLE
                if s.index_reg == 0:
                    s.state_reg <<= REST
            elif s.state_reg == DOUBLE:
                s.state_reg <<= LOWER
            elif s.state_reg == LOWER:
                s.state_reg <<= ADD

    def line_trace(s):
        return f"{int(s.state_reg)}:{int(s.index_reg)}"


class InterleavedLane(Component):
    """Forms products of a result, the register x, in an exponentiator with ``control=merged``.

    x is one operand of every product; the bits of the other one, x or b, are scanned where it is.

    Ports
    -----
    As in ``rtl.lib.merged_lane``.

    Latency: nbits + 2 * (ones of the scanned operand) + 1 cycles from ``start`` until it rests.
    """

    def construct(s, nbits):
        add_merged_lane_ports(s, nbits)
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

    Source: see ``Interleave``.
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
