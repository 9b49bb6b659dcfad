"""FetchedWord: a register behind a read port of a bank, which also sees what is being written."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update_ff


class FetchedWord(Component):
    """Registers the word at ``index``, as it is after the write of the same cycle.

    Without the register, a word would be selected among all words of the bank and used in one
    cycle, and the clock period would grow with the number of words.

    Parameters
    ----------
    word_nbits, index_nbits : int; width of a word and of an index in bits

    Ports
    -----
    index : in, index_nbits bits
    read : in, word_nbits bits; word ``index`` of the bank, before the write of this cycle
    write : in, 1 bit; the bank is written
    write_index : in, index_nbits bits
    write_word : in, word_nbits bits
    word : out, word_nbits bits; word ``index`` of the last cycle
    """

    def construct(s, word_nbits, index_nbits):
        Word = mk_bits(word_nbits)
        Index = mk_bits(index_nbits)
        s.index = InPort(Index)
        s.read = InPort(Word)
        s.write = InPort(1)
        s.write_index = InPort(Index)
        s.write_word = InPort(Word)
        s.word = OutPort(Word)

        s.word_reg = Wire(Word)
        s.word //= s.word_reg

        @update_ff
        def seq_word():
            s.word_reg <<= s.read
            if s.write & (s.write_index == s.index):
                s.word_reg <<= s.write_word
