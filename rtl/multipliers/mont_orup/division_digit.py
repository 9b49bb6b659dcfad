"""DivisionDigit: finds the digit x for which the low digit of ``B + x * m`` is zero."""

from pymtl3 import Component, InPort, OutPort, Wire, concat, mk_bits, update, update_ff, zext


class DivisionDigit(Component):
    """Forms a digit x with ``B + x * m = 0 mod 2**k``, bit by bit from the lowest one on.

    B is the number that is reduced modulo m; a digit has k bits. The sum ``B + x * m`` can then be
    divided by 2**k. Bit j of x is the lowest bit of the rest: the rest is the low digit of B at
    first, and becomes ``(rest + bit * m) / 2`` in each cycle.

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
        Digit, Wide = mk_bits(k), mk_bits(k + 1)
        for name in ("loads", "forms", "takes_sign"):
            setattr(s, name, InPort(1))
        s.b_low = InPort(Digit)
        s.b_sign = InPort(1)
        s.m_low = InPort(Digit)
        s.digit = OutPort(Digit)
        s.rest_reg = Wire(Digit)
        s.digit_reg = Wire(Digit)
        s.rest_sum = Wire(Wide)
        s.digit //= s.digit_reg

        @update
        def comb_rest():
            s.rest_sum @= zext(s.rest_reg, Wide)
            if s.rest_reg[0]:
                s.rest_sum @= zext(s.rest_reg, Wide) + zext(s.m_low, Wide)

        @update_ff
        def seq_digit():
            if s.loads:
                s.rest_reg <<= s.b_low
            elif s.forms:
                s.rest_reg <<= s.rest_sum[1 : k + 1]
                s.digit_reg <<= concat(s.rest_reg[0], s.digit_reg[1:k])
            elif s.takes_sign:
                s.digit_reg <<= zext(s.b_sign, Digit)
