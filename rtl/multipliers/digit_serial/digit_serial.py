"""DigitSerial: forms Montgomery products digit by digit, on one or two lanes in lock step."""

from pymtl3 import Bits1, Component, Wire, concat, mk_bits, update, update_ff
from pymtl3.stdlib.basic_rtl import RegisterFile

from rsaxcel.fl.multipliers import MIN_SLOTS, words_per_operand
from rsaxcel.rtl.lib.word_lane import WordLane, index_nbits
from rsaxcel.rtl.multipliers.digit_serial.control import DigitControl
from rsaxcel.rtl.multipliers.digit_serial.lane import DigitLane
from rsaxcel.rtl.multipliers.digit_serial.on_ports import DigitSerialOnPorts


class DigitSerial(Component):
    """Computes ``a * b / 2**(nbits + 2)`` modulo m, bit by bit of ``a`` and word by word.

    It scans operand ``a`` one bit at a time, and adds word by word. N is the modulus m; A and B are
    the operands ``a`` and ``b``; A_i is bit i of A. A product has four phases:

    1. 2N goes through the adder unchanged. The adder's result is halved before it is written, as in
       every iteration, so the running sum U starts as N.
    2. 2B is added, which gives 2B + N, the addend of iterations that add both.
    3. nbits + 3 iterations compute ``U = (U + A_i * 2B + U_0 * N) / 2``.
    4. Two cycles empty the pipeline.

    In the last iteration, the words of the result overwrite a residue one by one. Operands are read
    from the store in every pass. Only the current digit of ``a`` is held in a register. In the last
    iteration with this digit, the register takes the next digit from the words that are fetched.

    Parameters
    ----------
    nbits : int; width of the modulus in bits; R = 2**(nbits + 2)
    lanes : int; number of adders, 1 or 2. Two adders work on products that are offered in the same
        cycle and have the same operand ``b``; they run in lock step and share 2B + N (P-processor
        and Z-processor)
    slot_nbits : int; width in bits of a token: the number by which the store names a product
        (``rtl.stores.words``), and which the multiplier does not decode
    digit_nbits : int; width S of a word and of the adder in bits

    Ports
    -----
    lanes : one ``WordLane`` per lane; ``a`` and ``b`` below 2m, m odd, results below 2m

    Latency: ``(2 * slots + 2) + (nbits + 3) * slots`` cycles from the first cycle of a product to
    the first cycle of the next, where ``slots`` is the number of words,
    ``ceil((nbits + 2) / digit_nbits)``, but at least 3: with fewer words the pipeline waits for its
    own result.

    Source: Cilardo et al., section 17.2, with step 3 of algorithm 17.1.1.
    """

    on_ports = DigitSerialOnPorts  #: circuit for numbers that share a memory with two ports

    def construct(s, nbits, lanes, slot_nbits, digit_nbits):
        words = words_per_operand(nbits, digit_nbits)
        slots = max(words, MIN_SLOTS)
        Word = mk_bits(digit_nbits)
        Index = mk_bits(index_nbits(words))
        Token = mk_bits(slot_nbits)
        last_bit = digit_nbits - 1

        s.lanes = [WordLane(digit_nbits, words, slot_nbits) for _ in range(lanes)]
        s.active_reg = [Wire(Bits1) for _ in range(lanes)]
        s.token_reg = [Wire(Token) for _ in range(lanes)]
        s.token = [Wire(Token) for _ in range(lanes)]
        s.control = DigitControl(digit_nbits, words, slots, nbits + 3)
        for i in range(lanes):
            s.lanes[i].accepts //= s.control.ready
            s.lanes[i].read_slot //= s.token[i]
            s.lanes[i].write_slot //= s.token_reg[i]
            for index in (s.lanes[i].a_index, s.lanes[i].b_index, s.lanes[i].m_index):
                index //= s.control.index

        @update
        def comb_offered():
            s.control.offered @= 0
            for i in range(lanes):
                if s.lanes[i].offered:
                    s.control.offered @= 1

        @update
        def comb_lanes():
            for i in range(lanes):
                s.token[i] @= s.token_reg[i]
                if s.control.ready:
                    s.token[i] @= 0
                    if s.lanes[i].offered:
                        s.token[i] @= s.lanes[i].slot
                s.lanes[i].answers @= s.control.ends & s.active_reg[i]

        @update_ff
        def seq_lanes():
            for i in range(lanes):
                if s.control.ready:
                    s.active_reg[i] <<= s.lanes[i].offered
                    s.token_reg[i] <<= s.token[i]

        # Combining by OR is enough for the words of ``b`` and m: both products have the same ``b``
        # and m, and a lane without a product reads zeros.
        s.modulus_word = Wire(Word)
        s.b_word = Wire(Word)
        s.passing = Wire(Word)
        s.passing_top_reg = Wire(Bits1)
        s.doubled = Wire(Word)

        @update
        def comb_operands():
            s.modulus_word @= 0
            s.b_word @= 0
            for i in range(lanes):
                s.modulus_word @= s.modulus_word | s.lanes[i].m_word
                s.b_word @= s.b_word | s.lanes[i].b_word

        @update
        def comb_doubled():
            s.passing @= s.b_word
            if s.control.doubles:
                s.passing @= s.modulus_word
            s.doubled @= s.passing << 1
            if ~s.control.first:
                s.doubled @= concat(s.passing[0:last_bit], s.passing_top_reg)

        #: A fetched word is added in the next cycle and written in the cycle after that.
        s.add_index_reg = Wire(Index)
        s.add_first_reg = Wire(Bits1)
        s.add_top_reg = Wire(Bits1)
        s.add_valid_reg = Wire(Bits1)
        s.add_join_reg = Wire(Bits1)
        s.add_result_reg = Wire(Bits1)
        s.write_index_reg = Wire(Index)
        s.write_top_reg = Wire(Bits1)
        s.write_valid_reg = Wire(Bits1)
        s.write_join_reg = Wire(Bits1)
        s.write_result_reg = Wire(Bits1)

        # Only the registers that enable writes to the store's memory have a reset. The others need
        # none: a product begins after the pipeline has emptied, and writes all words of the
        # memories in this component before it reads them.
        @update_ff
        def seq_pipeline():
            s.passing_top_reg <<= s.passing[last_bit]
            s.add_index_reg <<= s.control.index
            s.add_first_reg <<= s.control.first
            s.add_top_reg <<= s.control.top
            s.add_valid_reg <<= s.control.valid
            s.add_join_reg <<= s.control.joins & s.control.valid
            s.add_result_reg <<= s.control.last & s.control.valid & ~s.reset
            s.write_index_reg <<= s.add_index_reg
            s.write_top_reg <<= s.add_top_reg
            s.write_valid_reg <<= s.add_valid_reg
            s.write_join_reg <<= s.add_join_reg
            s.write_result_reg <<= s.add_result_reg & ~s.reset

        #: Memory of 2B + N; ``sums_top_reg`` holds the bit above the topmost word.
        s.sums = RegisterFile(Word, words)
        s.sums_top_reg = Wire(Bits1)
        s.sums.raddr[0] //= s.control.index
        s.sums.wen[0] //= s.write_join_reg
        s.sums.waddr[0] //= s.write_index_reg

        s.adders = [DigitLane(digit_nbits, words) for _ in range(lanes)]
        s.sums.wdata[0] //= s.adders[0].total
        s.clear = [Wire(Bits1) for _ in range(lanes)]
        s.add_clear_reg = [Wire(Bits1) for _ in range(lanes)]
        for i, (lane, adder) in enumerate(zip(s.lanes, s.adders, strict=True)):
            adder.index //= s.control.index
            adder.load_digit //= s.control.catches
            adder.digit //= lane.a_word
            adder.next_bit //= s.control.next_bit
            adder.decide //= s.control.first
            adder.doubled //= s.doubled
            adder.modulus //= s.modulus_word
            adder.sum_word //= s.sums.rdata[0]
            adder.sum_top //= s.sums_top_reg
            adder.clear //= s.clear[i]
            adder.add_first //= s.add_first_reg
            adder.add_top //= s.add_top_reg
            adder.add_clear //= s.add_clear_reg[i]
            adder.write_index //= s.write_index_reg
            adder.write_top //= s.write_top_reg
            lane.write_index //= s.write_index_reg
            lane.write_word //= adder.half

        @update
        def comb_adders():
            for i in range(lanes):
                s.adders[i].active @= s.active_reg[i] & s.control.iterates
                s.clear[i] @= ~s.active_reg[i] | ~s.control.iterates | s.control.fresh
                s.adders[i].passes @= 0
                s.adders[i].write @= s.write_valid_reg & s.active_reg[i]
                s.lanes[i].write @= s.write_result_reg & s.active_reg[i]
            # The first lane forms 2B + N, even if only the other lane has a product.
            s.adders[0].passes @= s.control.doubles | s.control.joins
            s.adders[0].write @= s.write_valid_reg
            if s.control.joins:
                s.clear[0] @= 0

        @update_ff
        def seq_adders():
            for i in range(lanes):
                s.add_clear_reg[i] <<= s.clear[i]
            if s.write_join_reg & s.write_top_reg:
                s.sums_top_reg <<= s.adders[0].total_top

    def line_trace(s):
        return s.control.line_trace()
