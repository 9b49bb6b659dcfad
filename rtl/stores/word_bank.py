"""WordBank: a bank of words with a register in front of its write port."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.basic_rtl import RegisterFile

from rtl.lib.word_lane import index_nbits


class WordBank(Component):
    """Behaves as PyMTL3's ``RegisterFile`` with one write port, but registers what is written.

    Without this register, the index of a word would be decoded, and would enable one word of the
    bank, in the cycle in which it comes. The clock period would grow with the number of words. A
    word that is in the register, but not in the bank yet, is read from the register.

    Parameters
    ----------
    word_nbits, words : int
        Width of a word in bits, words of the bank.
    rd_ports : int
        Number of read ports.

    Ports
    -----
    raddr : in, index_nbits(words) bits each; index of the word to read
    rdata : out, word_nbits bits each; the word, in the same cycle; a write shows in the next cycle
    wen, waddr, wdata : in, lists of one port of 1, index_nbits(words) and word_nbits bits; word
        ``waddr`` is written
    """

    def construct(s, word_nbits, words, rd_ports):
        Word = mk_bits(word_nbits)
        Index = mk_bits(index_nbits(words))
        s.raddr = [InPort(Index) for _ in range(rd_ports)]
        s.rdata = [OutPort(Word) for _ in range(rd_ports)]
        s.wen = [InPort(1)]
        s.waddr = [InPort(Index)]
        s.wdata = [InPort(Word)]

        s.write_reg = Wire(Bits1)
        s.index_reg = Wire(Index)
        s.word_reg = Wire(Word)
        s.file = RegisterFile(Word, words, rd_ports=rd_ports)
        s.file.wen[0] //= s.write_reg
        s.file.waddr[0] //= s.index_reg
        s.file.wdata[0] //= s.word_reg
        for i in range(rd_ports):
            s.file.raddr[i] //= s.raddr[i]

        @update_ff
        def seq_write():
            s.write_reg <<= s.wen[0]
            if s.wen[0]:
                s.index_reg <<= s.waddr[0]
                s.word_reg <<= s.wdata[0]

        @update
        def comb_read():
            for i in range(rd_ports):
                s.rdata[i] @= s.file.rdata[i]
                if s.write_reg & (s.index_reg == s.raddr[i]):
                    s.rdata[i] @= s.word_reg
