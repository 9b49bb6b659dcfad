"""KeyRegisters: registers of modulus, exponents and constants, written word by word."""

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    connect,
    mk_bits,
    trunc,
    update,
    update_ff,
    zext,
)

from rsaxcel.fl.register_map import WORD_NBITS, WORD_NBYTES
from rsaxcel.fl.word_serial import words_per_operand
from rsaxcel.plan.halves import Halves, modulus_nbits
from rsaxcel.plan.modulus_constants import Widths
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.constant_registers import ConstantRegisters
from rsaxcel.rtl.lib.operand_register import OperandRegister


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

        s.used = Wire(Length)  #: bits of the word, without leading zeros
        s.high = Wire(Bits1)
        s.word = Wire(Position)  #: index of the word in its half
        s.offset = Wire(Length)  #: bits of the lower words of the half
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


class ByteLength(Component):
    """Counts the bytes of a number without its leading zero bytes, while the words are written.

    Parameters
    ----------
    words : int; words of the number; further words are ignored

    Ports
    -----
    write : in, 1 bit; a word is written
    position : in, clog2(words + 1) bits; index of the word
    data : in, 32 bits; the word
    nbytes : out, clog2(4 * words + 1) bits; length of the number, valid from the cycle after its
        last word is written; 0 after reset
    """

    def construct(s, words):
        Length = mk_bits(clog2(WORD_NBYTES * words + 1))
        Position = mk_bits(clog2(words + 1))
        Wide = mk_bits(Position.nbits + 2)
        s.write = InPort(1)
        s.position = InPort(Position)
        s.data = InPort(WORD_NBITS)
        s.nbytes = OutPort(Length)
        s.nbytes_reg = Wire(Length)
        s.nbytes //= s.nbytes_reg
        s.used = Wire(Wide)  #: bytes of the word, without leading zeros

        @update
        def comb_used():
            s.used @= 0
            if s.data[24:32] != 0:
                s.used @= 4
            elif s.data[16:24] != 0:
                s.used @= 3
            elif s.data[8:16] != 0:
                s.used @= 2
            elif s.data[0:8] != 0:
                s.used @= 1

        s.sum = Wire(Wide)
        s.first = Wire(Wide)
        s.first[0:2] //= 0
        s.first[2 : Wide.nbits] //= s.position

        @update
        def comb_sum():
            s.sum @= s.first + s.used

        @update_ff
        def seq_nbytes():
            if s.reset:
                s.nbytes_reg <<= 0
            elif s.write & (s.position != words):
                if s.used != 0:
                    s.nbytes_reg <<= s.sum[0 : Length.nbits]
                elif s.position == 0:
                    s.nbytes_reg <<= 0


class KeyRegisters(Component):
    """Holds a key for an exponentiator.

    Parameters
    ----------
    nbits, exponent_nbits : int; widths of the base and of the exponents in bits
    constants : tuple of (str, int); names of the constants that the host supplies, and their widths
        in bits
    halves : plan.halves.Halves or None; layout of a modulus that consists of two moduli, the primes
        of a key (CRT); None: the modulus is one number, as wide as the base

    Ports
    -----
    data : in, 32 bits; the written word
    write_modulus, write_public, write_private, write_constants : in, 1 bit each; ``data`` is
        written to the modulus, the public exponent, the private exponent, the constants
    rewind : in, 1 bit; the next word of each register is its first one
    private : in, 1 bit; selects the private exponent
    modulus : out, nbits bits, or the width of two halves
    exponent : out, exponent_nbits bits; the selected exponent
    wide : out, 1 bit; modulus or selected exponent is too wide
    nbytes : out, clog2(4 * words of the base + 1) bits; bytes of a block: the length of the
        modulus, or the greatest length of the product of its halves
    one port per constant, with its name : out, the constant's width in bits
    missing : out, 1 bit; the constants are incomplete or too wide (``ConstantRegisters``); only if
        there are constants
    """

    def construct(s, nbits, exponent_nbits, constants: Widths, halves: Halves | None = None):
        words = words_per_operand(nbits)
        width = modulus_nbits(nbits, halves)
        s.data = InPort(WORD_NBITS)
        s.write_modulus = InPort(1)
        s.write_public = InPort(1)
        s.write_private = InPort(1)
        s.write_constants = InPort(1)
        s.rewind = InPort(1)
        s.private = InPort(1)
        s.modulus = OutPort(width)
        s.exponent = OutPort(exponent_nbits)
        s.wide = OutPort(1)
        s.nbytes = OutPort(clog2(WORD_NBYTES * words + 1))

        s.modulus_words = OperandRegister(width)
        s.public_words = OperandRegister(exponent_nbits)
        s.private_words = OperandRegister(exponent_nbits)
        for operand, write in (
            (s.modulus_words, s.write_modulus),
            (s.public_words, s.write_public),
            (s.private_words, s.write_private),
        ):
            operand.write //= write
            operand.data //= s.data
            operand.rewind //= s.rewind
        s.modulus //= s.modulus_words.value
        s.length = HalvesLength(words, nbits, halves) if halves else ByteLength(words)
        s.length.write //= s.write_modulus
        s.length.position //= s.modulus_words.position
        s.length.data //= s.data
        s.length.nbytes //= s.nbytes

        @update
        def comb_exponent():
            s.exponent @= s.public_words.value
            s.wide @= s.modulus_words.wide | s.public_words.wide
            if s.private:
                s.exponent @= s.private_words.value
                s.wide @= s.modulus_words.wide | s.private_words.wide

        if constants:
            s.missing = OutPort(1)
            s.constants = ConstantRegisters(max(nbits, width), constants)
            s.constants.write //= s.write_constants
            s.constants.data //= s.data
            s.constants.rewind //= s.rewind
            s.constants.modulus_write //= s.write_modulus
            s.constants.missing //= s.missing
            for name, constant_nbits in constants:
                setattr(s, name, OutPort(constant_nbits))
                connect(getattr(s.constants, name), getattr(s, name))
