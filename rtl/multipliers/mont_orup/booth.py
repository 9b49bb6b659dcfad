"""Radix-4 Booth digits, and the multiples that they choose."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, sext, update, zext


class BoothDigits(Component):
    """A signed digit of ``digit_nbits`` bits as radix-4 digits from -2 to 2.

    Parameters
    ----------
    digit_nbits : int
        Bits of the digit, even.

    Ports
    -----
    digit : in, digit_nbits bits, signed
    below : in, 1 bit; added to it: the sign of the digit below, where that is signed, too
    one, two, negative : out, digit_nbits / 2 bits each; magnitude and sign of the radix-4 digits

    Combinational.
    """

    def construct(s, digit_nbits):
        count = digit_nbits // 2
        Digits = mk_bits(count)
        s.digit = InPort(digit_nbits)
        s.below = InPort(1)
        s.one = OutPort(Digits)
        s.two = OutPort(Digits)
        s.negative = OutPort(Digits)
        s.bits = Wire(mk_bits(digit_nbits + 1))
        s.bits[0] //= s.below
        s.bits[1 : digit_nbits + 1] //= s.digit

        @update
        def comb_digits():
            for j in range(count):
                s.one[j] @= s.bits[2 * j] ^ s.bits[2 * j + 1]
                s.two[j] @= (s.bits[2 * j + 2] & ~s.bits[2 * j + 1] & ~s.bits[2 * j]) | (
                    ~s.bits[2 * j + 2] & s.bits[2 * j + 1] & s.bits[2 * j]
                )
                s.negative[j] @= s.bits[2 * j + 2]


class BoothRow(Component):
    """A multiple of a number by a radix-4 digit, less 1 where that is negative.

    Parameters
    ----------
    nbits : int
        Width of the number in bits.
    signed : bool
        Whether the number is.

    Ports
    -----
    number : in, nbits bits
    one, two, negative : in, 1 bit each; the digit
    multiple : out, nbits bits (signed) or nbits + 1; the multiple without its sign
    sign, positive : out, 1 bit each; the sign, and its inverse

    Combinational. The sign has the weight above those of ``multiple``.
    """

    def construct(s, nbits, signed):
        width = nbits if signed else nbits + 1
        Row = mk_bits(width + 1)
        s.number = InPort(nbits)
        s.one = InPort(1)
        s.two = InPort(1)
        s.negative = InPort(1)
        s.multiple = OutPort(width)
        s.sign = OutPort(1)
        s.positive = OutPort(1)
        s.extended = Wire(Row)
        s.row = Wire(Row)
        s.multiple //= s.row[0:width]
        s.sign //= s.row[width]

        if signed:

            @update
            def comb_signed():
                s.extended @= sext(s.number, Row)

        else:

            @update
            def comb_unsigned():
                s.extended @= zext(s.number, Row)

        @update
        def comb_row():
            s.row @= (
                (sext(s.one, Row) & s.extended) | (sext(s.two, Row) & (s.extended << 1))
            ) ^ sext(s.negative, Row)

        @update
        def comb_positive():
            s.positive @= ~s.row[width]
