"""The input rules as a circuit."""

from pymtl3 import Component, InPort, OutPort, mk_bits, update

from fl.status import STATUS_NBITS, InputRules, Status


class OperandCheck(Component):
    """Status of registered operands, in the order that ``InputRules`` states.

    Parameters
    ----------
    rules : fl.status.InputRules
        Width and rules.

    Ports
    -----
    base, modulus : the operands
    wide : an operand did not fit the registers
    status : 0 where every rule holds

    Combinational.
    """

    def construct(s, rules: InputRules):
        Value = mk_bits(rules.nbits)
        s.base = InPort(Value)
        s.modulus = InPort(Value)
        s.wide = InPort(1)
        s.status = OutPort(STATUS_NBITS)
        min_modulus = rules.min_modulus
        odd = int(rules.odd_modulus)
        too_small, even = int(Status.MODULUS_TOO_SMALL), int(Status.MODULUS_EVEN)
        too_large, too_wide = int(Status.BASE_TOO_LARGE), int(Status.OPERAND_TOO_WIDE)

        @update
        def comb_status():
            s.status @= 0
            if s.wide:
                s.status @= too_wide
            elif s.modulus < min_modulus:
                s.status @= too_small
            elif ~s.modulus[0] & odd:
                s.status @= even
            elif s.base >= s.modulus:
                s.status @= too_large
