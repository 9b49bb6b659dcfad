"""Memory of words, read in the same cycle."""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff


class WordMemory(Component):
    """Words with a write port and a read port, as flip-flops or distributed memory make them.

    Parameters
    ----------
    words : int
        Number of words.
    word_nbits : int
        Width of a word in bits.

    Ports
    -----
    index, word : the word read, in the same cycle; index below ``words``
    write, write_index, write_word : can be read from the next cycle on
    """

    def construct(s, words, word_nbits):
        Index = mk_bits(max(1, clog2(words)))
        Word = mk_bits(word_nbits)
        s.index = InPort(Index)
        s.word = OutPort(Word)
        s.write = InPort(1)
        s.write_index = InPort(Index)
        s.write_word = InPort(Word)
        s.words = [Wire(Word) for _ in range(words)]

        @update
        def comb_read():
            s.word @= s.words[s.index]

        @update_ff
        def seq_write():
            if s.write:
                s.words[s.write_index] <<= s.write_word
