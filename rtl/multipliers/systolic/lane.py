"""SystolicLane: a row of processing elements with its control; SerialReduction at its end."""

from pymtl3 import Bits1, Bits2, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.basic_rtl import RegisterFile

from rsaxcel.rtl.lib.word_lane import WordLane, index_nbits
from rsaxcel.rtl.multipliers.systolic.row import SystolicRow


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


IDLE, RUN, DRAIN = range(3)


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
        s.step_index_reg = Wire(Index)  # word of ``a`` of the next step; 0 after the last step
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

        # The words of the sum leave the row, one per cycle.
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
