"""MontMul: Montgomery multiplication, one or a few bits per cycle."""

from pymtl3 import Component, Wire, mk_bits, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.plan.recurrence import SIGNED, finish_cycles
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.bit_serial import AddHalve, AddHalveUnsigned, SubtractOnce
from rsaxcel.rtl.lib.serial_control import SerialControl


class MontMul(Component):
    """Computes ``a * b / 2**nbits mod m``; scans ``b`` from its least significant bit.

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits
    bits_per_cycle : int; bits of ``b`` that are scanned per cycle; divides ``nbits``
    recurrence : str; ``"signed"``: sums are in -m .. m - 1 (``AddHalve``); ``"unsigned"``: sums are
        below 2m, as the document prints it (``AddHalveUnsigned``), and m is subtracted from the
        last one

    Ports
    -----
    recv : {a, b, m}; a and b below m, m odd and held until the response is taken
    send : {r}

    Latency: ``nbits / bits_per_cycle + 2`` cycles, the last but one of which corrects the sign; one
    cycle less if the recurrence is unsigned. One product at a time; the next is accepted in the
    cycle in which the response is taken.

    Source: Li and Chu, algorithm 3.
    """

    def construct(s, nbits, bits_per_cycle, recurrence):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))

        Value = mk_bits(nbits)
        signed = recurrence == SIGNED
        s.t_reg = Wire(mk_bits(nbits + 1 + signed))
        s.a_reg = Wire(Value)
        s.b_reg = Wire(Value)

        s.control = SerialControl(nbits // bits_per_cycle, finish_cycles(recurrence))
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        step = AddHalve if signed else AddHalveUnsigned
        s.steps = [step(nbits) for _ in range(bits_per_cycle)]
        for i, unit in enumerate(s.steps):
            unit.t_in //= s.steps[i - 1].t_out if i else s.t_reg
            connect_low(unit.x, s.a_reg)
            unit.scanned //= s.b_reg[i]
            unit.m //= s.recv.msg.m
            if signed:
                unit.correct //= 0 if i else s.control.finish
        end = bits_per_cycle - 1

        @update_ff
        def seq_operands():
            if s.control.load:
                s.t_reg <<= 0
                s.a_reg <<= s.recv.msg.a
                s.b_reg <<= s.recv.msg.b
            elif s.control.step:
                s.t_reg <<= s.steps[end].t_out
                s.b_reg <<= s.b_reg >> bits_per_cycle
            elif s.control.finish:
                s.t_reg <<= s.steps[0].t_out

        if signed:
            s.send.msg.r //= s.t_reg[0:nbits]
        else:
            s.reduce = SubtractOnce(nbits)
            s.reduce.x //= s.t_reg
            s.reduce.m //= s.recv.msg.m
            s.reduce.r //= s.send.msg.r

    def line_trace(s):
        return f"{s.recv}(){s.send}"
