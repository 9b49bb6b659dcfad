"""MontRed: forms a full product, then reduces it bit by bit (Montgomery)."""

from pymtl3 import Component, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import product_request, product_response
from rtl.lib.add_halve import AddHalve
from rtl.lib.multiplier import Multiplier
from rtl.lib.serial_control import SerialControl


class MontRed(Component):
    """Computes ``a * b / 2**nbits mod m`` by a combinational multiplier and a serial reduction.

    Only the low half of the product decides when m is subtracted, and ``nbits`` halvings remove
    this half. The high half is added in the iteration with the last halving.

    Parameters
    ----------
    nbits : int
        Width of operands, modulus and result in bits.

    Ports
    -----
    recv : {a, b, m}; a and b below m, m odd and held until the response is taken
    send : {r}

    Latency: ``nbits + 2`` cycles; the last but one of them corrects the sign. One product at a
    time; the next is accepted in the cycle in which the response is taken.

    Source: Li and Chu, algorithm 1 on the product; signed sums, see ``AddHalve``.
    """

    def construct(s, nbits):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))

        Value = mk_bits(nbits)
        Signed = mk_bits(nbits + 2)
        s.t_reg = Wire(Signed)
        s.high_reg = Wire(Value)
        s.doubled_low = Wire(Signed)
        s.doubled_high = Wire(Signed)
        s.multiplier = Multiplier(nbits)
        s.multiplier.a //= s.recv.msg.a
        s.multiplier.b //= s.recv.msg.b
        for wire, half in (
            (s.doubled_low, s.multiplier.product[0:nbits]),
            (s.doubled_high, s.high_reg),
        ):
            wire[0] //= 0
            wire[1 : nbits + 1] //= half
            wire[nbits + 1] //= 0

        s.control = SerialControl(nbits)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        s.reduce = AddHalve(nbits)
        s.reduce.t_in //= s.t_reg
        s.reduce.x //= s.doubled_high
        s.reduce.m //= s.recv.msg.m
        s.reduce.correct //= s.control.finish
        last = nbits - 1

        @update
        def comb_last():
            s.reduce.scanned @= s.control.step & (s.control.index == last)

        @update_ff
        def seq_operands():
            if s.control.load:
                s.t_reg <<= s.doubled_low
                s.high_reg <<= s.multiplier.product[nbits : 2 * nbits]
            elif s.control.step | s.control.finish:
                s.t_reg <<= s.reduce.t_out

        s.send.msg.r //= s.t_reg[0:nbits]

    def line_trace(s):
        return f"{s.recv}(){s.send}"
