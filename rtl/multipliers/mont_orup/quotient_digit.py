"""QuotientDigit: the low digit of the running sum, recoded as the digit of the quotient."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from rsaxcel.fl.multipliers.mont_orup import MontOrup
from rsaxcel.rtl.lib.prefix_carries import PrefixCarries
from rsaxcel.rtl.multipliers.mont_orup.booth import BoothDigits


class QuotientDigit(Component):
    """Adds up the low digit of the running sum, and recodes it into radix-4 digits.

    Where the multiples of the quotient's digit have no register of their own (``pipeline`` is
    ``quotient``), the digit is registered before it is recoded.

    Parameters
    ----------
    golden : fl.multipliers.mont_orup.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers

    Ports
    -----
    sum, carry : in, digit_nbits bits each; low digits of the running sum in carry-save form
    uses : in, 1 bit; the low digit is used as the digit of the quotient; 0: the digit of the
        quotient is 0
    low : out, digit_nbits + 1 bits; sum of the low digits, with its carry
    one, two, negative : out, digit_nbits / 2 bits each; radix-4 digits in use, registered

    ``low`` is combinational; radix-4 digits follow one cycle later, or two with the register.
    """

    def construct(s, golden: MontOrup):
        k = golden.digit_nbits
        Digit, Wide, Radix4 = mk_bits(k), mk_bits(k + 1), mk_bits(k // 2)
        s.sum = InPort(Digit)
        s.carry = InPort(Digit)
        s.uses = InPort(1)
        s.low = OutPort(Wide)
        s.one = OutPort(Radix4)
        s.two = OutPort(Radix4)
        s.negative = OutPort(Radix4)

        s.half_sum = Wire(Digit)
        s.half_carry = Wire(Digit)
        s.adder = PrefixCarries(k)
        s.adder.makes //= s.half_carry
        s.adder.passes //= s.half_sum

        @update
        def comb_halves():
            s.half_sum @= s.sum ^ s.carry
            s.half_carry @= s.sum & s.carry

        @update
        def comb_low():
            s.low @= (zext(s.adder.carries, Wide) << 1) ^ zext(s.half_sum, Wide)

        s.recoded = BoothDigits(k)
        s.recoded.below //= 0
        s.uses_recoded = Wire(Bits1)
        if golden.quotient_delay > 1 and not golden.row_registers:
            s.digit_reg = Wire(Digit)
            s.uses_reg = Wire(Bits1)
            s.recoded.digit //= s.digit_reg
            s.uses_recoded //= s.uses_reg

            @update_ff
            def seq_digit():
                s.digit_reg <<= s.low[0:k]
                s.uses_reg <<= s.uses

        else:
            s.recoded.digit //= s.low[0:k]
            s.uses_recoded //= s.uses

        s.one_reg = Wire(Radix4)
        s.two_reg = Wire(Radix4)
        s.negative_reg = Wire(Radix4)
        s.one //= s.one_reg
        s.two //= s.two_reg
        s.negative //= s.negative_reg

        @update_ff
        def seq_recoded():
            s.one_reg <<= 0
            s.two_reg <<= 0
            s.negative_reg <<= 0
            if s.uses_recoded:
                s.one_reg <<= s.recoded.one
                s.two_reg <<= s.recoded.two
                s.negative_reg <<= s.recoded.negative
