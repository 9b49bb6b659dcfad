"""Systolic: a multiplier with a row of processing elements for each lane."""

from pymtl3 import (
    Bits1,
    Bits2,
    Component,
    InPort,
    OutPort,
    Wire,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.basic_rtl import RegisterFile

from rsaxcel.fl.multipliers import Systolic as Golden
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.lanes import WordLane, index_nbits

IDLE, RUN, DRAIN = range(3)  #: states of a lane


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
        one (FPE). All differ only in their neighbours: the first has no carry in, the last reads
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

        # Word 0 of y is multiplied in the cycle in which it comes, and is wired apart: the wires to
        # all other elements are long.
        s.later_y = Wire(Word)

        @update
        def comb_later_y():
            s.later_y @= s.y
            if s.fresh:
                s.later_y @= 0

        #: A step reaches element j after j cycles. Its two phases (``first``: x_i * y, ``second``:
        #: u_i * m) are one and two cycles later.
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

        #: The sum is divided by 2**k: its word j is the low word of element j + 1.
        s.words = [Wire(mk_bits(k + 1)) for _ in range(words)]
        for j in range(last):
            s.words[j][0:k] //= s.elements[j + 1].low
            s.words[j][k] //= 0
        s.words[last] //= s.top_word

        @update
        def comb_word():
            s.word @= s.words[s.index]


class SerialReduction(Component):
    """Outputs x, or x - m if x is not below m, after all words of x have been read.

    Parameters
    ----------
    k, words : int; width of a word in bits, words of x

    Ports
    -----
    take : in, 1 bit; a word of x and of m is read, in order from word 0
    index : in, index_nbits(words) bits; index of this word
    word : in, k + 1 bits; the word of x; the highest bit is 0 in all words but the last
    m : in, k bits; the word of m
    give : out, 1 bit; a word of the result is output, in order, from the cycle after the last
        ``take``
    give_index : out, index_nbits(words) bits; index of the word of the result
    give_word : out, k bits; the word of the result

    Source: Morales-Romero et al., algorithm 1, lines 6 to 8.
    """

    def construct(s, k, words):
        Word = mk_bits(k)
        Index = mk_bits(index_nbits(words))
        Signed = mk_bits(k + 2)
        last = words - 1
        sign = k + 1
        s.take = InPort(1)
        s.index = InPort(Index)
        s.word = InPort(k + 1)
        s.m = InPort(Word)
        s.give = OutPort(1)
        s.give_index = OutPort(Index)
        s.give_word = OutPort(Word)

        s.giving_reg = Wire(Bits1)
        s.index_reg = Wire(Index)
        s.borrow_reg = Wire(Bits1)
        s.below_reg = Wire(Bits1)
        s.give //= s.giving_reg
        s.give_index //= s.index_reg
        s.difference = Wire(Signed)

        @update
        def comb_difference():
            s.difference @= zext(s.word, Signed) - zext(s.m, Signed) - zext(s.borrow_reg, Signed)

        s.sums = RegisterFile(Word, words)
        s.differences = RegisterFile(Word, words)
        s.sums.wdata[0] //= s.word[0:k]
        s.differences.wdata[0] //= s.difference[0:k]
        for memory in (s.sums, s.differences):
            memory.wen[0] //= s.take
            memory.waddr[0] //= s.index
            memory.raddr[0] //= s.index_reg

        @update
        def comb_word():
            s.give_word @= s.differences.rdata[0]
            if s.below_reg:
                s.give_word @= s.sums.rdata[0]

        @update_ff
        def seq_reduction():
            if s.reset:
                s.giving_reg <<= 0
                s.borrow_reg <<= 0
                s.index_reg <<= 0
            else:
                if s.take:
                    s.borrow_reg <<= s.difference[sign]
                    if s.index == last:
                        s.borrow_reg <<= 0
                        s.below_reg <<= s.difference[sign]
                        s.giving_reg <<= 1
                if s.giving_reg:
                    s.index_reg <<= s.index_reg + 1
                    if s.index_reg == last:
                        s.index_reg <<= 0
                        s.giving_reg <<= 0


class SystolicLane(Component):
    """Forms Montgomery products of operands that are words of a memory.

    Parameters
    ----------
    k, words : int; width of a word in bits, words of an operand
    slot_nbits : int; width in bits of a token: the number by which the store names a product
        (``rtl.stores.words``), and which the multiplier does not decode
    subtracts : bool; results are brought below the modulus

    Ports
    -----
    lane : ``WordLane``
    m_prime : in, k bits; -m**-1 mod 2**k, stable while products run

    A product is accepted in cycle 0; word i of ``a`` is read in cycle 3 * i, word j of ``b`` and of
    the modulus in cycle j. The index of a word is output before the cycle in which the word is
    read, so that no word is selected and multiplied in one cycle. Word j of the sum leaves the row
    in cycle 3 * words + 1 + j and is written in this cycle, or, with the final subtraction,
    ``words`` cycles later.
    """

    def construct(s, k, words, slot_nbits, subtracts):
        Index = mk_bits(index_nbits(words))
        Slot = mk_bits(slot_nbits)
        last = words - 1
        s.lane = WordLane(k, words, slot_nbits)
        s.m_prime = InPort(k)

        s.state_reg = Wire(Bits2)
        s.phase_reg = Wire(Bits2)
        s.step_index_reg = Wire(Index)  #: word of ``a`` of the next step; 0 after the last step
        s.load_index_reg = Wire(Index)
        s.next_load_index = Wire(Index)
        s.slot_reg = Wire(Slot)
        s.row = SystolicRow(k, words)
        s.row.m_prime //= s.m_prime
        s.row.x //= s.lane.a_word
        s.row.y //= s.lane.b_word
        s.row.m //= s.lane.m_word
        s.lane.a_index //= s.step_index_reg
        s.lane.b_index //= s.next_load_index
        s.accepted = Wire(Bits1)

        @update
        def comb_accept():
            s.lane.accepts @= s.state_reg == IDLE
            s.accepted @= (s.state_reg == IDLE) & s.lane.offered
            s.lane.read_slot @= s.slot_reg
            if s.state_reg == IDLE:
                s.lane.read_slot @= s.lane.slot

        @update
        def comb_step():
            s.row.fresh @= s.accepted
            s.row.step @= s.accepted | ((s.state_reg == RUN) & (s.phase_reg == 0))

        @update_ff
        def seq_steps():
            if s.reset:
                s.state_reg <<= IDLE
                s.step_index_reg <<= 0
            elif s.accepted:
                s.state_reg <<= RUN
                s.phase_reg <<= 1
                s.step_index_reg <<= 1
                s.slot_reg <<= s.lane.slot
            elif s.phase_reg != 2:
                s.phase_reg <<= s.phase_reg + 1
                if s.row.step:
                    s.step_index_reg <<= s.step_index_reg + 1
                    if s.step_index_reg == last:
                        s.step_index_reg <<= 0
            elif s.state_reg == RUN:
                s.phase_reg <<= 0
                if s.step_index_reg == 0:
                    s.state_reg <<= DRAIN
            if s.lane.answers:
                s.state_reg <<= IDLE

        # No reset: after a reset, the index counts up and returns to 0 by itself, while the store
        # loads the words of the first request.
        @update
        def comb_load_index():
            s.next_load_index @= 0
            if (s.accepted | (s.load_index_reg != 0)) & (s.load_index_reg != last):
                s.next_load_index @= s.load_index_reg + 1

        @update_ff
        def seq_load_index():
            s.load_index_reg <<= s.next_load_index

        #: The words of the sum leave the row, one per cycle.
        s.leaving_reg = Wire(Bits1)
        s.leave_index_reg = Wire(Index)
        s.starts_leaving = Wire(Bits1)
        s.leaves = Wire(Bits1)
        s.next_leave_index = Wire(Index)
        s.row.index //= s.leave_index_reg

        @update
        def comb_leave():
            s.starts_leaving @= (s.state_reg == DRAIN) & (s.phase_reg == 1)
            s.leaves @= s.starts_leaving | s.leaving_reg
            s.next_leave_index @= 0
            if s.leaves & (s.leave_index_reg != last):
                s.next_leave_index @= s.leave_index_reg + 1

        @update_ff
        def seq_leave():
            s.leave_index_reg <<= s.next_leave_index
            s.leaving_reg <<= s.leaves & (s.leave_index_reg != last)
            if s.reset:
                s.leave_index_reg <<= 0
                s.leaving_reg <<= 0

        if subtracts:
            s.reduction = SerialReduction(k, words)
            s.reduction.take //= s.leaves
            s.reduction.index //= s.leave_index_reg
            s.reduction.word //= s.row.word
            s.reduction.m //= s.lane.m_word
            s.reduction.give //= s.lane.write
            s.reduction.give_index //= s.lane.write_index
            s.reduction.give_word //= s.lane.write_word

            @update
            def comb_reduced():
                s.lane.answers @= s.reduction.give & (s.reduction.give_index == 0)
                s.lane.m_index @= s.next_load_index
                if s.leaves:
                    s.lane.m_index @= s.next_leave_index

        else:
            s.lane.answers //= s.starts_leaving
            s.lane.write //= s.leaves
            s.lane.write_index //= s.leave_index_reg
            s.lane.write_word //= s.row.word[0:k]
            s.lane.m_index //= s.next_load_index

        s.write_slot_reg = Wire(Slot)

        @update
        def comb_write_slot():
            s.lane.write_slot @= s.write_slot_reg
            if s.lane.answers:
                s.lane.write_slot @= s.slot_reg

        @update_ff
        def seq_write_slot():
            s.write_slot_reg <<= s.lane.write_slot

    def line_trace(s):
        return f"{int(s.state_reg)}.{int(s.phase_reg)}"


class Systolic(Component):
    """Computes ``a * b / R mod m``, R = 2**(k * words); operands and results are below 2m.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    lanes : int; number of lanes; each forms one product at a time
    slot_nbits : int; width in bits of a token: the number by which the store names a product
        (``rtl.stores.words``), and which the multiplier does not decode
    radix_nbits : int; k: width of a word in bits
    final_subtraction : str; ``"on"``: m is subtracted from a result that is not below m, so that
        operands and results are below m instead of 2m

    Ports
    -----
    lanes : one ``WordLane`` per lane
    m_prime : in, radix_nbits bits; -m**-1 mod 2**k, stable while products run

    Latency: ``3 * words + 1`` cycles from a product to its ``answers``, and ``words`` more with the
    final subtraction; the words of the result follow, one per cycle. One product per lane at a
    time; the next is accepted in the cycle after ``answers``.

    Source: Morales-Romero et al., algorithms 1 to 4, figures 1 to 5.
    """

    def construct(s, nbits, lanes, slot_nbits, radix_nbits, final_subtraction):
        golden = Golden(nbits, radix_nbits, final_subtraction)
        s.lanes = [WordLane(radix_nbits, golden.words, slot_nbits) for _ in range(lanes)]
        s.m_prime = InPort(radix_nbits)
        s.rows = [
            SystolicLane(radix_nbits, golden.words, slot_nbits, golden.subtracts)
            for _ in range(lanes)
        ]
        for lane, row in zip(s.lanes, s.rows, strict=True):
            connect(lane, row.lane)
            connect(s.m_prime, row.m_prime)
