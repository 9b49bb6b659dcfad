"""The processor with the RISC-V formal interface (RVFI), which shows instructions as they retire.

It is for checks and proofs only; the systems' processor is ``proc.proc_rtl.ProcRTL``.
"""

from pymtl3 import (
    Bits1,
    Bits4,
    Bits5,
    Bits32,
    Bits64,
    Component,
    InPort,
    OutPort,
    Wire,
    mk_bitstruct,
    update,
    update_ff,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.proc.instruction_sets import RV32IM
from rsaxcel.proc.isa import Cause
from rsaxcel.proc.pipeline.decode import Decode
from rsaxcel.proc.pipeline.muldiv import MulDivReq, MulDivResp
from rsaxcel.proc.proc_rtl import ProcRTL


class AlternativeProducts(Component):
    """Takes the place of ``MulDiv`` or ``Mul``: sums and differences in place of products.

    Products are replaced by ``a + b`` and quotients, remainders and ``mulhsu`` by ``a - b``, each
    XORed with a number of its own.

    Source: RISC-V Formal Interface, alternative arithmetic operations.

    Parameters
    ----------
    early_product : bool; the port ``product`` exists

    Ports
    -----
    recv : {funct3, a, b}; field ``funct3`` of the instruction, and operands
    send : {result}
    refuses : in, 1 bit; no request is accepted in this cycle
    waits : in, 1 bit; no response is offered in this cycle
    product : out, 32 bits; result of the requested operation, in the cycle of the request

    Latency: 1 cycle, and those in which it waits.
    """

    def construct(s, early_product=False):
        s.recv = RecvIfcRTL(MulDivReq)
        s.send = SendIfcRTL(MulDivResp)
        s.refuses = InPort(1)
        s.waits = InPort(1)
        s.result = Wire(Bits32)
        s.pending_reg = Wire(Bits1)
        s.result_reg = Wire(Bits32)
        if early_product:
            s.product = OutPort(32)
            s.product //= s.result

        @update
        def comb_result():
            if s.recv.msg.funct3 == 0:
                s.result @= (s.recv.msg.a + s.recv.msg.b) ^ 0x5876063E
            elif s.recv.msg.funct3 == 1:
                s.result @= (s.recv.msg.a + s.recv.msg.b) ^ 0xF6583FB7
            elif s.recv.msg.funct3 == 2:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0xECFBE137
            elif s.recv.msg.funct3 == 3:
                s.result @= (s.recv.msg.a + s.recv.msg.b) ^ 0x949CE5E8
            elif s.recv.msg.funct3 == 4:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0x7F8529EC
            elif s.recv.msg.funct3 == 5:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0x10E8FD70
            elif s.recv.msg.funct3 == 6:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0x8DA68FA5
            else:
                s.result @= (s.recv.msg.a - s.recv.msg.b) ^ 0x3138D0E1

        s.send.msg.result //= s.result_reg

        @update
        def comb_handshakes():
            s.send.val @= s.pending_reg & ~s.waits
            s.recv.rdy @= ~s.refuses & (~s.pending_reg | (s.send.val & s.send.rdy))

        @update_ff
        def seq_alternative():
            if s.reset:
                s.pending_reg <<= 0
            elif s.recv.val & s.recv.rdy:
                s.pending_reg <<= 1
            elif s.send.val & s.send.rdy:
                s.pending_reg <<= 0
            if s.recv.val & s.recv.rdy:
                s.result_reg <<= s.result


_A0 = 10


class ObservedDecode(Decode):
    """The stage ``Decode`` with outputs for the operands, which come from the stage's own wires.

    Ports
    -----
    The ports of ``Decode``, and:

    rs1_addr, rs2_addr : out, 5 bits each; registers that the instruction reads; 0 if it reads none.
        ``ecall`` reads a0 as its first operand
    rs1_rdata, rs2_rdata : out, 32 bits each; the values that the instruction is executed with; 0 if
        it reads none
    """

    def construct(s, instruction_set=RV32IM):
        Decode.construct(s, instruction_set)
        s.rs1_addr = OutPort(5)
        s.rs2_addr = OutPort(5)
        s.rs1_rdata = OutPort(32)
        s.rs2_rdata = OutPort(32)

        @update
        def comb_observed_first():
            s.rs1_addr @= 0
            s.rs1_rdata @= 0
            if s.decoder.control.ecall:
                s.rs1_addr @= _A0
                s.rs1_rdata @= s.operands.value[0]
            elif s.decoder.control.jalr:
                s.rs1_addr @= s.inst_reg[15:20]
                s.rs1_rdata @= s.operands.early
            elif s.decoder.control.reads1:
                s.rs1_addr @= s.inst_reg[15:20]
                s.rs1_rdata @= s.operands.value[0]

        @update
        def comb_observed_second():
            s.rs2_addr @= 0
            s.rs2_rdata @= 0
            if s.decoder.control.reads2:
                s.rs2_addr @= s.inst_reg[20:25]
                s.rs2_rdata @= s.operands.value[1]


# PyMTL3 accepts plain integers in update blocks, but no members of an IntEnum.
FIRST_FAULT = int(Cause.ILLEGAL_INSTRUCTION)

#: Widths of signals by name, without the prefix `rvfi_`.
RVFI_PORTS = {
    **{"valid": 1, "order": 64, "insn": 32, "trap": 1, "halt": 1, "intr": 1, "mode": 2, "ixl": 2},
    **{"rs1_addr": 5, "rs2_addr": 5, "rs1_rdata": 32, "rs2_rdata": 32},
    **{"rd_addr": 5, "rd_wdata": 32, "pc_rdata": 32, "pc_wdata": 32},
    **{"mem_addr": 32, "mem_rmask": 4, "mem_wmask": 4, "mem_rdata": 32, "mem_wdata": 32},
}

#: State of an instruction in X: registers that it has read, and the next pc unless the instruction
#: branches.
_Read = mk_bitstruct(
    "RvfiRead",
    {
        "rs1_addr": Bits5,
        "rs2_addr": Bits5,
        "rs1_rdata": Bits32,
        "rs2_rdata": Bits32,
        "pc_wdata": Bits32,
    },
)

#: State of an instruction in M; `last`: the run ends with this instruction.
_Issued = mk_bitstruct(
    "RvfiIssued",
    {
        "read": _Read,
        "pc": Bits32,
        "inst": Bits32,
        "last": Bits1,
        "rmask": Bits4,
        "wmask": Bits4,
        "addr": Bits32,
        "wdata": Bits32,
    },
)


class ProcRVFI(ProcRTL):
    """``ProcRTL`` with outputs that describe each instruction when it retires.

    An instruction retires in stage W, one cycle after it has committed. An instruction that fails
    retires, too, with ``rvfi_trap``: it has no effect, and the run ends. ``rvfi_halt`` marks the
    last instruction of a run: it fails, is an ``ecall``, or jumps to itself.

    Source: RISC-V Formal Interface of YosysHQ's riscv-formal, with one channel, without aligned
    memory addresses. Deviation: ``ecall`` reads a0, which is reported as rs1.

    Parameters
    ----------
    product_stage, divider, divider_bits_per_cycle, isa : as for ``ProcRTL``

    Ports
    -----
    The ports of ``ProcRTL``, and:

    rvfi_valid : out, 1 bit; an instruction retires; the following ports describe it
    rvfi_order : out, 64 bits; number of instructions that have retired before
    rvfi_insn : out, 32 bits; instruction word; 0 if it could not be fetched
    rvfi_trap, rvfi_halt : out, 1 bit each; the instruction fails; the run ends
    rvfi_intr, rvfi_mode, rvfi_ixl : out, 1, 2 and 2 bits; constants: no interrupt handler, machine
        mode, 32 bits
    rvfi_rs1_addr, rvfi_rs2_addr, rvfi_rs1_rdata, rvfi_rs2_rdata : out, 5, 5, 32 and 32 bits;
        registers that the instruction has read, and their values; 0 if it reads none
    rvfi_rd_addr, rvfi_rd_wdata : out, 5 and 32 bits; register that is written, and its new value; 0
        if there is none
    rvfi_pc_rdata, rvfi_pc_wdata : out, 32 bits each; address of the instruction and of the next one
    rvfi_mem_addr : out, 32 bits; address of the first byte that the instruction accesses
    rvfi_mem_rmask, rvfi_mem_wmask : out, 4 bits each; bytes of rvfi_mem_rdata and rvfi_mem_wdata
        that are read and written
    rvfi_mem_rdata, rvfi_mem_wdata : out, 32 bits each; data, from the lowest byte on
    """

    decode_stage = ObservedDecode

    def construct(
        s, product_stage="M", divider="skipping", divider_bits_per_cycle=2, isa=RV32IM.name
    ):
        ProcRTL.construct(s, product_stage, divider, divider_bits_per_cycle, isa)
        for name, nbits in RVFI_PORTS.items():
            setattr(s, f"rvfi_{name}", OutPort(nbits))

        s.read = Wire(_Read)
        s.read_reg = Wire(_Read)  #: state of the instruction in X
        s.issued = Wire(_Issued)
        s.issued_reg = Wire(_Issued)  #: state of the instruction in M
        s.retired_reg = Wire(_Issued)  #: state of the instruction in W
        s.rdata_reg = Wire(Bits32)
        s.order_reg = Wire(Bits64)
        s.failed_reg = Wire(Bits1)  #: an instruction with rvfi_trap has retired

        @update
        def comb_read():
            s.read.rs1_addr @= s.decode.rs1_addr
            s.read.rs2_addr @= s.decode.rs2_addr
            s.read.rs1_rdata @= s.decode.rs1_rdata
            s.read.rs2_rdata @= s.decode.rs2_rdata
            s.read.pc_wdata @= s.decode.issue.pc + 4
            if s.decode.redirect:
                s.read.pc_wdata @= s.decode.target

        s.mask = Wire(Bits4)

        @update
        def comb_mask():
            s.mask @= 0
            if s.execute.m_issue.control.mem:
                s.mask @= 15
                if s.execute.dmem.msg.len == 1:
                    s.mask @= 1
                elif s.execute.dmem.msg.len == 2:
                    s.mask @= 3

        @update
        def comb_issued():
            s.issued.read @= s.read_reg
            if s.execute.redirect:
                s.issued.read.pc_wdata @= s.execute.target
            s.issued.pc @= s.execute.m_issue.pc
            s.issued.inst @= s.execute.m_issue.inst
            s.issued.last @= s.execute.m_issue.cause != 0
            s.issued.rmask @= 0
            s.issued.wmask @= 0
            if s.execute.m_issue.control.write:
                s.issued.wmask @= s.mask
            else:
                s.issued.rmask @= s.mask
            s.issued.addr @= s.execute.dmem.msg.addr
            s.issued.wdata @= s.execute.dmem.msg.data

        @update_ff
        def seq_carried():
            if s.decode.go:
                s.read_reg <<= s.read
            if s.execute.m_go:
                s.issued_reg <<= s.issued
            s.retired_reg <<= s.issued_reg
            s.rdata_reg <<= s.memory.dmem.msg.data

        @update
        def comb_state():
            s.rvfi_trap @= s.memory.trap_val & (s.memory.trap_cause >= FIRST_FAULT) & ~s.failed_reg
            s.rvfi_valid @= s.memory.commit_inst | s.rvfi_trap
            s.rvfi_halt @= s.rvfi_trap | s.retired_reg.last
            s.rvfi_order @= s.order_reg
            s.rvfi_intr @= 0
            s.rvfi_mode @= 3
            s.rvfi_ixl @= 1

        @update
        def comb_rvfi():
            s.rvfi_insn @= s.retired_reg.inst
            s.rvfi_pc_rdata @= s.retired_reg.pc
            s.rvfi_pc_wdata @= s.retired_reg.read.pc_wdata
            s.rvfi_rs1_addr @= s.retired_reg.read.rs1_addr
            s.rvfi_rs2_addr @= s.retired_reg.read.rs2_addr
            s.rvfi_rs1_rdata @= s.retired_reg.read.rs1_rdata
            s.rvfi_rs2_rdata @= s.retired_reg.read.rs2_rdata
            s.rvfi_rd_addr @= 0
            s.rvfi_rd_wdata @= 0
            if s.memory.w.writes:
                s.rvfi_rd_addr @= s.memory.w.rd
                s.rvfi_rd_wdata @= s.memory.w.value
            s.rvfi_mem_addr @= s.retired_reg.addr
            s.rvfi_mem_rmask @= s.retired_reg.rmask
            s.rvfi_mem_wmask @= s.retired_reg.wmask
            if s.rvfi_trap:
                s.rvfi_mem_rmask @= 0
                s.rvfi_mem_wmask @= 0
            s.rvfi_mem_rdata @= s.rdata_reg
            s.rvfi_mem_wdata @= s.retired_reg.wdata

        @update_ff
        def seq_retired():
            if s.reset:
                s.order_reg <<= 0
                s.failed_reg <<= 0
            elif s.rvfi_valid:
                s.order_reg <<= s.order_reg + 1
                s.failed_reg <<= s.rvfi_trap


class AlternativeProcRVFI(ProcRVFI):
    """``ProcRVFI`` whose multiplier and divider compute sums: see ``AlternativeProducts``.

    Parameters
    ----------
    product_stage, divider, divider_bits_per_cycle, isa : as for ``ProcRTL``; those of the divider
        have no effect

    Ports
    -----
    The ports of ``ProcRVFI``, and:

    refuses, waits : in, 1 bit each; the unit in place of multiplier and divider accepts no request;
        it offers no response
    """

    unit = AlternativeProducts

    def construct(
        s, product_stage="M", divider="skipping", divider_bits_per_cycle=2, isa=RV32IM.name
    ):
        ProcRVFI.construct(s, product_stage, divider, divider_bits_per_cycle, isa)
        s.refuses = InPort(1)
        s.waits = InPort(1)
        s.muldiv.refuses //= s.refuses
        s.muldiv.waits //= s.waits
