"""One iteration of a modular product that doubles the multiplicand, signed or unsigned."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, mk_bits, update, zext

from rsaxcel.rtl.lib.add_correct import AddCorrect
from rsaxcel.rtl.lib.subtract_once import SubtractOnce


class ShiftSubUnsigned(Component):
    """Adds the multiplicand c to the product p if ``scanned`` is set, and doubles c, modulo m.

    Both p and c are in 0 .. m - 1. m is subtracted after each addition and each doubling, and the
    sign of the difference tells whether the difference is taken. (``ShiftSub`` has signed numbers
    and one adder in place of the two adders for p; the result needs a final correction then.)

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    p_in, c_in : in, nbits bits each; below m
    scanned : in, 1 bit; bit of the multiplier operand
    m : in, nbits bits; 2 or more
    p_out, c_out : out, nbits bits each; below m

    Combinational. Source: Li and Chu, algorithm 5 and module ``modu_mult_128``, whose numbers have
    two more bits, which are always 0 in its registers.
    """

    def construct(s, nbits):
        Value = mk_bits(nbits)
        Sum = mk_bits(nbits + 1)
        s.p_in = InPort(Value)
        s.c_in = InPort(Value)
        s.scanned = InPort(1)
        s.m = InPort(nbits)
        s.p_out = OutPort(Value)
        s.c_out = OutPort(Value)

        s.sum = Wire(Sum)

        @update
        def comb_sum():
            s.sum @= zext(s.p_in, Sum)
            if s.scanned:
                s.sum @= zext(s.p_in, Sum) + zext(s.c_in, Sum)

        s.reduce_sum = SubtractOnce(nbits)
        s.reduce_sum.x //= s.sum
        s.reduce_sum.m //= s.m
        s.reduce_sum.r //= s.p_out

        s.reduce_doubled = SubtractOnce(nbits)
        s.reduce_doubled.x[0] //= 0
        s.reduce_doubled.x[1 : nbits + 1] //= s.c_in
        s.reduce_doubled.m //= s.m
        s.reduce_doubled.r //= s.c_out


class ShiftSub(Component):
    """Adds the multiplicand c to the product p if ``scanned`` is set, and doubles c, modulo m.

    Both p and c are in -m .. m - 1. Their signs before the addition decide whether m is added or
    subtracted. So no comparison follows the addition, and p and c need one adder each. (The
    document keeps both below m, and subtracts m after the addition.)

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    p_in, c_in : in, nbits + 1 bits each; signed
    scanned : in, 1 bit; bit of the multiplier operand
    correct : in, 1 bit; only while ``scanned`` is 0: brings p into 0 .. m - 1
    m : in, nbits bits; 2 or more
    p_out, c_out : out, nbits + 1 bits each; signed

    Combinational. Source: Li and Chu, algorithm 5.
    """

    def construct(s, nbits):
        Signed = mk_bits(nbits + 1)
        s.p_in = InPort(Signed)
        s.c_in = InPort(Signed)
        s.scanned = InPort(1)
        s.correct = InPort(1)
        s.m = InPort(nbits)
        s.p_out = OutPort(Signed)
        s.c_out = OutPort(Signed)

        s.adder = AddCorrect(nbits, nbits + 1)
        s.adder.acc //= s.p_in
        s.adder.x //= s.c_in
        s.adder.take //= s.scanned
        s.adder.m //= s.m
        s.adder.total //= s.p_out
        s.p_negative = Wire(Bits1)
        s.c_negative = Wire(Bits1)
        s.p_negative //= s.p_in[nbits]
        s.c_negative //= s.c_in[nbits]

        @update
        def comb_correction():
            s.adder.subtract @= s.scanned & ~s.p_negative & ~s.c_negative
            s.adder.add @= (s.scanned & s.p_negative & s.c_negative) | (s.correct & s.p_negative)

        s.doubled = Wire(Signed)
        s.correction = Wire(Signed)

        @update
        def comb_double():
            # 2c - m is 2c + ~m + 1, and the lowest bit of 2c is free for this 1
            s.doubled @= concat(s.c_in[0:nbits], ~s.c_negative)
            s.correction @= ~zext(s.m, Signed)
            if s.c_negative:
                s.correction @= zext(s.m, Signed)
            s.c_out @= s.doubled + s.correction
