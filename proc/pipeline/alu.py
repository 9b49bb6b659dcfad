"""Arithmetic logic unit (ALU) with comparator."""

from pymtl3 import (
    Bits1,
    Bits32,
    Bits33,
    Bits64,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    update,
    zext,
)

from rsaxcel.proc.pipeline.control import AluOperation

# PyMTL3 accepts plain integers in update blocks, but no members of an IntEnum.
SLL, SLT, SLTU, XOR, SRL = (
    int(AluOperation[name]) for name in ("SLL", "SLT", "SLTU", "XOR", "SRL")
)
OR, AND, ADD, SRA = (int(AluOperation[name]) for name in ("OR", "AND", "ADD", "SRA"))


class Alu(Component):
    """Arithmetic, logic, shifts and comparisons on 32 bits.

    Ports
    -----
    op1, op2 : in, 32 bits each; the lowest 5 bits of op2 are the amount of a shift
    operation : in, 4 bits; ``proc.pipeline.control.AluOperation``
    result : out, 32 bits
    total : out, 32 bits; op1 + op2 if the operation is ADD; for addresses, because the path to it
        is shorter than the path to ``result``
    equal, less, less_unsigned : out, 1 bit each; op1 compared with op2, valid unless the operation
        is ADD

    Combinational.
    """

    def construct(s):
        s.op1 = InPort(32)
        s.op2 = InPort(32)
        s.operation = InPort(4)
        s.result = OutPort(32)
        s.total = OutPort(32)
        s.equal = OutPort(1)
        s.less = OutPort(1)
        s.less_unsigned = OutPort(1)

        s.addend = Wire(Bits32)
        s.carry_in = Wire(Bits1)
        s.sum = Wire(Bits33)
        s.fill = Wire(Bits32)
        s.shifted_left = Wire(Bits32)
        s.shifted_right = Wire(Bits64)  # the lower half is the result

        # The adder subtracts for every operation except ADD, because comparisons use the
        # difference.
        @update
        def comb_sum():
            s.carry_in @= s.operation != ADD
            s.addend @= s.op2
            if s.carry_in:
                s.addend @= ~s.op2
            s.sum @= zext(s.op1, Bits33) + zext(s.addend, Bits33) + zext(s.carry_in, Bits33)
            s.total @= s.sum[0:32]

        @update
        def comb_compare():
            s.equal @= s.op1 == s.op2
            s.less_unsigned @= ~s.sum[32]
            s.less @= ~s.sum[32]
            if s.op1[31] ^ s.op2[31]:
                s.less @= s.op1[31]

        @update
        def comb_shift():
            s.fill @= 0
            if s.op1[31] & (s.operation == SRA):
                s.fill @= 0xFFFFFFFF
            s.shifted_right @= concat(s.fill, s.op1) >> zext(s.op2[0:5], 64)
            s.shifted_left @= s.op1 << zext(s.op2[0:5], 32)

        @update
        def comb_result():
            if s.operation == SLL:
                s.result @= s.shifted_left
            elif s.operation == SLT:
                s.result @= zext(s.less, 32)
            elif s.operation == SLTU:
                s.result @= zext(s.less_unsigned, 32)
            elif s.operation == XOR:
                s.result @= s.op1 ^ s.op2
            elif (s.operation == SRL) | (s.operation == SRA):
                s.result @= s.shifted_right[0:32]
            elif s.operation == OR:
                s.result @= s.op1 | s.op2
            elif s.operation == AND:
                s.result @= s.op1 & s.op2
            else:
                s.result @= s.sum[0:32]
