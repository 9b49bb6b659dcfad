"""Ssmm: shift-sub modular multiplication, one or a few bits per cycle."""

from pymtl3 import Bits1, Component, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.plan.recurrence import SIGNED, finish_cycles
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.bit_serial import ShiftSub, ShiftSubUnsigned
from rsaxcel.rtl.lib.merged_lane import add_merged_lane_ports
from rsaxcel.rtl.lib.serial_control import SerialControl


class SsmmLane(Component):
    """Forms products of a result, the register p, in an exponentiator with ``control=merged``.

    A product scans the result in x from its lowest bit, and doubles the result or b in c. It needs
    no other operand, so all three registers are overwritten.

    Parameters
    ----------
    nbits, bits_per_cycle : as in ``Ssmm``

    Ports
    -----
    As in ``rtl.lib.merged_lane``.

    Latency: ``ceil(bits of the result / bits_per_cycle) + 2`` cycles from ``start`` until it rests.
    """

    def construct(s, nbits, bits_per_cycle, recurrence):
        add_merged_lane_ports(s, nbits)
        Value = mk_bits(nbits)
        Signed = mk_bits(nbits + 1)
        s.rests_reg = Wire(Bits1)
        s.p_reg = Wire(Signed)
        s.c_reg = Wire(Signed)
        s.x_reg = Wire(Value)
        s.total = Wire(Signed)  #: of p, with the sign corrected while the lane rests
        s.rests //= s.rests_reg
        s.result //= s.p_reg[0:nbits]
        s.steps = [ShiftSub(nbits) for _ in range(bits_per_cycle)]
        for i, unit in enumerate(s.steps):
            unit.p_in //= s.steps[i - 1].p_out if i else s.p_reg
            unit.c_in //= s.steps[i - 1].c_out if i else s.c_reg
            unit.m //= s.m
            unit.correct //= 0 if i else s.rests_reg
        s.total //= s.steps[bits_per_cycle - 1].p_out

        @update
        def comb_scan():
            for i in range(bits_per_cycle):
                s.steps[i].scanned @= s.x_reg[i] & ~s.rests_reg

        @update_ff
        def seq_rests():
            if s.reset:
                s.rests_reg <<= 1
            elif s.start:
                s.rests_reg <<= 0
            elif s.x_reg == 0:
                s.rests_reg <<= 1

        end = bits_per_cycle - 1

        @update_ff
        def seq_operands():
            s.p_reg <<= s.total
            if s.first:
                s.p_reg <<= zext(~s.zero, Signed)
            if s.start:
                s.p_reg <<= 0
                s.x_reg <<= s.total[0:nbits]
                s.c_reg <<= s.total
                if s.squares:
                    s.c_reg <<= zext(s.b, Signed)
            elif ~s.rests_reg:
                s.x_reg <<= s.x_reg >> bits_per_cycle
                s.c_reg <<= s.steps[end].c_out

    def line_trace(s):
        return f"{s.rests}"


class Ssmm(Component):
    """Computes ``a * b mod m``; scans ``b`` from bit 0 to its highest set bit.

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits
    bits_per_cycle : int; bits of ``b`` that are scanned per cycle; divides ``nbits``
    recurrence : str; ``"signed"``: running values are in -m .. m - 1 (``ShiftSub``);
        ``"unsigned"``: they are below m, as the document prints it (``ShiftSubUnsigned``)

    Ports
    -----
    recv : {a, b, m}; ``a`` below m, m at least 2; m is held until the response is taken
    send : {r}

    Latency: ``ceil(bits of b / bits_per_cycle) + 2`` cycles, the last but one of which corrects the
    sign; one cycle less if the recurrence is unsigned. One product at a time; the next is accepted
    in the cycle in which the response is taken.

    Source: Li and Chu, algorithm 5.
    """

    merged_lane = SsmmLane

    def construct(s, nbits, bits_per_cycle, recurrence):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))

        Value = mk_bits(nbits)
        signed = recurrence == SIGNED
        Number = mk_bits(nbits + signed)
        s.p_reg = Wire(Number)
        s.c_reg = Wire(Number)
        s.c_first = Wire(Number)
        connect_low(s.c_first, s.recv.msg.a)
        s.b_reg = Wire(Value)
        s.b_left = Wire(Value)

        s.control = SerialControl(finish_cycles=finish_cycles(recurrence))
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        step = ShiftSub if signed else ShiftSubUnsigned
        s.steps = [step(nbits) for _ in range(bits_per_cycle)]
        for i, unit in enumerate(s.steps):
            unit.p_in //= s.steps[i - 1].p_out if i else s.p_reg
            unit.c_in //= s.steps[i - 1].c_out if i else s.c_reg
            unit.scanned //= s.b_reg[i]
            unit.m //= s.recv.msg.m
            if signed:
                # When the iterations are over, all bits of ``b`` are 0: one unit can correct.
                unit.correct //= 0 if i else s.control.finish
        end = bits_per_cycle - 1

        @update
        def comb_scan():
            s.b_left @= s.b_reg >> bits_per_cycle
            s.control.none @= s.recv.msg.b == 0
            s.control.last @= s.b_left == 0

        @update_ff
        def seq_operands():
            if s.control.load:
                s.p_reg <<= 0
                s.c_reg <<= s.c_first
                s.b_reg <<= s.recv.msg.b
            elif s.control.step | s.control.finish:
                s.p_reg <<= s.steps[end].p_out
                s.c_reg <<= s.steps[end].c_out
                s.b_reg <<= s.b_left

        s.send.msg.r //= s.p_reg[0:nbits]

    def line_trace(s):
        return f"{s.recv}(){s.send}"
