"""ConstantRegisters: registers of constants of the modulus, written word by word."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from rsaxcel.fl.word_serial import WORD_NBITS, words_per_constant
from rsaxcel.plan.modulus_constants import Widths
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.operand_register import OperandRegister


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
