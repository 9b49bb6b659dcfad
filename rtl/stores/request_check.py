"""Checks a request in a store of registers, in the cycle after the request is accepted."""

from typing import Any

from pymtl3 import Bits1, Component, Wire, connect, mk_bits, update, update_ff

from rsaxcel.fl.status import STATUS_NBITS, InputRules
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.halves_check import HalvesCheck
from rsaxcel.rtl.lib.operand_check import OperandCheck


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
