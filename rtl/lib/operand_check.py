"""The input rules as a circuit."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update

from fl.halves import Halves
from fl.status import STATUS_NBITS, InputRules, Status


class Verdict(Component):
    """Status code of findings, in the order that ``InputRules`` states.

    Ports
    -----
    wide, too_small, even, other, too_large, missing : in, 1 bit each; findings; one that no rule
        asks for is 0
    status : out, STATUS_NBITS bits; 0 where there is none

    Combinational.
    """

    def construct(s):
        s.wide = InPort(1)
        s.too_small = InPort(1)
        s.even = InPort(1)
        s.other = InPort(1)
        s.too_large = InPort(1)
        s.missing = InPort(1)
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
    """Status of operands that are there as a whole.

    Parameters
    ----------
    rules : fl.status.InputRules
        Width and rules.

    Ports
    -----
    base : in, rules.nbits bits; not read where the modulus has halves
    modulus : in, rules.modulus_nbits bits
    wide : in, 1 bit; an operand did not fit the registers
    missing : in, 1 bit; constants of the modulus are missing
    status : out, STATUS_NBITS bits; 0 where every rule holds

    Combinational.
    """

    def construct(s, rules: InputRules):
        Value = mk_bits(rules.nbits)
        s.base = InPort(Value)
        s.modulus = InPort(rules.modulus_nbits)
        s.wide = InPort(1)
        s.missing = InPort(1)
        s.status = OutPort(STATUS_NBITS)
        min_modulus = rules.min_modulus
        odd = int(rules.odd_modulus)

        s.verdict = Verdict()
        if not rules.halves:
            s.verdict.wide //= s.wide
        s.verdict.missing //= s.missing
        s.verdict.status //= s.status

        if rules.halves:
            add_half_findings(s, rules.halves, rules.min_modulus)
            return

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


def add_half_findings(s: OperandCheck, halves: Halves, min_modulus: int) -> None:
    """Judge a modulus that is two; a base of any value is reduced."""
    nbits, padded = halves.nbits, halves.padded_nbits
    padding = padded - nbits
    Half = mk_bits(nbits)
    s.halves = [Wire(Half) for _ in range(2)]
    s.padding = [Wire(mk_bits(max(padding, 1))) for _ in range(2)]
    for i in range(2):
        low = i * padded
        s.halves[i] //= s.modulus[low : low + nbits]
        if padding:
            s.padding[i] //= s.modulus[low + nbits : low + padded]
        else:
            s.padding[i] //= 0
    s.verdict.too_large //= 0
    s.verdict.other //= 0

    @update
    def comb_half_findings():
        s.verdict.wide @= s.wide | (s.padding[0] != 0) | (s.padding[1] != 0)
        s.verdict.too_small @= (s.halves[0] < min_modulus) | (s.halves[1] < min_modulus)
        s.verdict.even @= ~s.halves[0][0] | ~s.halves[1][0]
