"""ProcessingElement: forms one word of the sum of a Montgomery product, in a systolic row."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext


class ProcessingElement(Component):
    """A multiplier and an accumulator, which work in two of three cycles.

    A row of elements computes ``A = (A + x_i * y + u_i * m) / b`` in step i: x and y are the
    operands in words of k bits, A is the sum, m the modulus, u_i the quotient digit, and b = 2**k.
    This is element j. In the first cycle, x_i * y_j is added to a_j, the low word of
    element j + 1. In the second cycle, u_i * m_j and the carry of element j - 1 are added. In the
    third cycle, the neighbours read the sum: its low word is a_(j-1) of the next step, its upper
    part is the carry. (The document adds the products in reverse order. Then a_0, on which u
    depends, would come too late for a step in 3 cycles.)

    Parameters
    ----------
    k : int; width of a word in bits

    Ports
    -----
    scalar_in : in, k bits; x_i in the cycle before ``first``, u_i in the cycle of ``first``
    scalar_out : out, k bits; ``scalar_in`` of the last cycle
    load : in, 1 bit; words j of y and of the modulus are registered
    y_in, m_in : in, k bits each; words j of y and of the modulus
    y : out, k bits; the registered word of y
    first, second : in, 1 bit each; first and second cycle of this element
    fresh : in, 1 bit; with ``first``: a_j is 0
    a, carry_in : in, k + 1 bits each; a_j, and the carry of the preceding element
    low : out, k bits; low word of the sum
    carry : out, k + 1 bits; upper part of the sum

    Source: Morales-Romero et al., figures 2 to 4.
    """

    def construct(s, k):
        Word = mk_bits(k)
        Carry = mk_bits(k + 1)
        Sum = mk_bits(2 * k + 1)
        s.scalar_in = InPort(Word)
        s.scalar_out = OutPort(Word)
        s.load = InPort(1)
        s.y_in = InPort(Word)
        s.m_in = InPort(Word)
        s.y = OutPort(Word)
        s.first = InPort(1)
        s.second = InPort(1)
        s.fresh = InPort(1)
        s.a = InPort(Carry)
        s.carry_in = InPort(Carry)
        s.low = OutPort(Word)
        s.carry = OutPort(Carry)

        s.scalar_reg = Wire(Word)
        s.y_reg = Wire(Word)
        s.m_reg = Wire(Word)
        s.sum_reg = Wire(Sum)
        s.scalar_out //= s.scalar_reg
        s.y //= s.y_reg
        s.low //= s.sum_reg[0:k]
        s.carry //= s.sum_reg[k : 2 * k + 1]

        s.factor = Wire(Word)
        s.addend = Wire(Carry)
        s.kept = Wire(Sum)

        @update
        def comb_operands():
            s.factor @= s.y_reg
            s.addend @= s.a
            s.kept @= 0
            if s.second:
                s.factor @= s.m_reg
                s.addend @= s.carry_in
                s.kept @= s.sum_reg
            elif s.fresh:
                s.addend @= 0

        @update_ff
        def seq_words():
            s.scalar_reg <<= s.scalar_in
            if s.load:
                s.y_reg <<= s.y_in
                s.m_reg <<= s.m_in

        @update_ff
        def seq_sum():
            if s.first | s.second:
                s.sum_reg <<= (
                    zext(s.scalar_reg, Sum) * zext(s.factor, Sum) + zext(s.addend, Sum) + s.kept
                )
