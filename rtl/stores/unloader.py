"""WordUnloader: final subtraction of a result that is stored in words."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from rsaxcel.rtl.lib.word_lane import index_nbits


class WordUnloader(Component):
    """Subtracts the modulus from a result, unless the result is below the modulus, word by word.

    It reads the result twice: first to subtract the modulus, then to copy the result if it is below
    the modulus. A word is subtracted or copied in the cycle after it is read.

    Parameters
    ----------
    nbits : int; width of the reduced result in bits
    word_nbits, words : int; width of a word in bits, words of an operand

    Ports
    -----
    start : in, 1 bit; the subtraction begins in the next cycle
    clear : in, 1 bit; sets the result to 0, valid in the next cycle
    index : out, index_nbits(words) bits; index of the word to read
    value, modulus : in, word_nbits bits each; word ``index`` of the result and of the modulus
    ready : out, 1 bit; the result is valid, until the next start
    result : out, nbits bits; the reduced result

    Latency: ``2 * words + 1`` cycles.
    """

    def construct(s, nbits, word_nbits, words):
        Word = mk_bits(word_nbits)
        Wider = mk_bits(word_nbits + 1)
        Index = mk_bits(index_nbits(words))
        last = words - 1
        s.start = InPort(1)
        s.clear = InPort(1)
        s.index = OutPort(Index)
        s.value = InPort(Word)
        s.modulus = InPort(Word)
        s.ready = OutPort(1)
        s.result = OutPort(nbits)

        s.comparing_reg = Wire(Bits1)
        s.moving_reg = Wire(Bits1)
        s.index_reg = Wire(Index)
        s.result_reg = [Wire(Word) for _ in range(words)]
        s.index //= s.index_reg
        for i in range(words):
            low = i * word_nbits
            width = min(word_nbits, nbits - low)
            if width > 0:
                s.result[low : low + width] //= s.result_reg[i][0:width]

        s.value_reg = Wire(Word)
        s.modulus_reg = Wire(Word)
        s.subtracts_reg = Wire(Bits1)
        s.copies_reg = Wire(Bits1)
        s.position_reg = Wire(Index)
        s.difference_reg = Wire(Word)
        s.subtracted_reg = Wire(Bits1)
        s.subtracted_position_reg = Wire(Index)
        s.borrow_reg = Wire(Bits1)
        s.keep_reg = Wire(Bits1)  # the result is below the modulus
        s.difference = Wire(Wider)
        s.ends = Wire(Bits1)

        @update
        def comb_difference():
            s.difference @= (
                zext(s.value_reg, Wider) - zext(s.modulus_reg, Wider) - zext(s.borrow_reg, Wider)
            )
            s.ends @= s.index_reg == last
            s.ready @= ~s.comparing_reg & ~s.moving_reg

        @update_ff
        def seq_phase():
            if s.reset:
                s.comparing_reg <<= 0
                s.moving_reg <<= 0
            elif s.start:
                s.comparing_reg <<= 1
            elif s.comparing_reg & s.ends:
                s.comparing_reg <<= 0
                s.moving_reg <<= 1
            elif s.ends:
                s.moving_reg <<= 0
            if s.reset | s.ends | s.ready:
                s.index_reg <<= 0
            else:
                s.index_reg <<= s.index_reg + 1

        @update_ff
        def seq_difference():
            s.subtracts_reg <<= s.comparing_reg & ~s.reset
            s.copies_reg <<= s.moving_reg & ~s.ends
            s.position_reg <<= s.index_reg
            if ~s.ready:
                s.value_reg <<= s.value
                s.modulus_reg <<= s.modulus
            s.borrow_reg <<= s.subtracts_reg & s.difference[word_nbits]
            if s.subtracts_reg:
                s.keep_reg <<= s.difference[word_nbits]
            s.difference_reg <<= s.difference[0:word_nbits]
            s.subtracted_reg <<= s.subtracts_reg
            s.subtracted_position_reg <<= s.position_reg

        # The last word is subtracted in the first cycle of moving. Its borrow tells whether the
        # result is kept, and so what is written to it, in this same cycle. All other differences
        # are written a cycle after they are formed, because a carry that drives all words would
        # limit the clock.
        s.write = Wire(Bits1)
        s.write_position = Wire(Index)
        s.write_word = Wire(Word)
        s.write_last = Wire(Bits1)
        s.last_word = Wire(Word)

        @update
        def comb_write():
            s.write @= s.subtracted_reg
            s.write_position @= s.subtracted_position_reg
            s.write_word @= s.difference_reg
            if s.copies_reg:
                s.write @= s.keep_reg
                s.write_position @= s.position_reg
                s.write_word @= s.value_reg
            s.write_last @= s.subtracts_reg & s.moving_reg
            s.last_word @= s.difference[0:word_nbits]
            if s.difference[word_nbits]:
                s.last_word @= s.value_reg

        @update_ff
        def seq_result():
            for i in range(words):
                if s.clear:
                    s.result_reg[i] <<= 0
                elif i == last:
                    if s.write_last:
                        s.result_reg[i] <<= s.last_word
                elif s.write & (s.write_position == i):
                    s.result_reg[i] <<= s.write_word
