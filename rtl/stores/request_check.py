"""Checks of the input rules in a store: on registers, or word by word."""

from typing import Any

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)

from rsaxcel.fl.status import STATUS_NBITS, InputRules
from rsaxcel.rtl.lib.adjust import connect_low, connect_named
from rsaxcel.rtl.lib.operand_check import HalvesCheck, OperandCheck, Verdict


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


def add_request_check(s: Component, rules: InputRules | None, base: Any) -> None:
    """Accept requests at once, hold modulus and flags, and output the status.

    A cleared store holds zeros after ``blank``, and has a register for the status, which comes two
    cycles after the request. Without rules, the request carries a status and ``base`` is not read.
    """
    Status = mk_bits(STATUS_NBITS)

    @update
    def comb_request():
        s.takes @= s.idle
        s.loaded @= s.idle & s.offered

    if s.is_cleared:
        add_blank(s)

    # Registers hold the flags or the status of the request, and are checked in the cycle after the
    # request is accepted.
    s.head_reg = Wire(Status)
    s.head = Wire(Status)
    if rules:
        if rules.halves:
            s.check = HalvesCheck(rules)
            s.check.load //= s.loads
            s.check.blank //= s.blank
            s.check.modulus //= s.taken_m
            s.check.exponent //= s.request.e
        else:
            s.check = OperandCheck(rules)
            connect_low(s.check.base, base)
            s.check.modulus //= s.modulus_reg
        if s.is_cleared:
            s.late_status_reg = Wire(Status)
            s.status //= s.late_status_reg

            @update_ff
            def seq_late_status():
                s.late_status_reg <<= s.check.status

        else:
            s.check.status //= s.status
        for i, flag in enumerate(("wide", "missing")):
            if hasattr(s.request, flag):
                s.head[i] //= getattr(s.request, flag)
                connect(getattr(s.check, flag), s.head_reg[i])
            else:
                s.head[i] //= 0
                connect(getattr(s.check, flag), 0)
        s.head[2:STATUS_NBITS] //= 0
    else:
        s.head //= s.request.status
        s.status //= s.head_reg

    if s.is_cleared:

        @update_ff
        def seq_request_or_blank():
            if s.loads:
                s.modulus_reg <<= s.taken_m
                s.head_reg <<= s.head
                if s.blank:
                    s.head_reg <<= 0

    else:

        @update_ff
        def seq_request():
            if s.loaded:
                s.modulus_reg <<= s.request.m
                s.head_reg <<= s.head


def add_blank(s: Any) -> None:
    """Add wires for the modulus to load: the request's modulus, or zeros if ``blank`` is 1."""
    s.loads = Wire(Bits1)
    s.taken_m = Wire(s.request.m._dsl.Type)

    @update
    def comb_blank():
        s.loads @= s.loaded | s.blank
        s.taken_m @= s.request.m
        if s.blank:
            s.taken_m @= 0
