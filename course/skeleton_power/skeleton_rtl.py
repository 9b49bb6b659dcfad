"""Skeleton: the circuit."""

from pymtl3 import Bits1, Component, Wire, clog2, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import value_message
from rsaxcel.rtl.lib.serial_control import SerialControl


class Skeleton(Component):
    """``b ** e mod m``: for each bit of e, the highest first, a square and a product.

    A product takes a bit of one factor in a cycle. The product with b is kept if the bit of e is 1,
    so that the cycles depend on no operand.

    Parameters
    ----------
    nbits : int
        Width of operands, modulus and result in bits.

    Ports
    -----
    recv : {b, e, m}; b below m, m at least 2
    send : {r}

    Latency: ``2 * nbits ** 2 + 1`` cycles; one power at a time.
    """

    def construct(s, nbits):
        s.recv = RecvIfcRTL(value_message("SkeletonReq", ("b", "e", "m"), nbits))
        s.send = SendIfcRTL(value_message("SkeletonResp", ("r",), nbits))

        s.control = SerialControl(2 * nbits * nbits, finish_cycles=0)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        # The control goes on in the cycle after the result is taken: so one side's ready does not
        # depend on the other's, which would be a loop at the processor.
        s.taken_reg = Wire(Bits1)
        s.control.send_rdy //= s.taken_reg

        @update
        def comb_send():
            s.send.val @= s.control.send_val & ~s.taken_reg

        @update_ff
        def seq_taken():
            s.taken_reg <<= s.send.val & s.send.rdy & ~s.reset

        Value = mk_bits(nbits)
        Sum = mk_bits(nbits + 1)
        Steps = mk_bits(clog2(nbits + 1))
        last_step = nbits - 1
        s.b_reg = Wire(Value)
        s.e_reg = Wire(Value)
        s.m_reg = Wire(Value)
        s.r_reg = Wire(Value)
        s.factor_reg = Wire(Value)
        s.sum_reg = Wire(Value)
        s.steps_reg = Wire(Steps)
        s.squares_reg = Wire(Bits1)
        s.modulus = Wire(Sum)
        s.other = Wire(Sum)
        s.twice = Wire(Sum)
        s.doubled = Wire(Sum)
        s.added = Wire(Sum)
        s.reduced = Wire(Sum)
        s.product = Wire(Value)

        # TODO: the work of one cycle. Here sum becomes 2 * sum + other * (a bit of factor) mod m.
        @update
        def comb_double():
            s.modulus @= zext(s.m_reg, Sum)
            s.twice @= zext(s.sum_reg, Sum) << 1
            s.doubled @= s.twice
            if s.twice >= s.modulus:
                s.doubled @= s.twice - s.modulus

        @update
        def comb_add():
            s.other @= zext(s.b_reg, Sum)
            if s.squares_reg:
                s.other @= zext(s.r_reg, Sum)
            s.added @= s.doubled
            if s.factor_reg[nbits - 1]:
                s.added @= s.doubled + s.other
            s.reduced @= s.added
            if s.added >= s.modulus:
                s.reduced @= s.added - s.modulus

        @update
        def comb_product():
            s.product @= s.r_reg
            if s.squares_reg | s.e_reg[nbits - 1]:
                s.product @= s.reduced[0:nbits]

        @update_ff
        def seq_power():
            if s.control.load:
                s.b_reg <<= s.recv.msg.b
                s.e_reg <<= s.recv.msg.e
                s.m_reg <<= s.recv.msg.m
                s.r_reg <<= 1
                s.factor_reg <<= 1
                s.sum_reg <<= 0
                s.steps_reg <<= last_step
                s.squares_reg <<= 1
            elif s.control.step:
                s.sum_reg <<= s.reduced[0:nbits]
                s.factor_reg <<= s.factor_reg << 1
                s.steps_reg <<= s.steps_reg - 1
                if s.steps_reg == 0:
                    s.r_reg <<= s.product
                    s.factor_reg <<= s.product
                    s.sum_reg <<= 0
                    s.steps_reg <<= last_step
                    s.squares_reg <<= ~s.squares_reg
                    if ~s.squares_reg:
                        s.e_reg <<= s.e_reg << 1

        s.send.msg.r //= s.r_reg

    def line_trace(s):
        return f"{s.recv}(){s.send}"
