"""WordLoader: walks through the operands of a request word by word, and judges them."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from fl.status import STATUS_NBITS, InputRules
from rtl.exponentiators.operand_check import Verdict
from rtl.stores.lane import index_nbits


class WordLoader(Component):
    """Counts words while a request is offered; compares base and modulus as they pass.

    Parameters
    ----------
    word_nbits, words : int
        Bits of a word, words of an operand.
    rules : fl.status.InputRules or None
        Input rules; None where nothing is to be judged.

    Ports
    -----
    go : a request is offered and no other one is being worked on
    base, modulus : word ``index`` of either
    wide, missing : flags of the request
    index : the word that is being loaded
    loaded : it is the last one
    status : from the cycle after ``loaded`` until the next request is offered

    A word per cycle; a whole operand is never compared at once, because carries over thousands of
    bits would set the clock.
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
        s.loaded = OutPort(1)
        s.status = OutPort(STATUS_NBITS)

        s.index_reg = Wire(Index)
        s.index //= s.index_reg

        @update
        def comb_loaded():
            s.loaded @= s.go & (s.index_reg == last)

        @update_ff
        def seq_index():
            if s.reset | ~s.go | s.loaded:
                s.index_reg <<= 0
            else:
                s.index_reg <<= s.index_reg + 1

        if rules:
            min_modulus = rules.min_modulus
            odd = int(rules.odd_modulus)
            s.first = Wire(Bits1)
            s.difference = Wire(Wider)
            s.borrow_reg = Wire(Bits1)
            s.small_reg = Wire(Bits1)
            s.even_reg = Wire(Bits1)

            @update
            def comb_difference():
                s.first @= s.index_reg == 0
                s.difference @= zext(s.base, Wider) - zext(s.modulus, Wider)
                if ~s.first:
                    s.difference @= (
                        zext(s.base, Wider) - zext(s.modulus, Wider) - zext(s.borrow_reg, Wider)
                    )

            @update_ff
            def seq_findings():
                if s.go:
                    s.borrow_reg <<= s.difference[word_nbits]
                    if s.first:
                        s.small_reg <<= s.modulus < min_modulus
                        s.even_reg <<= ~s.modulus[0] & odd
                    elif s.modulus != 0:
                        s.small_reg <<= 0

            s.verdict = Verdict()
            s.verdict.wide //= s.wide
            s.verdict.too_small //= s.small_reg
            s.verdict.even //= s.even_reg
            s.verdict.missing //= s.missing
            s.verdict.status //= s.status

            @update
            def comb_too_large():
                s.verdict.too_large @= ~s.borrow_reg
        else:
            s.status //= 0
