"""DigitControl: sequences the passes and words of a digit-serial product."""

from pymtl3 import (
    Bits1,
    Bits2,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    mk_bits,
    trunc,
    update,
    update_ff,
)

from rsaxcel.rtl.lib.word_lane import index_nbits

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
