"""WordLoader: loads the operands of a request word by word, and checks them."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from fl.status import STATUS_NBITS, InputRules
from rtl.lib.operand_check import Verdict
from rtl.lib.word_lane import index_nbits


class WordLoader(Component):
    """Counts words while a request is offered, and compares base and modulus word by word.

    Parameters
    ----------
    word_nbits, words : int
        Width of a word in bits, words of an operand.
    rules : fl.status.InputRules or None
        Input rules; None: nothing is checked.

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

    One word is loaded per cycle. Operands are compared word by word, because carries over thousands
    of bits would limit the clock. A word is compared in the cycle after it is loaded; therefore
    ``loaded`` comes a cycle after the last word.
    """

    def construct(s, word_nbits, words, rules: InputRules | None):
        Word = mk_bits(word_nbits)
        Wider = mk_bits(word_nbits + 1)
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
            min_modulus = rules.min_modulus
            odd = int(rules.odd_modulus)
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
                if s.loading:
                    s.base_reg <<= s.base
                    s.modulus_reg <<= s.modulus
                s.compares_reg <<= s.loading & ~s.reset
                s.first_reg <<= s.index_reg == 0

            @update
            def comb_difference():
                s.difference @= zext(s.base_reg, Wider) - zext(s.modulus_reg, Wider)
                if ~s.first_reg:
                    s.difference @= (
                        zext(s.base_reg, Wider)
                        - zext(s.modulus_reg, Wider)
                        - zext(s.borrow_reg, Wider)
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
            s.verdict.missing //= s.missing
            s.verdict.status //= s.status

            @update
            def comb_too_large():
                s.verdict.too_large @= ~s.borrow_reg
        else:
            s.status //= 0
