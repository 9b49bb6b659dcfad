"""Stages M and W of the processor: take responses, exchange messages, commit, end the run."""

from pymtl3 import (
    Bits1,
    Bits4,
    Bits5,
    Bits32,
    Component,
    InPort,
    OutPort,
    Wire,
    sext,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.xcel import XcelRespMsg
from rsaxcel.proc.instruction_sets import RV32IM
from rsaxcel.proc.isa import Cause
from rsaxcel.proc.pipeline.counters import Counters
from rsaxcel.proc.pipeline.messages import MemoryMsg, Result
from rsaxcel.proc.pipeline.muldiv import MulDivResp
from rsaxcel.proc.ports import MemRespMsg, Word

# PyMTL3 accepts plain integers in update blocks, but no members of an IntEnum.
ECALL, MISALIGNED, OUTSIDE = int(Cause.ECALL), int(Cause.MISALIGNED), int(Cause.OUTSIDE_MEMORY)
FIRST_FAULT = int(Cause.ILLEGAL_INSTRUCTION)


class Memory(Component):
    """Completes instructions in program order; an instruction that has left stage M can't fail.

    The instruction that ends the run stays in M until reset. The manager is the software or
    testbench around the processor, with which a program exchanges messages.

    Parameters
    ----------
    narrow_loads : tuple of str; loads of less than a word: those of RV32IM, ``lbu`` alone, or none

    Ports
    -----
    go : in, 1 bit; an instruction enters; 0 while this stage stalls
    issue : in, ``MemoryMsg``; the instruction that enters
    stalls : out, 1 bit; no instruction can enter
    dmem, xcel, muldiv : recv; responses of data memory, accelerator, and multiplier or divider
    mngr2proc : recv, 32 bits; messages from the manager
    proc2mngr : send, 32 bits; messages to the manager
    m, w : out, ``Result`` each; result of the instruction in M, and result that is written to the
        registers in this cycle
    core_id : in, 32 bits; ``proc.ports`` describes this port and the following ones
    stats_en, commit_inst, trap_val : out, 1 bit each
    trap_cause : out, 4 bits
    trap_pc, trap_inst, trap_value : out, 32 bits each
    """

    def construct(s, narrow_loads=RV32IM.narrow_loads):
        s.go = InPort(1)
        s.issue = InPort(MemoryMsg)
        s.stalls = OutPort(1)
        s.dmem = RecvIfcRTL(MemRespMsg)
        s.xcel = RecvIfcRTL(XcelRespMsg)
        s.muldiv = RecvIfcRTL(MulDivResp)
        s.mngr2proc = RecvIfcRTL(Word)
        s.proc2mngr = SendIfcRTL(Word)
        s.m = OutPort(Result)
        s.w = OutPort(Result)
        s.core_id = InPort(32)
        s.stats_en = OutPort(1)
        s.commit_inst = OutPort(1)
        s.trap_val = OutPort(1)
        s.trap_cause = OutPort(4)
        s.trap_pc = OutPort(32)
        s.trap_inst = OutPort(32)
        s.trap_value = OutPort(32)

        s.valid_reg = Wire(Bits1)
        s.msg_reg = Wire(MemoryMsg)
        s.ended_reg = Wire(Bits1)
        s.stats_reg = Wire(Bits1)
        s.commit_reg = Wire(Bits1)
        s.cause_reg = Wire(Bits4)
        s.writes_reg = Wire(Bits1)
        s.rd_reg = Wire(Bits5)
        s.value_reg = Wire(Bits32)

        s.waits = Wire(Bits1)
        s.faults = Wire(Bits1)
        s.commits = Wire(Bits1)

        @update
        def comb_waits():
            s.waits @= (
                (s.msg_reg.control.mem & ~s.dmem.val)
                | (s.msg_reg.control.xcel & ~s.xcel.val)
                | (s.msg_reg.control.muldiv & ~s.muldiv.val)
                | (s.msg_reg.control.from_mngr & ~s.mngr2proc.val)
                | (s.msg_reg.control.to_mngr & ~s.proc2mngr.rdy)
            )
            s.faults @= s.msg_reg.control.mem & s.dmem.val & (s.dmem.msg.test != 0)
            s.stalls @= s.valid_reg & (s.waits | s.faults | (s.cause_reg != 0))
            s.commits @= (
                s.valid_reg & ~s.ended_reg & ~s.waits & ~s.faults & (s.cause_reg < FIRST_FAULT)
            )

        @update
        def comb_handshakes():
            s.dmem.rdy @= s.valid_reg & s.msg_reg.control.mem & ~s.ended_reg
            s.xcel.rdy @= s.valid_reg & s.msg_reg.control.xcel
            s.muldiv.rdy @= s.valid_reg & s.msg_reg.control.muldiv
            s.mngr2proc.rdy @= s.valid_reg & s.msg_reg.control.from_mngr
            s.proc2mngr.val @= s.valid_reg & s.msg_reg.control.to_mngr
            s.proc2mngr.msg @= s.msg_reg.result

        s.counters = Counters()
        s.counters.core_id //= s.core_id
        s.counters.commits //= s.commits
        s.counters.select //= s.msg_reg.control.csr
        s.loaded = Wire(Bits32)

        if narrow_loads == RV32IM.narrow_loads:

            @update
            def comb_loaded():
                s.loaded @= s.dmem.msg.data
                if s.msg_reg.inst[12:15] == 0:
                    s.loaded @= sext(s.dmem.msg.data[0:8], 32)
                elif s.msg_reg.inst[12:15] == 1:
                    s.loaded @= sext(s.dmem.msg.data[0:16], 32)
                elif s.msg_reg.inst[12:15] == 4:
                    s.loaded @= zext(s.dmem.msg.data[0:8], 32)
                elif s.msg_reg.inst[12:15] == 5:
                    s.loaded @= zext(s.dmem.msg.data[0:16], 32)

        elif narrow_loads:

            @update
            def comb_byte_or_word():
                s.loaded @= s.dmem.msg.data
                if s.msg_reg.inst[14]:
                    s.loaded @= zext(s.dmem.msg.data[0:8], 32)

        else:
            s.loaded //= s.dmem.msg.data

        @update
        def comb_result():
            s.m.writes @= s.valid_reg & s.msg_reg.writes
            s.m.rd @= s.msg_reg.inst[7:12]
            if s.msg_reg.control.mem:
                s.m.value @= s.loaded
            elif s.msg_reg.control.muldiv:
                s.m.value @= s.muldiv.msg.result
            elif s.msg_reg.control.xcel:
                s.m.value @= s.xcel.msg.data
            elif s.msg_reg.control.from_mngr:
                s.m.value @= s.mngr2proc.msg
            elif s.msg_reg.control.csr != 0:
                s.m.value @= s.counters.value
            else:
                s.m.value @= s.msg_reg.result

        s.w.writes //= s.writes_reg
        s.w.rd //= s.rd_reg
        s.w.value //= s.value_reg

        # trap_val rises when the last instruction that commits has passed stage W.
        @update
        def comb_end():
            s.stats_en @= s.stats_reg
            s.commit_inst @= s.commit_reg
            s.trap_val @= s.ended_reg & ~s.commit_reg
            s.trap_cause @= 0
            if s.trap_val:
                s.trap_cause @= s.cause_reg
            s.trap_pc @= s.msg_reg.pc
            s.trap_inst @= s.msg_reg.inst
            s.trap_value @= 0
            if (s.cause_reg == ECALL) | (s.cause_reg >= MISALIGNED):
                s.trap_value @= s.msg_reg.result

        @update_ff
        def seq_memory():
            if s.reset:
                s.valid_reg <<= 0
                s.ended_reg <<= 0
                s.stats_reg <<= 0
                s.commit_reg <<= 0
            else:
                if ~s.stalls:
                    s.valid_reg <<= s.go
                if s.valid_reg & (s.faults | (s.cause_reg != 0)):
                    s.ended_reg <<= 1
                if s.commits & s.msg_reg.control.stats:
                    s.stats_reg <<= s.msg_reg.result[0]
                s.commit_reg <<= s.commits
            if s.go:
                s.msg_reg <<= s.issue
                s.cause_reg <<= s.issue.cause
            elif s.valid_reg & s.faults:
                s.cause_reg <<= OUTSIDE
            # writes_reg is not reset: a write just after reset changes a register that is undefined
            # anyway, and no instruction reads the result of W so early.
            s.writes_reg <<= s.commits & s.msg_reg.writes
            if s.commits:
                s.rd_reg <<= s.m.rd
                s.value_reg <<= s.m.value
