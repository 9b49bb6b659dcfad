"""AddHalveUnsigned: one iteration of a Montgomery product whose running value is not negative."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, zext


class AddHalveUnsigned(Component):
    """Adds x if ``scanned`` is set, adds m if the sum is odd, and halves the sum.

    The running sum is in 0 .. 2m - 1. (``AddHalve`` has signed sums and one adder in place of two.)

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    t_in : in, nbits + 1 bits; below 2m
    x : in, nbits bits; multiplicand, below m
    scanned : in, 1 bit; bit of the multiplier operand
    m : in, nbits bits; odd
    t_out : out, nbits + 1 bits; below 2m

    Combinational: two adders in series. Source: Li and Chu, algorithm 3, lines 3 to 5.
    """

    def construct(s, nbits):
        Number = mk_bits(nbits + 1)
        Sum = mk_bits(nbits + 2)
        s.t_in = InPort(Number)
        s.x = InPort(nbits)
        s.scanned = InPort(1)
        s.m = InPort(nbits)
        s.t_out = OutPort(Number)
        s.sum = Wire(Sum)
        s.even = Wire(Sum)
        s.t_out //= s.even[1 : nbits + 2]

        @update
        def comb_sum():
            s.sum @= zext(s.t_in, Sum)
            if s.scanned:
                s.sum @= zext(s.t_in, Sum) + zext(s.x, Sum)

        @update
        def comb_even():
            s.even @= s.sum
            if s.sum[0]:
                s.even @= s.sum + zext(s.m, Sum)
