"""QuotientDigit: computes how often the modulus is added so that the sum's low word is zero."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, update_ff


class QuotientDigit(Component):
    """Computes ``u = (a_0 + x_i * y_0) * m' mod 2**k`` in two cycles (block CU).

    u is the quotient digit of step i of a Montgomery product: u times the modulus m is added, which
    makes the lowest word of the sum zero. a_0 is this word, x_i and y_0 are words of the operands,
    and m' is ``-m**-1 mod 2**k``. Each of the two products has its own multiplier.

    Parameters
    ----------
    k : int; width of a word in bits

    Ports
    -----
    multiply : in, 1 bit; x and y are valid in this cycle
    x, y : in, k bits each
    a : in, k bits; a_0, valid in the cycle after ``multiply``
    m_prime : in, k bits; -m**-1 mod 2**k
    digit : out, k bits; u, in the cycle of ``a``

    Source: Morales-Romero et al., figure 5.
    """

    def construct(s, k):
        Word = mk_bits(k)
        s.multiply = InPort(1)
        s.x = InPort(Word)
        s.y = InPort(Word)
        s.a = InPort(Word)
        s.m_prime = InPort(Word)
        s.digit = OutPort(Word)
        s.product_reg = Wire(Word)
        s.total = Wire(Word)

        @update_ff
        def seq_product():
            if s.multiply:
                s.product_reg <<= s.x * s.y

        @update
        def comb_digit():
            s.total @= s.product_reg + s.a
            s.digit @= s.total * s.m_prime
