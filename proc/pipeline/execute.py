"""Stage X of the processor: computes, decides branches, sends requests; with its ALU."""

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
    update_ff,
    zext,
)
from pymtl3.stdlib.mem import MemMsgType
from pymtl3.stdlib.stream.ifcs import SendIfcRTL

from rsaxcel.fl.xcel import XcelReqMsg
from rsaxcel.proc.isa import Cause
from rsaxcel.proc.pipeline.control import AluOperation
from rsaxcel.proc.pipeline.messages import ExecuteMsg, MemoryMsg, Result
from rsaxcel.proc.pipeline.muldiv import MulDivReq
from rsaxcel.proc.ports import MemReqMsg

# PyMTL3 accepts plain integers in update blocks, but no members of an IntEnum.
SLL, SLT, SLTU, XOR, SRL = (
    int(AluOperation[name]) for name in ("SLL", "SLT", "SLTU", "XOR", "SRL")
)
OR, AND, ADD, SRA = (int(AluOperation[name]) for name in ("OR", "AND", "ADD", "SRA"))
MISALIGNED, SELF_JUMP = int(Cause.MISALIGNED), int(Cause.SELF_JUMP)
READ, WRITE = int(MemMsgType.READ), int(MemMsgType.WRITE)


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
        s.shifted_right = Wire(Bits64)  #: the lower half of shifted_right is the result

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


class Execute(Component):
    """Executes an instruction in one cycle, plus stall cycles until its request is accepted.

    Only some instructions send a request: to memory, accelerator, multiplier or divider.

    The stages of the pipeline are F, D, X, M, W (``proc.proc_rtl``).

    Parameters
    ----------
    early_product : bool; the result of a multiplication is available in this stage; otherwise in M

    Ports
    -----
    go : in, 1 bit; an instruction enters; 0 while this stage stalls
    issue : in, ``ExecuteMsg``; the instruction that enters
    stalls : out, 1 bit; no instruction can enter
    result : out, ``Result``; result of the instruction in this stage
    late : out, 1 bit; the result is available in M only
    redirect : out, 1 bit; a taken branch leaves this stage
    target : out, 32 bits; target of the branch
    dmem, xcel, muldiv : send; requests to data memory, accelerator, and multiplier or divider
    product : in, 32 bits; product of the operands in the request to muldiv; the port exists with
        ``early_product`` only
    m_stalls : in, 1 bit; M can accept no instruction
    m_go : out, 1 bit; the instruction passes to M
    m_issue : out, ``MemoryMsg``; the message to M
    """

    def construct(s, early_product=False):
        s.go = InPort(1)
        s.issue = InPort(ExecuteMsg)
        s.stalls = OutPort(1)
        s.result = OutPort(Result)
        s.late = OutPort(1)
        s.redirect = OutPort(1)
        s.target = OutPort(32)
        s.dmem = SendIfcRTL(MemReqMsg)
        s.xcel = SendIfcRTL(XcelReqMsg)
        s.muldiv = SendIfcRTL(MulDivReq)
        s.m_stalls = InPort(1)
        s.m_go = OutPort(1)
        s.m_issue = OutPort(MemoryMsg)

        s.valid_reg = Wire(Bits1)
        s.msg_reg = Wire(ExecuteMsg)
        s.alu = Alu()
        s.alu.op1 //= s.msg_reg.op1
        s.alu.op2 //= s.msg_reg.op2
        s.alu.operation //= s.msg_reg.control.alu

        s.holds = Wire(Bits1)  #: rs1 == rs2, or rs1 < rs2; funct3[0] then inverts the condition
        s.taken = Wire(Bits1)
        s.misaligned = Wire(Bits1)
        s.to_itself = Wire(Bits1)  #: the target is the address of the instruction

        @update
        def comb_branch():
            if ~s.msg_reg.inst[14]:
                s.holds @= s.alu.equal
            elif s.msg_reg.inst[13]:
                s.holds @= s.alu.less_unsigned
            else:
                s.holds @= s.alu.less
            s.taken @= s.msg_reg.control.branch & (s.holds ^ s.msg_reg.inst[12])
            s.redirect @= s.valid_reg & ~s.m_stalls & s.taken & ~s.msg_reg.target[1]

        @update
        def comb_misaligned():
            s.misaligned @= 0
            if s.msg_reg.inst[12:14] == 1:
                s.misaligned @= s.alu.total[0]
            elif s.msg_reg.inst[12:14] == 2:
                s.misaligned @= s.alu.total[0] | s.alu.total[1]

        s.target //= s.msg_reg.target

        # A jump to itself ends the run. Such a jump redirects stage F as other jumps do, but is not
        # executed again, because stage M holds the jump and stalls for ever.
        @update
        def comb_to_itself():
            s.to_itself @= s.msg_reg.target == s.msg_reg.pc

        s.accesses = Wire(Bits1)
        s.active = Wire(Bits1)

        @update
        def comb_requests():
            s.active @= s.valid_reg & ~s.m_stalls
            s.accesses @= s.msg_reg.control.mem & ~s.misaligned
            s.dmem.val @= s.active & s.accesses
            s.xcel.val @= s.active & s.msg_reg.control.xcel
            s.muldiv.val @= s.active & s.msg_reg.control.muldiv

        @update
        def comb_messages():
            s.dmem.msg.type_ @= READ
            if s.msg_reg.control.write:
                s.dmem.msg.type_ @= WRITE
            s.dmem.msg.opaque @= 0
            s.dmem.msg.addr @= s.alu.total
            s.dmem.msg.len @= 0
            if ~s.msg_reg.inst[13]:
                s.dmem.msg.len @= zext(s.msg_reg.inst[12], 2) + 1
            s.dmem.msg.data @= s.msg_reg.data
            s.xcel.msg.type_ @= s.msg_reg.control.write
            s.xcel.msg.addr @= s.msg_reg.inst[20:25]
            s.xcel.msg.data @= s.alu.total
            s.muldiv.msg.funct3 @= s.msg_reg.inst[12:15]

        # Multiplier and divider have operand registers of their own. These registers keep their
        # values during other instructions, so that the multiplier does not toggle. And the
        # multiplier's critical path does not start at registers that also drive the ALU.
        s.a_reg = Wire(Bits32)
        s.b_reg = Wire(Bits32)
        s.muldiv.msg.a //= s.a_reg
        s.muldiv.msg.b //= s.b_reg

        @update
        def comb_flow():
            s.stalls @= s.m_stalls | (
                s.valid_reg
                & (
                    (s.accesses & ~s.dmem.rdy)
                    | (s.msg_reg.control.xcel & ~s.xcel.rdy)
                    | (s.msg_reg.control.muldiv & ~s.muldiv.rdy)
                )
            )
            s.m_go @= s.valid_reg & ~s.stalls

        s.multiplies = Wire(Bits1)
        s.value = Wire(Bits32)
        if early_product:
            s.product = InPort(32)

            @update
            def comb_multiplies():
                s.multiplies @= s.msg_reg.control.muldiv & ~s.msg_reg.inst[14]

            @update
            def comb_value():
                s.value @= s.alu.result
                if s.multiplies:
                    s.value @= s.product

        else:
            s.multiplies //= 0
            s.value //= s.alu.result

        @update
        def comb_result():
            s.result.writes @= s.valid_reg & s.msg_reg.writes
            s.result.rd @= s.msg_reg.inst[7:12]
            s.result.value @= s.value
            s.late @= s.msg_reg.control.late & ~s.multiplies
            s.m_issue.control @= s.msg_reg.control
            s.m_issue.control.mem @= s.accesses
            s.m_issue.writes @= s.msg_reg.writes
            s.m_issue.cause @= s.msg_reg.cause
            s.m_issue.pc @= s.msg_reg.pc
            s.m_issue.inst @= s.msg_reg.inst
            s.m_issue.result @= s.alu.result
            if s.msg_reg.control.mem & s.misaligned:
                s.m_issue.cause @= MISALIGNED
            elif (s.taken & s.msg_reg.target[1]) | (s.msg_reg.cause == MISALIGNED):
                s.m_issue.cause @= MISALIGNED
                s.m_issue.result @= s.msg_reg.target
            elif (s.taken | s.msg_reg.control.jump) & s.to_itself:
                s.m_issue.cause @= SELF_JUMP

        @update_ff
        def seq_execute():
            if s.reset:
                s.valid_reg <<= 0
            elif ~s.stalls:
                s.valid_reg <<= s.go
            if s.go:
                s.msg_reg <<= s.issue
            if s.go & s.issue.control.muldiv:
                s.a_reg <<= s.issue.op1
                s.b_reg <<= s.issue.op2
