"""DigitQueue: keeps the digits of an operand in the order in which they come."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff


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
