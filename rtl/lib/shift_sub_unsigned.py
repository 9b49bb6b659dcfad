"""ShiftSubUnsigned: an iteration of a shift-sub product whose two numbers stay below m."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, zext

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
