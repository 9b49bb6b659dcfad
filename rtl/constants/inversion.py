"""Inversion: computes Montgomery's m' = -m**-1 mod 2**k, bit by bit."""

from pymtl3 import Component, Wire, concat, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import constant_request, constant_response
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.serial_control import SerialControl


class Inversion(Component):
    """Computes m' = ``-m**-1 mod 2**k``, by which ``1 + m' * m`` is divisible by 2**k.

    The sum p starts with 1. Its lowest bit is the next bit of m', from the lowest on::

        p = (p + p_0 * m) / 2

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    constant : plan.modulus_constants.ModulusConstant; m', ``NegatedInverse(k)``

    Ports
    -----
    recv : {m}; odd, held until the response is taken
    send : {value}; constant.nbits bits, k or more

    Latency: k + 1 cycles; one modulus at a time.
    """

    def construct(s, nbits, constant: ModulusConstant):
        s.recv = RecvIfcRTL(constant_request(nbits))
        s.send = SendIfcRTL(constant_response(constant))

        assert isinstance(constant.formula, NegatedInverse)
        k = constant.formula.nbits
        Sum = mk_bits(nbits + 1)
        s.p_reg = Wire(mk_bits(nbits))  #: at most m
        s.value_reg = Wire(mk_bits(k))
        s.total = Wire(Sum)

        s.control = SerialControl(k, finish_cycles=0)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        @update
        def comb_total():
            s.total @= zext(s.p_reg, Sum)
            if s.p_reg[0]:
                s.total @= zext(s.p_reg, Sum) + zext(s.recv.msg.m, Sum)

        @update_ff
        def seq_bits():
            if s.control.load:
                s.p_reg <<= 1
            elif s.control.step:
                s.p_reg <<= s.total[1 : nbits + 1]
                s.value_reg <<= concat(s.p_reg[0], s.value_reg[1:k])

        connect_low(s.send.msg.value, s.value_reg)

    def line_trace(s):
        return f"{s.recv}(){s.send}"
