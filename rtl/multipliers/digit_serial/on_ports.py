"""DigitSerialOnPorts: digit-serial products of numbers that share a memory with two ports."""

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    Interface,
    OutPort,
    Wire,
    concat,
    mk_bits,
    update,
    update_ff,
)

from rsaxcel.fl.multipliers import MIN_SLOTS, words_per_operand
from rsaxcel.rtl.lib.word_lane import index_nbits
from rsaxcel.rtl.multipliers.digit_serial.control import DigitControl
from rsaxcel.rtl.multipliers.digit_serial.lane import DigitLane


class DigitQueue(Component):
    """A shift register of words: all of them move when a word enters, or leaves.

    Parameters
    ----------
    word_nbits, words : int; width of a word in bits, words of an operand

    Ports
    -----
    enters, leaves : in, 1 bit each; ``word`` enters; ``digit`` leaves; not in the same cycle
    word : in, word_nbits bits
    digit : out, word_nbits bits; after ``words`` words have entered, the first of those that have
        not left

    No register has a reset, so that an FPGA can have the words in its shift registers.
    """

    def construct(s, word_nbits, words):
        Word = mk_bits(word_nbits)
        last = words - 1
        s.enters = InPort(1)
        s.leaves = InPort(1)
        s.word = InPort(Word)
        s.digit = OutPort(Word)
        s.moves = Wire(Bits1)
        s.words_reg = [Wire(Word) for _ in range(words)]
        s.digit //= s.words_reg[last]

        @update
        def comb_moves():
            s.moves @= s.enters | s.leaves

        @update_ff
        def seq_words():
            if s.moves:
                s.words_reg[0] <<= s.word
                for i in range(last):
                    s.words_reg[i + 1] <<= s.words_reg[i]


class PortLane(Interface):
    """Ports of a digit-serial multiplier for one lane, whose operands come through a memory's port.

    Parameters
    ----------
    word_nbits, slot_nbits : int; width of a word, and of a token, in bits

    Ports
    -----
    See ``DigitSerialOnPorts`` for directions and widths.
    """

    def construct(s, word_nbits: int, slot_nbits: int):
        Word, Slot = mk_bits(word_nbits), mk_bits(slot_nbits)
        s.offered = InPort(1)
        s.slot = InPort(Slot)
        s.accepts = OutPort(1)
        s.answers = OutPort(1)
        s.token = OutPort(Slot)
        s.a_word = InPort(Word)
        s.reads_b = OutPort(1)
        s.reads_sum = OutPort(1)
        s.word = InPort(Word)
        s.kept = OutPort(Word)
        s.stores = OutPort(1)


class DigitSerialOnPorts(Component):
    """Computes the products of ``DigitSerial`` on two lanes, each with one port of a memory.

    In an iteration, a lane adds one of three numbers: 2B, N or 2B + N. So it needs one word of the
    memory in a cycle. The result stays in the lane's register U until a later product, which has
    passes in which a port is free::

        pass         length   lane 0                        lane 1
        ----------   ------   ---------------------------   ----------------------------------
        doubling     M        adds 2N to 0, for U = N;      its last result is read: a digit
                              its last result is read       of operand ``a``
                              and stored
        joining      M        adds 2B to N, for 2B + N,     its last result is read as B
                              which is stored
        draining     2
        iterations   M each   in the first one, B is lane 1's last result, which is stored;
                              in the others, each lane reads a word of B, N or 2B + N

    Digits of operand ``a`` are read in the first pass, into a queue of each lane.

    Parameters
    ----------
    nbits : int; width of the modulus in bits; R = 2**(nbits + 2)
    slot_nbits : int; width in bits of a token: the number by which the memory names a product
    digit_nbits : int; width S of a word and of the adders in bits

    Ports
    -----
    lanes : two ``PortLane``:

        offered, slot, accepts, answers : as in ``WordLane`` (``rtl.stores.words``)
        token : out, slot_nbits bits; token of the current product; 0: there is none
        a_word : in, digit_nbits bits; word ``index`` of operand ``a``, while ``doubles``
        reads_b, reads_sum : out, 1 bit each; the word to add is one of B; of 2B + N; neither: of N
        word : in, digit_nbits bits; word ``index`` of this number
        kept : out, digit_nbits bits; word ``index`` of the lane's last result, until it is lost:
            while ``doubles`` (lane 0); until the end of the first iteration (lane 1); and after
            the last product, until another one begins
        stores : out, 1 bit; word ``index`` of the last result has to be stored in this cycle
    index : out, index_nbits(words) bits; index of the words that are read
    reads_index : in, index_nbits(words) bits; index of the word to read while no product is formed,
        else 0
    doubles, early : out, 1 bit each; the first pass; joining or the first iteration
    pending : out, 2 bits; per lane: while ``doubles`` or ``early``, its last result is not stored
    sum_write : out, 1 bit; a word of 2B + N has to be stored
    sum_index, sum_word : out, index_nbits(words) and digit_nbits bits

    Latency: that of ``DigitSerial``. Its results come two cycles earlier, and its pipeline empties
    while the next product begins.

    Source: Cilardo et al., section 17.2: a memory RAM0 for P, Z, 2B + N and N, and registers A. The
    schedule of the ports is ours: the document prints none.
    """

    def construct(s, nbits, slot_nbits, digit_nbits):
        words = words_per_operand(nbits, digit_nbits)
        slots = max(words, MIN_SLOTS)
        lanes = 2
        Word = mk_bits(digit_nbits)
        Index = mk_bits(index_nbits(words))
        Token = mk_bits(slot_nbits)
        last_bit = digit_nbits - 1
        s.lanes = [PortLane(digit_nbits, slot_nbits) for _ in range(lanes)]
        s.index = OutPort(Index)
        s.reads_index = InPort(Index)
        s.doubles = OutPort(1)
        s.early = OutPort(1)
        s.pending = OutPort(lanes)
        s.sum_write = OutPort(1)
        s.sum_index = OutPort(Index)
        s.sum_word = OutPort(Word)

        s.control = DigitControl(digit_nbits, words, slots, nbits + 3, drains_early=True)
        s.doubles //= s.control.doubles
        s.active_reg = [Wire(Bits1) for _ in range(lanes)]
        s.pending_reg = [Wire(Bits1) for _ in range(lanes)]
        s.token_reg = [Wire(Token) for _ in range(lanes)]
        s.waits = [Wire(Bits1) for _ in range(lanes)]
        for i, lane in enumerate(s.lanes):
            lane.accepts //= s.control.ready
            s.pending[i] //= s.waits[i]

        @update
        def comb_offered():
            s.control.offered @= s.lanes[0].offered | s.lanes[1].offered

        @update
        def comb_lanes():
            s.index @= s.control.index | s.reads_index
            s.early @= s.control.joins | (s.control.iterates & s.control.fresh)
            for i in range(lanes):
                s.lanes[i].token @= s.token_reg[i]
                s.waits[i] @= s.pending_reg[i]
                if s.control.ready:
                    s.waits[i] @= s.active_reg[i]
                    s.lanes[i].token @= 0
                    if s.lanes[i].offered:
                        s.lanes[i].token @= s.lanes[i].slot
                s.lanes[i].answers @= s.control.ends & s.active_reg[i]
            s.lanes[0].stores @= s.control.doubles & s.control.valid & s.waits[0]
            s.lanes[1].stores @= s.control.iterates & s.control.fresh & s.control.valid & s.waits[1]

        @update_ff
        def seq_lanes():
            for i in range(lanes):
                if s.control.ready:
                    s.pending_reg[i] <<= s.active_reg[i]
                    s.active_reg[i] <<= s.lanes[i].offered
                    s.token_reg[i] <<= s.lanes[i].token

        #: A fetched word is added in the next cycle and written in the cycle after that. A word of
        #: the last iteration may be written while the next product begins.
        s.add_index_reg = Wire(Index)
        s.add_first_reg = Wire(Bits1)
        s.add_top_reg = Wire(Bits1)
        s.add_join_reg = Wire(Bits1)
        s.write_index_reg = Wire(Index)
        s.write_top_reg = Wire(Bits1)
        s.write_join_reg = Wire(Bits1)

        @update_ff
        def seq_pipeline():
            s.add_index_reg <<= s.control.index
            s.add_first_reg <<= s.control.first
            s.add_top_reg <<= s.control.top
            s.add_join_reg <<= s.control.joins & s.control.valid & ~s.reset
            s.write_index_reg <<= s.add_index_reg
            s.write_top_reg <<= s.add_top_reg
            s.write_join_reg <<= s.add_join_reg & ~s.reset

        s.adders = [DigitLane(digit_nbits, words, on_port=True) for _ in range(lanes)]
        s.queues = [DigitQueue(digit_nbits, words) for _ in range(lanes)]
        s.sums_top_reg = Wire(Bits1)  #: the bit of 2B + N above its topmost word
        s.sum_write //= s.write_join_reg
        s.sum_index //= s.write_index_reg
        s.sum_word //= s.adders[0].total
        s.clear = [Wire(Bits1) for _ in range(lanes)]
        s.add_clear_reg = [Wire(Bits1) for _ in range(lanes)]
        s.add_valid_reg = [Wire(Bits1) for _ in range(lanes)]
        s.write_valid_reg = [Wire(Bits1) for _ in range(lanes)]
        for i, (lane, adder, queue) in enumerate(zip(s.lanes, s.adders, s.queues, strict=True)):
            queue.word //= lane.a_word
            queue.leaves //= s.control.catches
            adder.index //= s.index
            adder.load_digit //= s.control.catches
            adder.digit //= queue.digit
            adder.next_bit //= s.control.next_bit
            adder.decide //= s.control.first
            adder.sum_top //= s.sums_top_reg
            adder.clear //= s.clear[i]
            adder.add_first //= s.add_first_reg
            adder.add_top //= s.add_top_reg
            adder.add_clear //= s.add_clear_reg[i]
            adder.write //= s.write_valid_reg[i]
            adder.write_index //= s.write_index_reg
            adder.write_top //= s.write_top_reg
            lane.kept //= adder.kept

        #: The addend of each lane (N, 2B or 2B + N); 2B and 2N are doubled on their way to the
        #: adder.
        s.adds = [Wire(Bits1) for _ in range(lanes)]
        s.doubled = [Wire(Bits1) for _ in range(lanes)]
        s.passing_top_reg = [Wire(Bits1) for _ in range(lanes)]

        @update
        def comb_reads():
            for i in range(lanes):
                s.adds[i] @= s.adders[i].adds_b | s.adders[i].adds_n
                s.doubled[i] @= s.adders[i].adds_b & ~s.adders[i].adds_n
                s.lanes[i].reads_sum @= s.adders[i].adds_b & s.adders[i].adds_n
                s.lanes[i].reads_b @= s.doubled[i]
            if s.control.doubles | s.control.joins:
                s.adds[0] @= 1
                s.doubled[0] @= 1
                s.lanes[0].reads_b @= s.control.joins

        @update
        def comb_words():
            for i in range(lanes):
                s.adders[i].word @= 0
                if s.adds[i]:
                    s.adders[i].word @= s.lanes[i].word
                    if s.doubled[i]:
                        s.adders[i].word @= concat(
                            s.lanes[i].word[0:last_bit], s.passing_top_reg[i] & ~s.control.first
                        )

        @update
        def comb_adders():
            for i in range(lanes):
                s.queues[i].enters @= s.control.doubles & s.control.valid
                s.adders[i].active @= s.active_reg[i] & s.control.iterates
                s.clear[i] @= ~s.active_reg[i] | ~s.control.iterates | s.control.fresh
            # The first lane forms 2B + N, even if only the other lane has a product.
            if s.control.joins:
                s.clear[0] @= 0

        @update_ff
        def seq_adders():
            for i in range(lanes):
                s.passing_top_reg[i] <<= s.lanes[i].word[last_bit]
                s.add_clear_reg[i] <<= s.clear[i]
                s.add_valid_reg[i] <<= s.adders[i].active & s.control.valid
                s.write_valid_reg[i] <<= s.add_valid_reg[i]
            if s.control.doubles:
                s.add_valid_reg[0] <<= s.control.valid
            if s.write_join_reg & s.write_top_reg:
                s.sums_top_reg <<= s.adders[0].total_top

    def line_trace(s):
        return s.control.line_trace()
