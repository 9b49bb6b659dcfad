"""SystolicLane: a row of processing elements with its control."""

from pymtl3 import Bits1, Bits2, Component, InPort, Wire, mk_bits, update, update_ff

from rsaxcel.rtl.lib.word_lane import WordLane, index_nbits
from rsaxcel.rtl.multipliers.systolic.row import SystolicRow
from rsaxcel.rtl.multipliers.systolic.serial_reduction import SerialReduction

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
