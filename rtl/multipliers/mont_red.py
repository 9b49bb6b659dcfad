"""MontRed: forms a full product, then reduces it bit by bit (Montgomery)."""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.plan.recurrence import SIGNED, finish_cycles
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.bit_serial import AddHalve, SubtractOnce
from rsaxcel.rtl.lib.multiplier import Multiplier
from rsaxcel.rtl.lib.serial_control import SerialControl


class MontRed(Component):
    """Computes ``a * b / 2**nbits mod m`` by a combinational multiplier and a serial reduction.

    With the signed recurrence, only the low half of the product decides when m is subtracted, and
    ``nbits`` halvings remove this half. The high half is added in the iteration with the last
    halving. With the unsigned recurrence, the whole product is halved.

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits
    recurrence : str; ``"signed"``: sums are in -m .. m - 1 (``AddHalve``); ``"unsigned"``: m is
        added to the product if it is odd, as the document prints it, and subtracted once at the end

    Ports
    -----
    recv : {a, b, m}; a and b below m, m odd and held until the response is taken
    send : {r}

    Latency: ``nbits + 2`` cycles, the last but one of which corrects the sign; one cycle less if
    the recurrence is unsigned. One product at a time; the next is accepted in the cycle in which
    the response is taken.

    Source: Li and Chu, algorithm 1 on the product.
    """

    def construct(s, nbits, recurrence):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))

        s.multiplier = Multiplier(nbits)
        s.multiplier.a //= s.recv.msg.a
        s.multiplier.b //= s.recv.msg.b

        s.control = SerialControl(nbits, finish_cycles(recurrence))
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        s.reduction = SignedReduction(nbits) if recurrence == SIGNED else UnsignedReduction(nbits)
        s.reduction.product //= s.multiplier.product
        s.reduction.m //= s.recv.msg.m
        connect_named(s.control, s.reduction, "load", "step", "finish", "index")
        s.reduction.r //= s.send.msg.r

    def line_trace(s):
        return f"{s.recv}(){s.send}"


def add_reduction_ports(s: Component, nbits: int) -> None:
    """Declare the ports of a serial reduction of a product.

    ``product`` (2 * nbits bits) is registered at the end of a cycle with ``load``; ``load``,
    ``step`` and ``finish`` as in ``SerialControl``; ``index`` is the iteration; ``r`` is valid
    after the last iteration and ``finish``.
    """
    s.product = InPort(2 * nbits)
    s.m = InPort(nbits)
    for name in ("load", "step", "finish"):
        setattr(s, name, InPort(1))
    s.index = InPort(clog2(nbits))
    s.r = OutPort(nbits)


class SignedReduction(Component):
    """Halves a signed sum, and adds the high half of the product in the last iteration.

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    The ports of ``add_reduction_ports``.
    """

    def construct(s, nbits):
        add_reduction_ports(s, nbits)
        Signed = mk_bits(nbits + 2)
        s.t_reg = Wire(Signed)
        s.high_reg = Wire(mk_bits(nbits))
        s.doubled_low = Wire(Signed)
        s.doubled_high = Wire(Signed)
        for wire, half in ((s.doubled_low, s.product[0:nbits]), (s.doubled_high, s.high_reg)):
            wire[0] //= 0
            wire[1 : nbits + 1] //= half
            wire[nbits + 1] //= 0
        s.reduce = AddHalve(nbits)
        s.reduce.t_in //= s.t_reg
        s.reduce.x //= s.doubled_high
        s.reduce.m //= s.m
        s.reduce.correct //= s.finish
        last = nbits - 1

        @update
        def comb_last():
            s.reduce.scanned @= s.step & (s.index == last)

        @update_ff
        def seq_operands():
            if s.load:
                s.t_reg <<= s.doubled_low
                s.high_reg <<= s.product[nbits : 2 * nbits]
            elif s.step | s.finish:
                s.t_reg <<= s.reduce.t_out

        s.r //= s.t_reg[0:nbits]


class UnsignedReduction(Component):
    """Adds m to the product if it is odd, and halves it; subtracts m once from the last sum.

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    The ports of ``add_reduction_ports``; ``finish`` and ``index`` are not used.
    """

    def construct(s, nbits):
        add_reduction_ports(s, nbits)
        Sum = mk_bits(2 * nbits + 1)
        s.p_reg = Wire(mk_bits(2 * nbits))
        s.even = Wire(Sum)

        @update
        def comb_even():
            s.even @= zext(s.p_reg, Sum)
            if s.p_reg[0]:
                s.even @= zext(s.p_reg, Sum) + zext(s.m, Sum)

        @update_ff
        def seq_product():
            if s.load:
                s.p_reg <<= s.product
            elif s.step:
                s.p_reg <<= s.even[1 : 2 * nbits + 1]

        s.reduce = SubtractOnce(nbits)
        s.reduce.x //= s.p_reg[0 : nbits + 1]
        connect_named(s.reduce, s, "m", "r")
