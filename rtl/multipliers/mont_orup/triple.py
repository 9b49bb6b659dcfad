"""Triple: three times a number, formed digit by digit."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, mk_bits, update, update_ff, zext


class Triple(Component):
    """Forms ``3 x = x + 2 x``, a digit in each cycle, the lowest digit of x first.

    Parameters
    ----------
    nbits : int; width of x in bits
    digit_nbits : int; k: bits of a digit
    count : int; number of digits of ``3 x``, 2 or more

    Ports
    -----
    starts : in, 1 bit; the first digit comes in the next cycle
    takes : in, 1 bit; ``digit`` is the next digit of x
    digit : in, digit_nbits bits
    triple : out, nbits + 2 bits; ``3 x`` from the cycle after the last digit on

    Latency: ``count`` cycles.
    """

    def construct(s, nbits, digit_nbits, count):
        k, top = digit_nbits, digit_nbits * count
        Wide = mk_bits(k + 1)
        s.starts = InPort(1)
        s.takes = InPort(1)
        s.digit = InPort(k)
        s.triple = OutPort(nbits + 2)
        s.triple_reg = Wire(top)
        s.below_reg = Wire(Bits1)  #: highest bit of the last digit
        s.carry_reg = Wire(Bits1)
        s.sum = Wire(Wide)
        s.triple //= s.triple_reg[0 : nbits + 2]

        @update
        def comb_sum():
            s.sum @= (
                zext(s.digit, Wide)
                + zext(concat(s.digit[0 : k - 1], s.below_reg), Wide)
                + zext(s.carry_reg, Wide)
            )

        @update_ff
        def seq_triple():
            if s.starts:
                s.below_reg <<= 0
                s.carry_reg <<= 0
            elif s.takes:
                s.below_reg <<= s.digit[k - 1]
                s.carry_reg <<= s.sum[k]
                s.triple_reg <<= concat(s.sum[0:k], s.triple_reg[k:top])
