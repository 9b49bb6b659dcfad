"""SerialReduction: final subtraction of a Montgomery product, word by word."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.basic_rtl import RegisterFile

from rsaxcel.rtl.lib.word_lane import index_nbits


class SerialReduction(Component):
    """Outputs x, or x - m if x is not below m, after all words of x have been read.

    Parameters
    ----------
    k, words : int; width of a word in bits, words of x

    Ports
    -----
    take : in, 1 bit; a word of x and of m is read, in order from word 0
    index : in, index_nbits(words) bits; index of this word
    word : in, k + 1 bits; the word of x; the highest bit is 0 in all words but the last
    m : in, k bits; the word of m
    give : out, 1 bit; a word of the result is output, in order, from the cycle after the last
        ``take``
    give_index : out, index_nbits(words) bits; index of the word of the result
    give_word : out, k bits; the word of the result

    Source: Morales-Romero et al., algorithm 1, lines 6 to 8.
    """

    def construct(s, k, words):
        Word = mk_bits(k)
        Index = mk_bits(index_nbits(words))
        Signed = mk_bits(k + 2)
        last = words - 1
        sign = k + 1
        s.take = InPort(1)
        s.index = InPort(Index)
        s.word = InPort(k + 1)
        s.m = InPort(Word)
        s.give = OutPort(1)
        s.give_index = OutPort(Index)
        s.give_word = OutPort(Word)

        s.giving_reg = Wire(Bits1)
        s.index_reg = Wire(Index)
        s.borrow_reg = Wire(Bits1)
        s.below_reg = Wire(Bits1)
        s.give //= s.giving_reg
        s.give_index //= s.index_reg
        s.difference = Wire(Signed)

        @update
        def comb_difference():
            s.difference @= zext(s.word, Signed) - zext(s.m, Signed) - zext(s.borrow_reg, Signed)

        s.sums = RegisterFile(Word, words)
        s.differences = RegisterFile(Word, words)
        s.sums.wdata[0] //= s.word[0:k]
        s.differences.wdata[0] //= s.difference[0:k]
        for memory in (s.sums, s.differences):
            memory.wen[0] //= s.take
            memory.waddr[0] //= s.index
            memory.raddr[0] //= s.index_reg

        @update
        def comb_word():
            s.give_word @= s.differences.rdata[0]
            if s.below_reg:
                s.give_word @= s.sums.rdata[0]

        @update_ff
        def seq_reduction():
            if s.reset:
                s.giving_reg <<= 0
                s.borrow_reg <<= 0
                s.index_reg <<= 0
            else:
                if s.take:
                    s.borrow_reg <<= s.difference[sign]
                    if s.index == last:
                        s.borrow_reg <<= 0
                        s.below_reg <<= s.difference[sign]
                        s.giving_reg <<= 1
                if s.giving_reg:
                    s.index_reg <<= s.index_reg + 1
                    if s.index_reg == last:
                        s.index_reg <<= 0
                        s.giving_reg <<= 0
