"""WordLoader: loads the operands of a request word by word, and checks them."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from rsaxcel.fl.status import STATUS_NBITS, InputRules
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.word_lane import index_nbits
from rsaxcel.rtl.stores.word_check import WordCheck


class WordLoader(Component):
    """Counts words while a request is offered, and compares base and modulus word by word.

    Parameters
    ----------
    word_nbits, words : int; width of a word in bits, words of an operand
    rules : fl.status.InputRules or None; input rules; None: nothing is checked

    Ports
    -----
    go : in, 1 bit; a request is offered, and no other request is running
    base, modulus : in, word_nbits bits each; word ``index`` of base and modulus
    wide, missing : in, 1 bit each; flags of the request
    index : out, index_nbits(words) bits; index of the word that is loaded
    loading : out, 1 bit; a word is loaded
    loaded : out, 1 bit; 1 in the cycle after the last word
    status : out, STATUS_NBITS bits; from the cycle after ``loaded`` until the next request is
        offered

    One word is loaded per cycle. A word is compared in the cycle after it is loaded
    (``rtl.stores.word_check``); therefore ``loaded`` comes a cycle after the last word.
    """

    def construct(s, word_nbits, words, rules: InputRules | None):
        Word = mk_bits(word_nbits)
        Index = mk_bits(index_nbits(words))
        last = words - 1
        s.go = InPort(1)
        s.base = InPort(Word)
        s.modulus = InPort(Word)
        s.wide = InPort(1)
        s.missing = InPort(1)
        s.index = OutPort(Index)
        s.loading = OutPort(1)
        s.loaded = OutPort(1)
        s.status = OutPort(STATUS_NBITS)

        s.index_reg = Wire(Index)
        s.checking_reg = Wire(Bits1)
        s.index //= s.index_reg

        @update
        def comb_loading():
            s.loading @= s.go & ~s.checking_reg
            s.loaded @= s.go & s.checking_reg

        @update_ff
        def seq_index():
            s.checking_reg <<= s.loading & (s.index_reg == last) & ~s.reset
            if s.reset | ~s.loading | (s.index_reg == last):
                s.index_reg <<= 0
            else:
                s.index_reg <<= s.index_reg + 1

        if rules:
            s.check = WordCheck(word_nbits, rules)
            s.check.comes //= s.loading
            connect_named(s.check, s, "base", "modulus", "wide", "missing", "status")

            @update
            def comb_first():
                s.check.first @= s.index_reg == 0

        else:
            s.status //= 0
