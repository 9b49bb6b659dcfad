"""Booth digits of radix 4 or 8, and the multiples of a number that they select."""

from pymtl3 import Component, InPort, OutPort, Wire, concat, mk_bits, sext, update, zext

#: Magnitudes of digits other than 0, by their radix.
MAGNITUDES = {4: ("one", "two"), 8: ("one", "two", "three", "four")}


class BoothDigits8(Component):
    """Recodes a signed digit of ``digit_nbits`` bits into radix-8 digits from -4 to 4.

    Parameters
    ----------
    digit_nbits : int; bits of the digit

    Ports
    -----
    digit : in, digit_nbits bits, signed
    one, two, three, four, negative : out, digit_nbits / 3 bits each, rounded up; per radix-8
        digit: its magnitude is 1, 2, 3 or 4; it is below 0

    Combinational.
    """

    def construct(s, digit_nbits):
        count = -(-digit_nbits // 3)
        Digits, Bits = mk_bits(count), mk_bits(3 * count + 1)
        s.digit = InPort(digit_nbits)
        for name in (*MAGNITUDES[8], "negative"):
            setattr(s, name, OutPort(Digits))
        s.bits = Wire(Bits)
        # The magnitude is 2 x2 + x1 + x0, where each x is a bit of the digit, inverted if the digit
        # is negative. So x1 and x0 differ if their bits do, and x2 is 1 if its bit and the sign do.
        s.odd = Wire(Digits)  #: x1 and x0 differ
        s.high = Wire(Digits)  #: x2
        s.mixed = Wire(Digits)  #: x2 and x1 differ

        @update
        def comb_bits():
            s.bits @= sext(s.digit, Bits) << 1

        @update
        def comb_digits():
            for j in range(count):
                s.odd[j] @= s.bits[3 * j + 1] ^ s.bits[3 * j]
                s.high[j] @= s.bits[3 * j + 2] ^ s.bits[3 * j + 3]
                s.mixed[j] @= s.bits[3 * j + 2] ^ s.bits[3 * j + 1]
                s.one[j] @= s.odd[j] & ~s.high[j]
                s.two[j] @= s.mixed[j] & ~s.odd[j]
                s.three[j] @= s.odd[j] & s.high[j]
                s.four[j] @= s.high[j] & ~s.mixed[j] & ~s.odd[j]
                # 0 for a digit of 0, so that bits of a row do not toggle from 0 to 1
                s.negative[j] @= s.bits[3 * j + 3] & (s.high[j] | s.mixed[j] | s.odd[j])


class BoothDigits(Component):
    """Recodes a signed digit of ``digit_nbits`` bits into radix-4 digits from -2 to 2.

    Parameters
    ----------
    digit_nbits : int; bits of the digit, even

    Ports
    -----
    digit : in, digit_nbits bits, signed
    below : in, 1 bit; 1 is added to ``digit``, because the next lower digit is signed and negative
    one, two, negative : out, digit_nbits / 2 bits each; per radix-4 digit: its magnitude is 1; its
        magnitude is 2; it is below 0

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
                # 0 for a digit of 0, so that bits of a row do not toggle from 0 to 1
                s.negative[j] @= s.bits[2 * j + 2] & ~(s.bits[2 * j + 1] & s.bits[2 * j])


class BoothRow(Component):
    """Multiplies a number by a radix-4 digit; a negative multiple is in ones' complement.

    So the output is 1 less than the multiple if the digit is negative.

    Parameters
    ----------
    nbits : int; width of the number in bits
    signed : bool; the number is signed
    copies : int; 2: the higher half of the bits takes a copy of the digit; 1: there is none

    Ports
    -----
    number : in, nbits bits
    one, two, negative : in, ``copies`` bits each; the radix-4 digit (``BoothDigits``), below its
        copy
    multiple : out, nbits bits (signed) or nbits + 1; the multiple without its sign
    sign, positive : out, 1 bit each; sign of the multiple, and its inverse

    Combinational. The sign has twice the weight of the highest bit of ``multiple``.
    """

    def construct(s, nbits, signed, copies=1):
        width = nbits if signed else nbits + 1
        Row = mk_bits(width + 1)
        s.number = InPort(nbits)
        for name in (*MAGNITUDES[4], "negative"):
            setattr(s, name, InPort(copies))
            setattr(s, f"of_{name}", Wire(Row))  #: for each bit of the row
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

        if copies == 2:
            Low, High = mk_bits(width // 2), mk_bits(width + 1 - width // 2)

            @update
            def comb_halves():
                s.of_one @= concat(sext(s.one[1], High), sext(s.one[0], Low))
                s.of_two @= concat(sext(s.two[1], High), sext(s.two[0], Low))
                s.of_negative @= concat(sext(s.negative[1], High), sext(s.negative[0], Low))

        else:

            @update
            def comb_whole():
                s.of_one @= sext(s.one, Row)
                s.of_two @= sext(s.two, Row)
                s.of_negative @= sext(s.negative, Row)

        @update
        def comb_row():
            s.row @= ((s.of_one & s.extended) | (s.of_two & (s.extended << 1))) ^ s.of_negative

        @update
        def comb_positive():
            s.positive @= ~s.row[width]


class BoothRow8(Component):
    """Multiplies a number by a radix-8 digit; a negative multiple is in ones' complement.

    Parameters
    ----------
    nbits : int; width of the number in bits

    Ports
    -----
    number, triple : in, nbits and nbits + 2 bits; the number, and three times the number
    one, two, three, four, negative : in, 1 bit each; the radix-8 digit (``BoothDigits8``)
    multiple : out, nbits + 2 bits; the multiple without its sign
    sign, positive : out, 1 bit each; as of ``BoothRow``

    Combinational.
    """

    def construct(s, nbits):
        width = nbits + 2
        Row = mk_bits(width + 1)
        s.number = InPort(nbits)
        s.triple = InPort(width)
        for name in (*MAGNITUDES[8], "negative"):
            setattr(s, name, InPort(1))
        s.multiple = OutPort(width)
        s.sign = OutPort(1)
        s.positive = OutPort(1)
        s.extended = Wire(Row)
        s.row = Wire(Row)
        s.multiple //= s.row[0:width]
        s.sign //= s.row[width]

        @update
        def comb_row():
            s.extended @= zext(s.number, Row)
            s.row @= (
                (sext(s.one, Row) & s.extended)
                | (sext(s.two, Row) & (s.extended << 1))
                | (sext(s.three, Row) & zext(s.triple, Row))
                | (sext(s.four, Row) & (s.extended << 2))
            ) ^ sext(s.negative, Row)

        @update
        def comb_positive():
            s.positive @= ~s.row[width]
