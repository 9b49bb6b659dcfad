"""DigitSerial: forms Montgomery products digit by digit, on one or two lanes in lock step."""

from pymtl3 import (
    Bits1,
    Bits2,
    Component,
    InPort,
    Interface,
    OutPort,
    Wire,
    clog2,
    concat,
    mk_bits,
    trunc,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.basic_rtl import RegisterFile

from rsaxcel.fl.multipliers import MIN_SLOTS, digit_serial_words
from rsaxcel.rtl.lib.lanes import WordLane, index_nbits

#: Phases of `DigitControl`; the last two change places where the pipeline empties early.
DOUBLE, JOIN, ITERATE, DRAIN = range(4)
EARLY_DRAIN, LATE_ITERATE = range(2, 4)


class DigitControl(Component):
    """Counts the words of a pass, and the bits and digits of operand a, so that no cycle is idle.

    A pass fetches all words of a number, one per cycle. A product is a pass that doubles the
    modulus, a pass that adds 2B, one pass per iteration, and two cycles in which the pipeline
    empties: after the iterations, or before them (``drains_early``).

    Parameters
    ----------
    digit_nbits, words : int; width of a word in bits, words of an operand
    slots : int; cycles of a pass; cycles beyond ``words`` fetch nothing. (Not the slots of
        products.)
    iterations : int; iterations of a product; the last one uses the bit above the top bit of
        operand ``a``, a 0
    drains_early : bool; the pipeline empties before the iterations. The last words of a result are
        then written while the next product begins, and digits of ``a`` are registered one after the
        other, whatever word is fetched

    Ports
    -----
    offered : in, 1 bit; a product is offered; it begins in this cycle if ``ready`` is 1
    ready : out, 1 bit; no product is running
    index : out, index_nbits(words) bits; index of the fetched word; 0 without ``valid``
    valid : out, 1 bit; a word is fetched
    first : out, 1 bit; this is the first cycle of a pass
    top : out, 1 bit; the most significant word is fetched
    doubles, joins, iterates : out, 1 bit each; the pass doubles the modulus; the pass adds 2B; the
        pass is an iteration
    fresh, last : out, 1 bit each; the pass is the first iteration; it is the last iteration
    catches : out, 1 bit; the next digit of operand ``a`` has to be registered; it is the fetched
        word, unless ``drains_early``
    next_bit : out, 1 bit; from the next cycle on, iterations use the next bit of the digit
    ends : out, 1 bit; the product's last cycle
    """

    def construct(s, digit_nbits, words, slots, iterations, drains_early=False):
        Index = mk_bits(index_nbits(words))
        Count = mk_bits(clog2(slots + 2))
        Bit = mk_bits(clog2(digit_nbits))
        last_slot, top_slot = slots - 1, words - 1
        last_bit = digit_nbits - 1
        final_digit, final_bit = divmod(iterations - 1, digit_nbits)
        after_final_digit = final_digit + 1

        s.offered = InPort(1)
        s.ready = OutPort(1)
        s.index = OutPort(Index)
        s.valid = OutPort(1)
        s.first = OutPort(1)
        s.top = OutPort(1)
        s.doubles = OutPort(1)
        s.joins = OutPort(1)
        s.iterates = OutPort(1)
        s.fresh = OutPort(1)
        s.last = OutPort(1)
        s.catches = OutPort(1)
        s.next_bit = OutPort(1)
        s.ends = OutPort(1)

        s.phase_reg = Wire(Bits2)
        s.slot_reg = Wire(Count)
        s.bit_reg = Wire(Bit)
        s.digit_reg = Wire(Count)  #: index of the next digit
        s.fetches = Wire(Bits1)
        s.ends_pass = Wire(Bits1)
        s.last_use = Wire(Bits1)

        # The same signals, with the last two phases in either order.
        if drains_early:
            s.drains = Wire(Bits1)

            @update
            def comb_early_phase():
                s.first @= s.slot_reg == 0
                s.doubles @= s.phase_reg == DOUBLE
                s.joins @= s.phase_reg == JOIN
                s.drains @= s.phase_reg == EARLY_DRAIN
                s.iterates @= s.phase_reg == LATE_ITERATE
                s.ends @= s.last & s.ends_pass
                s.ready @= (s.phase_reg == DOUBLE) & (s.slot_reg == 0)

            @update
            def comb_early_fetch():
                s.fetches @= ~s.drains & (~s.ready | s.offered)
                s.valid @= s.fetches & (s.slot_reg <= top_slot)
                s.top @= s.fetches & (s.slot_reg == top_slot)
                s.ends_pass @= s.drains & s.slot_reg[0]
                if s.fetches & (s.slot_reg == last_slot):
                    s.ends_pass @= 1
                s.index @= 0
                if s.valid:
                    s.index @= trunc(s.slot_reg, Index)

            @update
            def comb_early_iteration():
                s.fresh @= (s.bit_reg == 0) & (s.digit_reg == 1)
                s.last @= s.iterates & (s.bit_reg == final_bit) & (s.digit_reg == after_final_digit)
                s.last_use @= s.iterates & (s.bit_reg == last_bit)
                s.catches @= s.last_use & s.valid & (s.slot_reg == s.digit_reg)
                if s.drains & (s.slot_reg == 0):
                    s.catches @= 1
                s.next_bit @= s.iterates & s.ends_pass & ~s.last_use

        else:

            @update
            def comb_phase():
                s.first @= s.slot_reg == 0
                s.doubles @= s.phase_reg == DOUBLE
                s.joins @= s.phase_reg == JOIN
                s.iterates @= s.phase_reg == ITERATE
                s.ends @= (s.phase_reg == DRAIN) & s.slot_reg[0]
                s.ready @= (s.phase_reg == DOUBLE) & (s.slot_reg == 0)

            @update
            def comb_fetch():
                s.fetches @= (s.phase_reg != DRAIN) & (~s.ready | s.offered)
                s.valid @= s.fetches & (s.slot_reg <= top_slot)
                s.top @= s.fetches & (s.slot_reg == top_slot)
                s.ends_pass @= s.fetches & (s.slot_reg == last_slot)
                s.index @= 0
                if s.valid:
                    s.index @= trunc(s.slot_reg, Index)

            @update
            def comb_iteration():
                s.fresh @= (s.bit_reg == 0) & (s.digit_reg == 1)
                s.last @= s.iterates & (s.bit_reg == final_bit) & (s.digit_reg == after_final_digit)
                s.last_use @= s.iterates & (s.bit_reg == last_bit)
                s.catches @= s.ready | (s.last_use & s.valid & (s.slot_reg == s.digit_reg))
                s.next_bit @= s.iterates & s.ends_pass & ~s.last_use

        @update_ff
        def seq_slot():
            if s.reset | s.ends:
                s.phase_reg <<= DOUBLE
                s.slot_reg <<= 0
            elif s.ends_pass:
                s.slot_reg <<= 0
                if ~s.iterates | s.last:
                    s.phase_reg <<= s.phase_reg + 1
            elif ~s.ready | s.offered:
                s.slot_reg <<= s.slot_reg + 1

        @update_ff
        def seq_digit():
            if s.ready:
                s.bit_reg <<= 0
                s.digit_reg <<= 1
            elif s.iterates & s.ends_pass:
                s.bit_reg <<= s.bit_reg + 1
                if s.last_use:
                    s.bit_reg <<= 0
                    s.digit_reg <<= s.digit_reg + 1

    def line_trace(s):
        return f"{int(s.phase_reg)}:{int(s.digit_reg)}.{int(s.bit_reg)}.{int(s.slot_reg)}"


class DigitLane(Component):
    """Computes ``U = (U + A_i * 2B + U_0 * N) / 2``, one word per cycle: fetch, add, write.

    This is one iteration of a product of A and B modulo N. U is the running sum, U_0 its lowest
    bit, and A_i the current bit of A. A word of U can be fetched again 3 cycles after its last
    fetch. Before it is halved, the sum has up to two bits more than ``words`` words can hold.

    Parameters
    ----------
    word_nbits, words : int; width of a word in bits, words of U
    on_port : bool; the word that is added comes from one port of a memory, whatever number it is of

    Ports
    -----
    Ports of the first pipeline stage (fetch):

    index : in, index_nbits(words) bits; index of the fetched word
    load_digit : in, 1 bit; a digit of A is registered; its least significant bit is used first
    digit : in, word_nbits bits; the digit of A
    next_bit : in, 1 bit; the next bit of A is used from the next cycle on
    decide : in, 1 bit; an iteration begins: what it adds depends on the current bit of A and on U_0
    active : in, 1 bit; with ``decide``; 0: the iteration adds nothing
    passes : in, 1 bit; ``doubled`` is added, independent of the current bit of A and of U_0
    doubled : in, word_nbits bits; word of 2B; with ``passes``, word of any number
    modulus : in, word_nbits bits; word of N
    sum_word : in, word_nbits bits; word of 2B + N
    sum_top : in, 1 bit; bit of 2B + N above its topmost word
    clear : in, 1 bit; U is read as 0

    With ``on_port``, the lane has these ports in place of ``passes``, ``doubled``, ``modulus`` and
    ``sum_word``:

    adds_b, adds_n : out, 1 bit each; the iteration adds 2B; it adds N; both: it adds 2B + N
    word : in, word_nbits bits; the word that is added
    kept : out, word_nbits bits; the word of U, whatever ``clear`` is

    Ports of the second stage (add) and of the third stage (write), for the words that were fetched
    one cycle and two cycles before:

    add_first, add_top : in, 1 bit each; the word is the least significant one; the word is the most
        significant one
    add_clear : in, 1 bit; U was read as 0
    write : in, 1 bit; the half of the word is written to U
    write_index : in, index_nbits(words) bits; index of the word
    write_top : in, 1 bit; the word is the topmost one
    total : out, word_nbits bits; word of the sum
    total_top : out, 1 bit; bit of the sum above its topmost word
    half : out, word_nbits bits; word of half the sum
    """

    def construct(s, word_nbits, words, on_port=False):
        Word = mk_bits(word_nbits)
        Sum = mk_bits(word_nbits + 1)
        Index = mk_bits(index_nbits(words))
        s.index = InPort(Index)
        s.load_digit = InPort(1)
        s.digit = InPort(Word)
        for name in ("next_bit", "decide", "active"):
            setattr(s, name, InPort(1))
        s.passes = Wire(Bits1) if on_port else InPort(1)
        if not on_port:
            s.doubled = InPort(Word)
            s.modulus = InPort(Word)
            s.sum_word = InPort(Word)
        for name in ("sum_top", "clear", "add_first", "add_top", "add_clear", "write"):
            setattr(s, name, InPort(1))
        s.write_index = InPort(Index)
        s.write_top = InPort(1)
        s.total = OutPort(Word)
        s.total_top = OutPort(1)
        s.half = OutPort(Word)

        s.a_reg = Wire(Word)
        s.odd_reg = Wire(Bits1)  #: U_0, the lowest bit of the sum
        s.running = RegisterFile(Word, words)
        s.running.raddr[0] //= s.index
        s.adds_b_reg = Wire(Bits1)
        s.adds_n_reg = Wire(Bits1)
        s.adds_b = OutPort(1) if on_port else Wire(Bits1)
        s.adds_n = OutPort(1) if on_port else Wire(Bits1)
        s.addend = Wire(Word)
        s.u = Wire(Word)

        @update
        def comb_decision():
            s.adds_b @= s.adds_b_reg
            s.adds_n @= s.adds_n_reg
            if s.decide:
                s.adds_b @= s.active & s.a_reg[0]
                s.adds_n @= s.active & s.odd_reg & ~s.clear

        if on_port:
            s.word = InPort(Word)
            s.kept = OutPort(Word)
            s.kept //= s.running.rdata[0]
            s.addend //= s.word
            s.passes //= 0

            @update
            def comb_kept():
                s.u @= s.kept
                if s.clear:
                    s.u @= 0

        else:

            @update
            def comb_fetch():
                s.addend @= 0
                if s.passes | (s.adds_b & ~s.adds_n):
                    s.addend @= s.doubled
                elif s.adds_b:
                    s.addend @= s.sum_word
                elif s.adds_n:
                    s.addend @= s.modulus
                s.u @= s.running.rdata[0]
                if s.clear:
                    s.u @= 0

        s.u_reg = Wire(Word)
        s.addend_reg = Wire(Word)
        s.addend_top_reg = Wire(Bits1)

        @update_ff
        def seq_fetch():
            if s.load_digit:
                s.a_reg <<= s.digit
            elif s.next_bit:
                s.a_reg <<= s.a_reg >> 1
            s.adds_b_reg <<= s.adds_b
            s.adds_n_reg <<= s.adds_n
            s.u_reg <<= s.u
            s.addend_reg <<= s.addend
            s.addend_top_reg <<= ~s.passes & s.adds_b & s.adds_n & s.sum_top

        s.carry_reg = Wire(Bits1)
        s.total_reg = Wire(Word)
        s.top_reg = Wire(Bits2)  #: bits of the sum above its topmost word
        s.carry = Wire(Bits1)
        s.sum = Wire(Sum)
        s.top = Wire(Bits2)

        @update
        def comb_add():
            s.carry @= s.carry_reg & ~s.add_first
            s.sum @= zext(s.u_reg, Sum) + zext(s.addend_reg, Sum) + zext(s.carry, Sum)
            s.top @= zext(s.sum[word_nbits], Bits2) + zext(s.addend_top_reg, Bits2)
            if ~s.add_clear:
                s.top @= s.top + zext(s.top_reg[1], Bits2)

        @update_ff
        def seq_add():
            s.carry_reg <<= s.sum[word_nbits]
            s.total_reg <<= s.sum[0:word_nbits]
            if s.add_top:
                s.top_reg <<= s.top

        @update
        def comb_half():
            s.half @= concat(s.sum[0], s.total_reg[1:word_nbits])
            if s.write_top:
                s.half @= concat(s.top_reg[0], s.total_reg[1:word_nbits])

        s.running.wen[0] //= s.write
        s.running.waddr[0] //= s.write_index
        s.running.wdata[0] //= s.half

        @update_ff
        def seq_odd():
            if s.write & (s.write_index == 0):
                s.odd_reg <<= s.half[0]

        s.total //= s.total_reg
        s.total_top //= s.top_reg[0]


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
        words = digit_serial_words(nbits, digit_nbits)
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
        words = digit_serial_words(nbits, digit_nbits)
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
