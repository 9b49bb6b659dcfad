"""DigitLane: adds to a running sum and halves it, word by word (P- and Z-processor)."""

from pymtl3 import (
    Bits1,
    Bits2,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    mk_bits,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.basic_rtl import RegisterFile

from rsaxcel.rtl.lib.word_lane import index_nbits


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
