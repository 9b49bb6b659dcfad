"""KeyRegisters: registers of modulus, exponents and constants, written word by word."""

from pymtl3 import Component, InPort, OutPort, clog2, connect, update

from rsaxcel.fl.register_map import WORD_NBITS, WORD_NBYTES
from rsaxcel.fl.word_serial import words_per_operand
from rsaxcel.plan.halves import Halves, modulus_nbits
from rsaxcel.plan.modulus_constants import Widths
from rsaxcel.rtl.axi.byte_length import ByteLength
from rsaxcel.rtl.axi.halves_length import HalvesLength
from rsaxcel.rtl.lib.constant_registers import ConstantRegisters
from rsaxcel.rtl.lib.operand_register import OperandRegister


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
