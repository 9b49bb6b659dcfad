"""HalvesLength: greatest length of the product of two numbers, from their lengths."""

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    mk_bits,
    trunc,
    update,
    update_ff,
    zext,
)

from rsaxcel.fl.register_map import WORD_NBITS, WORD_NBYTES
from rsaxcel.plan.halves import Halves
from rsaxcel.rtl.lib.adjust import connect_low


class HalvesLength(Component):
    """Adds the lengths of two numbers in bits, without leading zeros, and rounds up to bytes.

    The sum is valid in the cycle after the last word is written.

    Parameters
    ----------
    words : int; words of the longest product
    nbits : int; greatest length of a product in bits
    halves : plan.halves.Halves; layout of the two numbers, which are written one after the other

    Ports
    -----
    write : in, 1 bit; a word is written
    position : in, clog2(words of both numbers + 1) bits; index of the word
    data : in, 32 bits; the word
    nbytes : out, clog2(4 * words + 1) bits; the greatest length of the product in bytes, at most
        the bytes of ``nbits``; 0 after reset
    """

    def construct(s, words, nbits, halves: Halves):
        each = halves.padded_nbits // WORD_NBITS
        both, low = 2 * each, clog2(WORD_NBITS)
        Bytes = mk_bits(clog2(WORD_NBYTES * words + 1))
        Position = mk_bits(clog2(both + 1))
        Length = mk_bits(clog2(halves.joined_nbits + 1))
        s.write = InPort(1)
        s.position = InPort(Position)
        s.data = InPort(WORD_NBITS)
        s.nbytes = OutPort(Bytes)
        s.length_reg = [Wire(Length) for _ in range(2)]

        s.used = Wire(Length)  # bits of the word, without leading zeros
        s.high = Wire(Bits1)
        s.word = Wire(Position)  # index of the word in its half
        s.offset = Wire(Length)  # bits of the lower words of the half
        s.offset[0:low] //= 0
        connect_low(s.offset[low : Length.nbits], s.word)

        @update
        def comb_used():
            s.used @= 0
            for i in range(WORD_NBITS):
                if s.data[i]:
                    s.used @= Length(i) + 1

        @update
        def comb_word():
            s.high @= s.position >= each
            s.word @= s.position
            if s.high:
                s.word @= s.position - Position(each)

        @update_ff
        def seq_length():
            for half in range(2):
                if s.reset:
                    s.length_reg[half] <<= 0
                elif s.write & (s.position != both):
                    if s.position == 0:
                        s.length_reg[half] <<= 0
                    if (s.high == half) & (s.used != 0):
                        s.length_reg[half] <<= s.offset + s.used

        Wide = mk_bits(max(Length.nbits + 1, Bytes.nbits + 4))
        s.sum = Wire(Wide)
        s.rounded = Wire(Wide)

        @update
        def comb_nbytes():
            s.sum @= zext(s.length_reg[0], Wide) + zext(s.length_reg[1], Wide)
            if s.sum > nbits:
                s.sum @= nbits
            s.rounded @= (s.sum + 7) >> 3
            s.nbytes @= trunc(s.rounded, Bytes)
