"""Iterations of bit-serial products, and the subtraction that ends these."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, mk_bits, update, zext

from rsaxcel.rtl.lib.carry_save import CarrySave


class AddCorrect(Component):
    """Forms ``acc + x * take``, and adds m, subtracts m, or neither.

    The correction depends on registers only (their parity or signs), so it is known before the
    addition. A row of full adders in front of one adder therefore suffices.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    sum_nbits : int; width of the signed numbers in bits, above ``nbits``

    Ports
    -----
    acc, x : in, sum_nbits bits each; signed
    take : in, 1 bit; x is added
    m : in, nbits bits
    add, subtract : in, 1 bit each; m is added; m is subtracted; not both
    total : out, sum_nbits bits; signed

    Combinational: a full adder and an adder in series.
    """

    def construct(s, nbits, sum_nbits):
        Number = mk_bits(sum_nbits)
        s.acc = InPort(Number)
        s.x = InPort(Number)
        s.take = InPort(1)
        s.m = InPort(nbits)
        s.add = InPort(1)
        s.subtract = InPort(1)
        s.total = OutPort(Number)

        s.compress = CarrySave(sum_nbits)
        s.compress.x //= s.acc
        s.compress.carry_in //= s.subtract

        @update
        def comb_terms():
            s.compress.y @= 0
            if s.take:
                s.compress.y @= s.x
            s.compress.z @= 0
            if s.add:
                s.compress.z @= zext(s.m, Number)
            elif s.subtract:
                s.compress.z @= ~zext(s.m, Number)

        @update
        def comb_total():
            s.total @= s.compress.sum + s.compress.carry


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


class SubtractOnce(Component):
    """Brings a number below 2m below m: subtracts m unless the difference is negative.

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    x : in, nbits + 1 bits; below 2m
    m : in, nbits bits; above x / 2
    r : out, nbits bits; below m

    Combinational. Source: Li and Chu, algorithm 3, lines 6 and 7, and module ``modu_mult_128``.
    """

    def construct(s, nbits):
        Signed = mk_bits(nbits + 2)
        sign = nbits + 1
        s.x = InPort(nbits + 1)
        s.m = InPort(nbits)
        s.r = OutPort(nbits)
        s.difference = Wire(Signed)

        @update
        def comb_choice():
            s.difference @= zext(s.x, Signed) - zext(s.m, Signed)
            s.r @= s.difference[0:nbits]
            if s.difference[sign]:
                s.r @= s.x[0:nbits]
