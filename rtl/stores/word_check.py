"""WordCheck: checks the input rules on a base and a modulus that come word by word."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from rsaxcel.fl.status import STATUS_NBITS, InputRules
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.operand_check import Verdict


class WordCheck(Component):
    """Compares base and modulus word by word, least significant word first.

    Operands are compared word by word, because carries over thousands of bits would limit the
    clock. A word is compared in the cycle after it comes.

    Parameters
    ----------
    word_nbits : int; width of a word in bits

    Ports
    -----
    comes : in, 1 bit; a word of base and modulus comes in this cycle
    first : in, 1 bit; it is the least significant one
    base, modulus : in, word_nbits bits each; the word of base and of modulus
    wide, missing : in, 1 bit each; flags of the request
    status : out, STATUS_NBITS bits; valid from the second cycle after the last word on, until the
        next word comes
    """

    def construct(s, word_nbits, rules: InputRules):
        Word = mk_bits(word_nbits)
        Wider = mk_bits(word_nbits + 1)
        min_modulus = rules.min_modulus
        odd = int(rules.odd_modulus)
        s.comes = InPort(1)
        s.first = InPort(1)
        s.base = InPort(Word)
        s.modulus = InPort(Word)
        s.wide = InPort(1)
        s.missing = InPort(1)
        s.status = OutPort(STATUS_NBITS)

        s.base_reg = Wire(Word)
        s.modulus_reg = Wire(Word)
        s.compares_reg = Wire(Bits1)
        s.first_reg = Wire(Bits1)
        s.difference = Wire(Wider)
        s.borrow_reg = Wire(Bits1)
        s.small_reg = Wire(Bits1)
        s.even_reg = Wire(Bits1)

        @update_ff
        def seq_words():
            if s.comes:
                s.base_reg <<= s.base
                s.modulus_reg <<= s.modulus
            s.compares_reg <<= s.comes & ~s.reset
            s.first_reg <<= s.first

        @update
        def comb_difference():
            s.difference @= zext(s.base_reg, Wider) - zext(s.modulus_reg, Wider)
            if ~s.first_reg:
                s.difference @= (
                    zext(s.base_reg, Wider) - zext(s.modulus_reg, Wider) - zext(s.borrow_reg, Wider)
                )

        @update_ff
        def seq_findings():
            if s.compares_reg:
                s.borrow_reg <<= s.difference[word_nbits]
                if s.first_reg:
                    s.small_reg <<= s.modulus_reg < min_modulus
                    s.even_reg <<= ~s.modulus_reg[0] & odd
                elif s.modulus_reg != 0:
                    s.small_reg <<= 0

        s.verdict = Verdict()
        s.verdict.wide //= s.wide
        s.verdict.too_small //= s.small_reg
        s.verdict.even //= s.even_reg
        s.verdict.other //= 0
        connect_named(s.verdict, s, "missing", "status")

        @update
        def comb_too_large():
            s.verdict.too_large @= ~s.borrow_reg
