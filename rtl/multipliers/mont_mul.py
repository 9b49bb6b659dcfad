"""MontMul: Montgomery multiplication, one or a few bits per cycle."""

from pymtl3 import Component, Wire, mk_bits, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import product_request, product_response
from rtl.lib.add_halve import AddHalve
from rtl.lib.serial_control import SerialControl


class MontMul(Component):
    """Computes ``a * b / 2**nbits mod m``; scans ``b`` from its least significant bit.

    Parameters
    ----------
    nbits : int
        Width of operands, modulus and result in bits.
    bits_per_cycle : int
        Bits of ``b`` that are scanned per cycle; divides ``nbits``.

    Ports
    -----
    recv : {a, b, m}; a and b below m, m odd and held until the response is taken
    send : {r}

    Latency: ``nbits / bits_per_cycle + 2`` cycles; the last but one of them corrects the sign. One
    product at a time; the next is accepted in the cycle in which the response is taken.

    Source: Li and Chu, algorithm 3; signed sums, see ``AddHalve``.
    """

    def construct(s, nbits, bits_per_cycle):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))

        Value = mk_bits(nbits)
        Signed = mk_bits(nbits + 2)
        s.t_reg = Wire(Signed)
        s.a_reg = Wire(Value)
        s.b_reg = Wire(Value)
        s.multiplicand = Wire(Signed)
        s.multiplicand[0:nbits] //= s.a_reg
        s.multiplicand[nbits : nbits + 2] //= 0

        s.control = SerialControl(nbits // bits_per_cycle)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        s.steps = [AddHalve(nbits) for _ in range(bits_per_cycle)]
        for i, unit in enumerate(s.steps):
            unit.t_in //= s.steps[i - 1].t_out if i else s.t_reg
            unit.x //= s.multiplicand
            unit.scanned //= s.b_reg[i]
            unit.m //= s.recv.msg.m
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

        s.send.msg.r //= s.t_reg[0:nbits]

    def line_trace(s):
        return f"{s.recv}(){s.send}"
