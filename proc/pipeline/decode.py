"""Stage D of the processor: decodes an instruction, reads its operands, executes jumps."""

from pymtl3 import Bits1, Bits4, Bits32, Component, InPort, OutPort, Wire, concat, update, update_ff

from rsaxcel.proc.instruction_sets import RV32IM
from rsaxcel.proc.isa import Cause
from rsaxcel.proc.pipeline.control import Op1, Op2
from rsaxcel.proc.pipeline.decoder import Decoder
from rsaxcel.proc.pipeline.messages import ExecuteMsg, Result
from rsaxcel.proc.pipeline.operands import Operands

# PyMTL3 accepts plain integers in update blocks, but no members of an IntEnum.
OP1_PC, OP1_RS1 = int(Op1.PC), int(Op1.RS1)
OP2_IMM, OP2_RS2 = int(Op2.IMM), int(Op2.RS2)
ECALL, ILLEGAL = int(Cause.ECALL), int(Cause.ILLEGAL_INSTRUCTION)
MISALIGNED, OUTSIDE = int(Cause.MISALIGNED), int(Cause.OUTSIDE_MEMORY)


class Decode(Component):
    """Holds one instruction until its operands are available and stage X can accept it.

    The stages of the pipeline are F, D, X, M, W (``proc.proc_rtl``).

    Parameters
    ----------
    instruction_set : InstructionSet; instructions of the processor; any other word is illegal

    Ports
    -----
    valid : in, 1 bit; F offers an instruction
    pc, inst : in, 32 bits each; address and word of the offered instruction
    outside : in, 1 bit; the address of the offered instruction is outside the memory
    take : out, 1 bit; the offered instruction is taken
    squash : in, 1 bit; cancels the instruction in this stage and the offered instruction
    redirect : out, 1 bit; a jump leaves this stage
    target : out, 32 bits; target of the jump
    x, m, w : in, ``Result`` each; results of the instructions in X, M and W
    x_late : in, 1 bit; the result of the instruction in X is not available yet
    x_stalls : in, 1 bit; X can accept no instruction
    go : out, 1 bit; the instruction passes to X
    issue : out, ``ExecuteMsg``; the message to X
    """

    def construct(s, instruction_set=RV32IM):
        s.valid = InPort(1)
        s.pc = InPort(32)
        s.inst = InPort(32)
        s.outside = InPort(1)
        s.take = OutPort(1)
        s.squash = InPort(1)
        s.redirect = OutPort(1)
        s.target = OutPort(32)
        s.x = InPort(Result)
        s.m = InPort(Result)
        s.w = InPort(Result)
        s.x_late = InPort(1)
        s.x_stalls = InPort(1)
        s.go = OutPort(1)
        s.issue = OutPort(ExecuteMsg)

        s.valid_reg = Wire(Bits1)
        s.outside_reg = Wire(Bits1)
        s.pc_reg = Wire(Bits32)
        s.inst_reg = Wire(Bits32)

        s.decoder = Decoder(instruction_set)
        s.decoder.inst //= s.inst_reg
        s.operands = Operands()
        s.operands.x //= s.x
        s.operands.m //= s.m
        s.operands.w //= s.w

        @update
        def comb_registers():
            s.operands.rs[0] @= s.inst_reg[15:20]
            s.operands.rs[1] @= s.inst_reg[20:25]
            if s.decoder.control.ecall:
                s.operands.rs[0] @= 10

        s.base = Wire(Bits32)
        s.sum = Wire(Bits32)

        # A jump relative to a register (jalr) waits until the register's value has reached W: the
        # path from a result of X or M through the adder to the instruction memory is too long for
        # one cycle.
        @update
        def comb_target():
            s.base @= s.pc_reg
            if s.decoder.control.jalr:
                s.base @= s.operands.early
            s.sum @= s.base + s.decoder.imm
            s.target @= concat(s.sum[1:32], Bits1(0))

        s.cause = Wire(Bits4)

        @update
        def comb_cause():
            s.cause @= 0
            if s.outside_reg:
                s.cause @= OUTSIDE
            elif s.decoder.illegal:
                s.cause @= ILLEGAL
            elif s.decoder.control.ecall:
                s.cause @= ECALL
            elif s.decoder.control.jump & s.target[1]:
                s.cause @= MISALIGNED

        s.stalls = Wire(Bits1)

        @update
        def comb_flow():
            s.stalls @= (
                s.x_stalls
                | (s.x_late & s.decoder.control.reads1 & s.operands.in_x[0])
                | (s.x_late & s.decoder.control.reads2 & s.operands.in_x[1])
                | (s.decoder.control.jalr & s.operands.pending)
            )
            s.take @= ~s.valid_reg | ~s.stalls
            s.go @= s.valid_reg & ~s.stalls & ~s.squash
            s.redirect @= s.go & s.decoder.control.jump & (s.cause == 0)

        @update
        def comb_issue():
            s.issue.control @= s.decoder.control
            s.issue.writes @= s.decoder.control.writes & (s.inst_reg[7:12] != 0)
            s.issue.cause @= s.cause
            s.issue.pc @= s.pc_reg
            s.issue.inst @= s.inst_reg
            s.issue.data @= s.operands.value[1]
            s.issue.target @= s.target
            if s.decoder.control.op1 == OP1_PC:
                s.issue.op1 @= s.pc_reg
            elif s.decoder.control.op1 == OP1_RS1:
                s.issue.op1 @= s.operands.value[0]
            else:
                s.issue.op1 @= 0
            if s.decoder.control.op2 == OP2_IMM:
                s.issue.op2 @= s.decoder.imm
            elif s.decoder.control.op2 == OP2_RS2:
                s.issue.op2 @= s.operands.value[1]
            else:
                s.issue.op2 @= 4

        @update_ff
        def seq_decode():
            if s.reset:
                s.valid_reg <<= 0
            elif s.squash | s.redirect:
                s.valid_reg <<= 0
            elif s.take:
                s.valid_reg <<= s.valid
            if s.take & s.valid:
                s.pc_reg <<= s.pc
                s.inst_reg <<= s.inst
                s.outside_reg <<= s.outside
