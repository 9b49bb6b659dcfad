"""OperandDigits: fetches and recodes the digits of operand a, one after the other."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, mk_bits, update, update_ff, zext

from rsaxcel.fl.multipliers import MontOrup
from rsaxcel.rtl.multipliers.mont_orup.booth import BoothDigits


class DigitSelect(Component):
    """The registers of ``OperandDigits`` that select a digit, alone also as their copy.

    Parameters
    ----------
    golden : fl.multipliers.mont_orup.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers
    copied : bool; the registers are compared with a copy, or are the copy

    Ports
    -----
    begins, fetches, decodes, iterates : in, 1 bit each; see ``LaneControl``
    doubling : in, 1 bit; operand a has twice the digits of a residue
    follows : in, 1 bit; until the second digits begin: they are the upper digits of the same
        number; 0: they are a second number
    prepare : in, 1 bit; the product is aborted
    select : out, golden.digits bits; number (one-hot) of the digit that is fetched; 0: none
    shifts : out, 1 bit; in the next cycle, the digit after the one that is selected is selected, if
        there is one
    second : out, 1 bit; second digits are selected
    joining : out, 1 bit; only if ``copied``: the second digits begin, and belong to the same
        number
    """

    #: Inputs from ``LaneControl``.
    of_control: tuple[str, ...] = ("begins", "fetches", "decodes", "iterates", "doubling")

    def construct(s, golden: MontOrup, copied=True):
        top = golden.digits - 1
        for name in (*s.of_control, "follows", "prepare"):
            setattr(s, name, InPort(1))
        s.select = OutPort(golden.digits)
        s.shifts = OutPort(1)
        s.second = OutPort(1)
        s.select_reg = Wire(mk_bits(golden.digits))
        s.second_reg = Wire(Bits1)
        s.again = Wire(Bits1)  #: the second digits are selected from the next cycle on
        s.joins = Wire(Bits1)  #: first and second digits belong to the same number
        s.select //= s.select_reg
        s.second //= s.second_reg
        if copied:
            s.joining = OutPort(1)
            s.joining //= s.joins

        @update_ff
        def seq_select():
            if s.begins | s.again:
                s.select_reg <<= 1
            elif s.fetches | s.decodes | s.iterates:
                s.select_reg <<= s.select_reg << 1
            else:  # deselect: a selected digit of the message would be shifted out of its register
                s.select_reg <<= 0

        @update
        def comb_again():
            s.again @= s.doubling & s.select_reg[top] & ~s.second_reg
            s.joins @= s.again & s.follows
            s.shifts @= (s.fetches | s.decodes | s.iterates) & ~(s.begins | s.again)

        s.add_second()

    def add_second(s) -> None:
        @update_ff
        def seq_second():
            if s.begins | s.prepare:
                s.second_reg <<= 0
            elif s.again:
                s.second_reg <<= 1


class OperandDigits(DigitSelect):
    """Selects the digits of operand a, the lowest one first, and recodes each to radix-4 digits.

    A digit passes through three stages, and each cycle selects the next one::

        cycle  0                        1                   2
        -----  -----------------------  ------------------  ----------------------------
        digit  ``select``, ``a_digit``  is recoded, signed  ``one``, ``two``, ``negative``

    All digits but the highest one are signed: a digit of k bits is worth 2**k less if its highest
    bit is 1, and the digit above it is worth 1 more. If operand ``a`` has twice the digits of a
    residue, ``select`` goes through all digits twice. The second digits are either the upper digits
    of the same number, or a second number. A pass of a reduction reads no operand a: its digits are
    1, 0, 0, ..., so that the sum takes B (the register of operand b) once.

    Parameters
    ----------
    golden, copied : see ``DigitSelect``

    Ports
    -----
    Those of ``DigitSelect``, and:

    reducing : in, 1 bit; see ``LaneControl``
    a_digit : in, digit_nbits bits; the digit that is selected, in the same cycle
    one, two, negative : out, golden.digit_copies * digit_nbits / 2 bits each; radix-4 digits in
        use, then a copy of them, from registers of their own
    """

    def construct(s, golden: MontOrup, copied=False):
        k, top = golden.digit_nbits, golden.digits - 1
        copies, count = golden.digit_copies, k // 2
        Digit, Radix4 = mk_bits(k), mk_bits(count)
        super().construct(golden, copied)
        s.reducing = InPort(1)
        s.a_digit = InPort(Digit)
        s.one = OutPort(copies * count)
        s.two = OutPort(copies * count)
        s.negative = OutPort(copies * count)

        s.digit_reg = Wire(Digit)
        s.last_reg = Wire(Bits1)  #: the digit in digit_reg is the highest one of a number
        s.below_reg = Wire(Bits1)  #: sign of the digit below
        s.one_reg = Wire(Radix4)
        s.two_reg = Wire(Radix4)
        s.negative_reg = Wire(Radix4)
        s.recoded = BoothDigits(k)
        s.recoded.digit //= s.digit_reg
        s.recoded.below //= s.below_reg
        s.fetched = Wire(Digit)

        @update
        def comb_fetched():
            s.fetched @= s.a_digit
            if s.reducing:
                s.fetched @= zext(s.select_reg[0], Digit)

        @update_ff
        def seq_digit():
            s.digit_reg <<= s.fetched
            s.last_reg <<= s.select_reg[top] & ~s.joins
            s.below_reg <<= s.digit_reg[k - 1] & ~s.last_reg & ~s.fetches

        @update_ff
        def seq_recoded():
            s.one_reg <<= s.recoded.one
            s.two_reg <<= s.recoded.two
            s.negative_reg <<= s.recoded.negative

        if copies == 1:
            s.one //= s.one_reg
            s.two //= s.two_reg
            s.negative //= s.negative_reg
            return
        # Inverted: equal registers would be merged.
        s.unone_reg = Wire(Radix4)
        s.untwo_reg = Wire(Radix4)
        s.unnegative_reg = Wire(Radix4)

        @update
        def comb_copies():
            s.one @= concat(~s.unone_reg, s.one_reg)
            s.two @= concat(~s.untwo_reg, s.two_reg)
            s.negative @= concat(~s.unnegative_reg, s.negative_reg)

        @update_ff
        def seq_copies():
            s.unone_reg <<= ~s.recoded.one
            s.untwo_reg <<= ~s.recoded.two
            s.unnegative_reg <<= ~s.recoded.negative
