"""Circuits that check the input rules."""

from pymtl3 import Component, InPort, OutPort, mk_bits, update

from rsaxcel.fl.status import STATUS_NBITS, InputRules, Status
from rsaxcel.rtl.lib.adjust import connect_named


class Verdict(Component):
    """Outputs the status code of the first input rule that is broken, in the order of the ports.

    Ports
    -----
    wide, too_small, even, other, too_large, missing : in, 1 bit each; a rule is broken: an operand
        too wide; the modulus too small, even, or not the only one supported; the base too large;
        constants missing. 0 if the design does not have the rule
    status : out, STATUS_NBITS bits; 0 if all rules are met

    Combinational.
    """

    def construct(s):
        for name in ("wide", "too_small", "even", "other", "too_large", "missing"):
            setattr(s, name, InPort(1))
        s.status = OutPort(STATUS_NBITS)
        too_small, even = int(Status.MODULUS_TOO_SMALL), int(Status.MODULUS_EVEN)
        too_large, too_wide = int(Status.BASE_TOO_LARGE), int(Status.OPERAND_TOO_WIDE)
        other, missing = int(Status.MODULUS_OTHER), int(Status.CONSTANTS_MISSING)

        @update
        def comb_status():
            s.status @= 0
            if s.wide:
                s.status @= too_wide
            elif s.too_small:
                s.status @= too_small
            elif s.even:
                s.status @= even
            elif s.other:
                s.status @= other
            elif s.too_large:
                s.status @= too_large
            elif s.missing:
                s.status @= missing


class OperandCheck(Component):
    """Checks a request whose operands are complete, and outputs its status.

    Parameters
    ----------
    rules : fl.status.InputRules; width of the operands, and input rules of the design

    Ports
    -----
    base, modulus : in, rules.nbits bits each; the operands
    wide : in, 1 bit; an operand did not fit its register
    missing : in, 1 bit; constants of the modulus are missing
    status : out, STATUS_NBITS bits; 0 if all rules are met

    Combinational.
    """

    def construct(s, rules: InputRules):
        Value = mk_bits(rules.nbits)
        s.base = InPort(Value)
        s.modulus = InPort(Value)
        s.wide = InPort(1)
        s.missing = InPort(1)
        s.status = OutPort(STATUS_NBITS)
        # PyMTL3 gives an int 32 bits.
        min_modulus = rules.min_modulus if rules.min_modulus < 1 << 31 else Value(rules.min_modulus)
        odd = int(rules.odd_modulus)

        s.verdict = Verdict()
        connect_named(s.verdict, s, "wide", "missing", "status")

        @update
        def comb_findings():
            s.verdict.too_small @= s.modulus < min_modulus
            s.verdict.even @= ~s.modulus[0] & odd
            s.verdict.too_large @= s.base >= s.modulus

        if rules.constant_modulus:
            constant = Value(rules.constant_modulus)

            @update
            def comb_other():
                s.verdict.other @= s.modulus != constant

        else:
            s.verdict.other //= 0
