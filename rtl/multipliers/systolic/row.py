"""SystolicRow: a row of processing elements, with ProcessingElement and QuotientDigit."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.word_lane import index_nbits


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
        for name in ("first", "second", "fresh"):
            setattr(s, name, InPort(1))
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


class SystolicRow(Component):
    """Computes ``A = (A + x_i * y + u_i * m) / b`` for each word x_i of x, with b = 2**k.

    ``x`` and ``y`` are the operands of a Montgomery product, m is the modulus, and A the sum. u_i
    is the quotient digit, which makes the sum divisible by b. Element j works j cycles after
    element 0.

    Parameters
    ----------
    k : int; width of a word in bits
    words : int; number of elements, 2 or more: an initial one (IPE), general ones (GPE) and a final
        one (FPE). They differ in their neighbours only: the first has no carry in, the last reads
        its own carry

    Ports
    -----
    step : in, 1 bit; word i of x is valid; every third cycle at most
    fresh : in, 1 bit; with ``step``: it is word 0 of a new product
    x : in, k bits; word i of x
    y, m : in, k bits each; words 0, 1, ... of y and of the modulus, one per cycle from ``fresh`` on
    m_prime : in, k bits; -m**-1 mod 2**k, stable while products run
    index : in, index_nbits(words) bits; index of a word of the sum
    word : out, k + 1 bits; word ``index`` of the sum; word j of the final sum is valid from the
        (4 + j)-th cycle after the last step, until the first step of a new product reaches the
        element that holds it
    """

    def construct(s, k, words):
        Word = mk_bits(k)
        s.step = InPort(1)
        s.fresh = InPort(1)
        s.x = InPort(Word)
        s.y = InPort(Word)
        s.m = InPort(Word)
        s.m_prime = InPort(Word)
        s.index = InPort(index_nbits(words))
        s.word = OutPort(k + 1)

        s.elements = [ProcessingElement(k) for _ in range(words)]
        last = words - 1

        # Word 0 of y is multiplied in the cycle in which it comes. So it takes a way of its own:
        # the wires to all other elements are long.
        s.later_y = Wire(Word)

        @update
        def comb_later_y():
            s.later_y @= s.y
            if s.fresh:
                s.later_y @= 0

        # A step reaches element j after j cycles. Its two phases (``first``: x_i * y, ``second``:
        # u_i * m) are one and two cycles later.
        s.step_reg = [Wire(Bits1) for _ in range(words + 1)]
        s.fresh_reg = [Wire(Bits1) for _ in range(words)]
        for j, element in enumerate(s.elements):
            element.first //= s.step_reg[j]
            element.second //= s.step_reg[j + 1]
            element.fresh //= s.fresh_reg[j]
            element.load //= s.fresh_reg[j - 1] if j else s.fresh
            element.y_in //= s.later_y if j else s.y
            element.m_in //= s.m

        # No reset: steps that began before a reset move through the row ahead of all later steps,
        # and leave it first.
        @update_ff
        def seq_phases():
            for j in range(words + 1):
                if j == 0:
                    s.step_reg[j] <<= s.step
                else:
                    s.step_reg[j] <<= s.step_reg[j - 1]

        @update_ff
        def seq_fresh():
            for j in range(words):
                if j == 0:
                    s.fresh_reg[j] <<= s.fresh
                else:
                    s.fresh_reg[j] <<= s.fresh_reg[j - 1]

        for element, following in zip(s.elements, s.elements[1:], strict=False):
            following.scalar_in //= element.scalar_out
            following.carry_in //= element.carry
            element.a[0:k] //= following.low
            element.a[k] //= 0
        s.elements[0].carry_in //= 0
        s.top_word = Wire(mk_bits(k + 1))
        s.top_word //= s.elements[last].carry
        s.elements[last].a //= s.top_word

        s.quotient = QuotientDigit(k)
        s.quotient.multiply //= s.step
        connect_named(s.quotient, s, "x", "m_prime")

        @update
        def comb_quotient():
            s.quotient.y @= s.elements[0].y
            if s.fresh:
                s.quotient.y @= s.y
            s.quotient.a @= s.elements[1].low
            if s.fresh_reg[0]:
                s.quotient.a @= 0

        @update
        def comb_scalar():
            s.elements[0].scalar_in @= s.quotient.digit
            if s.step:
                s.elements[0].scalar_in @= s.x

        # The sum is divided by 2**k: its word j is the low word of element j + 1.
        s.words = [Wire(mk_bits(k + 1)) for _ in range(words)]
        for j in range(last):
            s.words[j][0:k] //= s.elements[j + 1].low
            s.words[j][k] //= 0
        s.words[last] //= s.top_word

        @update
        def comb_word():
            s.word @= s.words[s.index]
