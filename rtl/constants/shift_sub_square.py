"""ShiftSubSquare: computes R**2 mod m by a shift-sub multiplier."""

from pymtl3 import Bits1, Component, Wire, concat, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import constant_request, constant_response
from rsaxcel.plan.modulus_constants import ModulusConstant
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.multipliers.ssmm import Ssmm


class ShiftSubSquare(Component):
    """Computes ``2**(2*nbits) mod m`` as the square of R mod m.

    R mod m is R - m if m has nbits bits; else it is the product ``2 * 2**(nbits - 1) mod m``.

    Parameters
    ----------
    nbits : int; width of the modulus in bits; R = 2**nbits
    constant : plan.modulus_constants.ModulusConstant; R**2 mod m
    recurrence : str; recurrence of the multiplier (``Ssmm``)

    Ports
    -----
    recv : {m}; odd, at least 3, held until the response is taken
    send : {value}; constant.nbits bits

    Latency: k + 2 cycles for a modulus of nbits bits, nbits + k + 4 cycles for a shorter modulus,
    where k is the number of bits of R mod m; one cycle less for each product if the recurrence is
    unsigned. One modulus at a time.

    Source: Li and Chu, section III, for moduli of nbits bits.
    """

    def construct(s, nbits, constant: ModulusConstant, recurrence):
        s.recv = RecvIfcRTL(constant_request(nbits))
        s.send = SendIfcRTL(constant_response(constant))

        Value = mk_bits(nbits)
        s.multiplier = Ssmm(nbits, 1, recurrence)
        s.multiplier.recv.msg.m //= s.recv.msg.m
        s.a = Wire(Value)
        s.b = Wire(Value)
        s.multiplier.recv.msg.a //= s.a
        s.multiplier.recv.msg.b //= s.b
        s.full = Wire(Bits1)
        s.full //= s.recv.msg.m[nbits - 1]
        one = Bits1(1)
        s.doubling_reg = Wire(Bits1)  #: the current product is R mod m, not the square

        # Wired in two parts, because a constant of so many bits in an update block would not be
        # translated to Verilog correctly.
        s.half_r = Wire(Value)
        s.half_r[0 : nbits - 1] //= 0
        s.half_r[nbits - 1] //= 1
        s.negative = Wire(Value)

        @update
        def comb_negative():
            # R - m is ~m + 1; ~m is even, so the + 1 only sets the lowest bit
            s.negative @= concat(~s.recv.msg.m[1:nbits], one)

        @update
        def comb_operands():
            s.a @= 2
            s.b @= s.half_r
            if s.doubling_reg:
                s.a @= s.multiplier.send.msg.r
                s.b @= s.multiplier.send.msg.r
            elif s.full:
                s.a @= s.negative
                s.b @= s.negative

        @update
        def comb_forward():
            s.multiplier.recv.val @= s.recv.val
            if s.doubling_reg:
                s.multiplier.recv.val @= s.multiplier.send.val
            s.send.val @= s.multiplier.send.val & ~s.doubling_reg

        @update
        def comb_backward():
            s.multiplier.send.rdy @= s.send.rdy | s.doubling_reg

        @update
        def comb_ready():
            s.recv.rdy @= s.multiplier.recv.rdy & ~s.doubling_reg

        connect_low(s.send.msg.value, s.multiplier.send.msg.r)

        @update_ff
        def seq_doubling():
            if s.reset:
                s.doubling_reg <<= 0
            elif s.recv.val & s.recv.rdy:
                s.doubling_reg <<= ~s.full
            elif s.multiplier.send.val:
                s.doubling_reg <<= 0

    def line_trace(s):
        return f"{s.recv}(){s.send}"
