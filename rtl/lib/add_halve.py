"""One iteration of a Montgomery product, with one adder, on signed or unsigned numbers."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, mk_bits, update, zext

from rsaxcel.rtl.lib.add_correct import AddCorrect


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


class AddHalve(Component):
    """Halves a running sum, adds x if ``scanned`` is set, and subtracts m if the result is odd.

    Sums are in -m .. m - 1 after halving. The halving comes first, so that with ``correct`` the
    output is the result, which must not be halved again. (The documents add m, and at the end
    compare with m and subtract it. With subtraction, the sign of the result replaces the
    comparison.)

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    t_in : in, nbits + 2 bits; signed sum, not halved yet
    x : in, nbits + 2 bits; multiplicand
    scanned : in, 1 bit; bit of the multiplier operand
    correct : in, 1 bit; only while ``scanned`` is 0: brings the halved sum into 0 .. m - 1
    m : in, nbits bits; odd
    t_out : out, nbits + 2 bits; signed sum, not halved yet; the result if ``correct`` is 1

    Combinational. Source: Li and Chu, algorithms 1 and 3.
    """

    def construct(s, nbits):
        Signed = mk_bits(nbits + 2)
        top = nbits + 1
        s.t_in = InPort(Signed)
        s.x = InPort(Signed)
        s.scanned = InPort(1)
        s.correct = InPort(1)
        s.m = InPort(nbits)
        s.t_out = OutPort(Signed)

        s.adder = AddCorrect(nbits, nbits + 2)
        s.adder.x //= s.x
        s.adder.take //= s.scanned
        s.adder.m //= s.m
        s.adder.total //= s.t_out
        s.odd = Wire(Bits1)

        @update
        def comb_halve():
            s.adder.acc @= concat(s.t_in[top], s.t_in[1 : top + 1])

        @update
        def comb_correction():
            s.odd @= s.t_in[1] ^ (s.scanned & s.x[0])
            s.adder.subtract @= s.odd & ~s.correct
            s.adder.add @= s.correct & s.t_in[top]
