"""Stage D that shows the registers which its instruction reads."""

from pymtl3 import OutPort, update

from rsaxcel.proc.instruction_sets import RV32IM
from rsaxcel.proc.pipeline.decode import Decode

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
