"""PortRam: a memory of words; its last port reads or writes, all other ports read."""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff


class PortRam(Component):
    """A memory with an address for each port, as memories of an FPGA and compiled ones have it.

    ``RegisterFile`` of PyMTL3 has an address for each read and for each write.

    Parameters
    ----------
    word_nbits, words : int; width of a word in bits, words of the memory
    ports : int; number of ports

    Ports
    -----
    address : in, clog2(words) bits each
    read : out, word_nbits bits each; the word at the address, in the same cycle; before a write
    write : in, 1 bit; the word at the last port's address is written
    word : in, word_nbits bits
    """

    def construct(s, word_nbits, words, ports):
        Word, Address = mk_bits(word_nbits), mk_bits(max(1, clog2(words)))
        last = ports - 1
        s.address = [InPort(Address) for _ in range(ports)]
        s.read = [OutPort(Word) for _ in range(ports)]
        s.write = InPort(1)
        s.word = InPort(Word)
        s.words_reg = [Wire(Word) for _ in range(words)]

        @update
        def comb_read():
            for port in range(ports):
                s.read[port] @= s.words_reg[s.address[port]]

        @update_ff
        def seq_write():
            if s.write:
                s.words_reg[s.address[last]] <<= s.word
