"""Ssmm: shift-sub modular multiplication, one or a few bits per cycle."""

from pymtl3 import Component, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.plan.recurrence import SIGNED, finish_cycles
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.serial_control import SerialControl
from rsaxcel.rtl.lib.shift_sub import ShiftSub, ShiftSubUnsigned


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
