"""Digits by which a multiple of the modulus is added: of a quotient, and of a final reduction."""

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    mk_bits,
    sext,
    update,
    update_ff,
    zext,
)

from rsaxcel.fl.multipliers import MontOrup
from rsaxcel.rtl.lib.prefix_carries import PrefixCarries
from rsaxcel.rtl.multipliers.mont_orup.booth import MAGNITUDES, BoothDigits, BoothDigits8


class DivisionDigit(Component):
    """Forms a digit x with ``B + x * m = 0 mod 2**k``, bit by bit from the lowest one on.

    B is the number that is reduced modulo m; a digit has k bits. The sum ``B + x * m`` can then be
    divided by 2**k. Bit j of x is the lowest bit of the rest: the rest is the low digit of B at
    first, and becomes ``(rest + bit * m) / 2`` in each cycle. Two registers hold it as a sum, so
    that no carry propagates.

    Parameters
    ----------
    digit_nbits : int; k: bits of the digit

    Ports
    -----
    loads : in, 1 bit; the low digit of B is taken
    forms : in, 1 bit; a bit of x is found
    takes_sign : in, 1 bit; x becomes 1 if B is negative, else 0
    b_low, b_sign : in, digit_nbits and 1 bits; low digit and sign of B
    m_low : in, digit_nbits bits; low digit of m, which is odd
    digit : out, digit_nbits bits; x
    """

    def construct(s, digit_nbits):
        k = digit_nbits
        Digit = mk_bits(k)
        for name in ("loads", "forms", "takes_sign"):
            setattr(s, name, InPort(1))
        s.b_low = InPort(Digit)
        s.b_sign = InPort(1)
        s.m_low = InPort(Digit)
        s.digit = OutPort(Digit)
        s.rest_reg = Wire(Digit)
        s.carry_reg = Wire(Digit)
        s.digit_reg = Wire(Digit)
        s.lowest = Wire(Bits1)
        s.added = Wire(Digit)
        s.sum = Wire(Digit)
        s.digit //= s.digit_reg

        @update
        def comb_rest():
            s.lowest @= s.rest_reg[0] ^ s.carry_reg[0]
            s.added @= sext(s.lowest, Digit) & s.m_low
            s.sum @= s.rest_reg ^ s.carry_reg ^ s.added

        @update_ff
        def seq_digit():
            if s.loads:
                s.rest_reg <<= s.b_low
                s.carry_reg <<= 0
            elif s.forms:
                s.rest_reg <<= s.sum >> 1
                s.carry_reg <<= (
                    (s.rest_reg & s.carry_reg) | (s.rest_reg & s.added) | (s.carry_reg & s.added)
                )
                s.digit_reg <<= concat(s.lowest, s.digit_reg[1:k])
            elif s.takes_sign:
                s.digit_reg <<= zext(s.b_sign, Digit)


class QuotientDigit(Component):
    """Adds up the low digit of the running sum, and recodes it into digits of radix 4 or 8.

    Where the multiples of the quotient's digit have no register of their own (``pipeline`` is
    ``quotient``), the digit is registered before it is recoded.

    Parameters
    ----------
    golden : fl.multipliers.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers

    Ports
    -----
    sum, carry : in, digit_nbits bits each; low digits of the running sum in carry-save form
    uses : in, 1 bit; the low digit is used as the digit of the quotient; 0: the digit of the
        quotient is 0
    low : out, digit_nbits + 1 bits; sum of the low digits, with its carry
    one, two, negative : out, golden.quotient_digits bits each; digits of radix
        golden.quotient_radix in use, registered; with radix 8, also ``three`` and ``four``

    ``low`` is combinational; the recoded digits follow one cycle later, or two with the register.
    """

    def construct(s, golden: MontOrup):
        k = golden.digit_nbits
        Digit, Wide, Recoded = mk_bits(k), mk_bits(k + 1), mk_bits(golden.quotient_digits)
        s.sum = InPort(Digit)
        s.carry = InPort(Digit)
        s.uses = InPort(1)
        s.low = OutPort(Wide)
        for name in (*MAGNITUDES[golden.quotient_radix], "negative"):
            setattr(s, name, OutPort(Recoded))

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

        if golden.quotient_radix == 8:
            s.recoded = BoothDigits8(k)
        else:
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

        s.one_reg = Wire(Recoded)
        s.two_reg = Wire(Recoded)
        s.negative_reg = Wire(Recoded)
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

        if golden.quotient_radix == 8:
            s.three_reg = Wire(Recoded)
            s.four_reg = Wire(Recoded)
            s.three //= s.three_reg
            s.four //= s.four_reg

            @update_ff
            def seq_recoded_8():
                s.three_reg <<= 0
                s.four_reg <<= 0
                if s.uses_recoded:
                    s.three_reg <<= s.recoded.three
                    s.four_reg <<= s.recoded.four
