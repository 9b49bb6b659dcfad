"""Registers of operands and of constants of the modulus, written word by word."""

from pymtl3 import (
    Bits1,
    Bits32,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    mk_bits,
    update,
    update_ff,
)

from rsaxcel.fl.word_serial import WORD_NBITS, words_per_constant, words_per_operand
from rsaxcel.plan.modulus_constants import Widths
from rsaxcel.rtl.lib.adjust import connect_named


class OperandRegister(Component):
    """Holds an operand that arrives in 32-bit words, least significant first.

    The first word after a rewind clears all other words. Bits beyond the operand's width, in its
    last word or in further words, are dropped; ``wide`` says whether one of them was set.

    Parameters
    ----------
    nbits : int; width of the operand in bits
    resets : bool; a reset clears the register; not needed if it is rewound and written before use

    Ports
    -----
    write : in, 1 bit; a word is written
    data : in, 32 bits; the word
    rewind : in, 1 bit; from the next cycle on, the next word is the first one
    value : out, nbits bits; the operand; 0 after reset if ``resets``
    position : out, clog2(words + 1) bits; index of the next word; past the end, the number of words
    wide : out, 1 bit; a written word had a set bit beyond ``nbits``
    """

    def construct(s, nbits: int, resets: bool = True):
        words = words_per_operand(nbits)
        top_nbits = nbits - WORD_NBITS * (words - 1)
        cleared = int(resets)
        excess_mask = (1 << WORD_NBITS) - (1 << top_nbits)
        s.write = InPort(1)
        s.data = InPort(WORD_NBITS)
        s.rewind = InPort(1)
        s.value = OutPort(nbits)
        s.position = OutPort(clog2(words + 1))
        s.wide = OutPort(1)

        s.word_reg = [Wire(Bits32) for _ in range(words)]
        # after the last word, the position stays at ``words``
        s.position_reg = Wire(mk_bits(clog2(words + 1)))
        s.wide_reg = Wire(Bits1)
        s.position //= s.position_reg
        s.wide //= s.wide_reg
        for i in range(words):
            width = top_nbits if i == words - 1 else WORD_NBITS
            s.value[WORD_NBITS * i : WORD_NBITS * i + width] //= s.word_reg[i][0:width]

        @update_ff
        def seq_words():
            for i in range(words):
                if s.reset & cleared:
                    s.word_reg[i] <<= 0
                elif s.write:
                    if s.position_reg == 0:
                        s.word_reg[i] <<= 0
                    if s.position_reg == i:
                        s.word_reg[i] <<= s.data

        @update_ff
        def seq_position():
            if (s.reset & cleared) | s.rewind:
                s.position_reg <<= 0
            elif s.write & (s.position_reg != words):
                s.position_reg <<= s.position_reg + 1

        @update_ff
        def seq_wide():
            if s.reset & cleared:
                s.wide_reg <<= 0
            elif s.write:
                if s.position_reg == 0:
                    s.wide_reg <<= 0
                if (s.position_reg == words - 1) & ((s.data & excess_mask) != 0):
                    s.wide_reg <<= 1
                if (s.position_reg == words) & (s.data != 0):
                    s.wide_reg <<= 1


class ConstantRegisters(Component):
    """Holds the constants that the host sends, and checks that they are complete.

    Parameters
    ----------
    nbits : int; width of the operands in bits
    constants : tuple of (str, int); names of the constants, and their widths in bits

    Ports
    -----
    write : in, 1 bit; a word is written
    data : in, 32 bits; the word
    rewind : in, 1 bit; from the next cycle on, the next word is the first one
    modulus_write : in, 1 bit; a word of the modulus is written. The first such word after a rewind
        makes the constants invalid: ``missing`` becomes 1, and constants are written from the first
        word on
    one port per constant, with its name : out, the constant's width in bits
    missing : out, 1 bit; too few or too many words have been written for the constants, or a word
        has a bit set above the width of its constant
    """

    def construct(s, nbits: int, constants: Widths):
        each = words_per_constant(nbits, (width for _, width in constants))
        each_nbits = WORD_NBITS * each
        words = each * len(constants)
        s.write = InPort(1)
        s.data = InPort(WORD_NBITS)
        s.rewind = InPort(1)
        s.modulus_write = InPort(1)
        s.missing = OutPort(1)

        # No reset: constants are used only with a modulus, and the first word of a modulus drops
        # the earlier constants.
        s.words = OperandRegister(WORD_NBITS * words, resets=False)
        connect_named(s.words, s, "write", "data")
        s.padding = [Wire(mk_bits(each_nbits)) for _ in constants]
        npadding = len(s.padding)
        for i, (name, width) in enumerate(constants):
            low = each_nbits * i
            value = OutPort(width)
            setattr(s, name, value)
            value //= s.words.value[low : low + width]
            s.padding[i][0:width] //= 0
            if width < each_nbits:
                s.padding[i][width:each_nbits] //= s.words.value[low + width : low + each_nbits]

        # after the last word, the position stays at ``words``
        s.position_reg = Wire(mk_bits(clog2(words + 1)))
        s.filled_reg = Wire(Bits1)
        last = words - 1

        s.modulus_begun_reg = Wire(Bits1)
        s.drop = Wire(Bits1)

        @update
        def comb_rewind():
            s.drop @= s.modulus_write & ~s.modulus_begun_reg
            s.words.rewind @= s.rewind | s.drop

        @update_ff
        def seq_modulus_begun():
            if s.reset | s.rewind:
                s.modulus_begun_reg <<= 0
            elif s.modulus_write:
                s.modulus_begun_reg <<= 1

        @update
        def comb_missing():
            s.missing @= ~s.filled_reg
            for i in range(npadding):
                if s.padding[i] != 0:
                    s.missing @= 1

        # No reset, for the same reason as ``words``: the first word of a modulus sets these
        # registers.
        @update_ff
        def seq_filled():
            if s.drop:
                s.position_reg <<= 0
                s.filled_reg <<= 0
            elif s.rewind:
                s.position_reg <<= 0
            elif s.write:
                s.filled_reg <<= s.position_reg == last
                if s.position_reg != words:
                    s.position_reg <<= s.position_reg + 1
