"""Ports and messages of the processor, which are the same at every level."""

from pymtl3 import Component, InPort, OutPort, mk_bits
from pymtl3.stdlib.mem import mk_mem_msg
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.xcel import XcelReqMsg, XcelRespMsg
from rsaxcel.proc.isa import XLEN

Word = mk_bits(XLEN)

#: Request {type_, opaque, addr, len, data}, response {type_, opaque, test, len, data}. `len` is in
#: bytes, 0 stands for 4; data are in the lowest bytes. `test` = 1: the access was outside the
#: memory; a write has changed nothing.
MemReqMsg, MemRespMsg = mk_mem_msg(8, XLEN, XLEN)


#: Ports of a system: a processor with its accelerator.
SYSTEM_PORTS = (
    "imem",
    "dmem",
    "mngr2proc",
    "proc2mngr",
    "core_id",
    "stats_en",
    "commit_inst",
    "trap_val",
    "trap_cause",
    "trap_pc",
    "trap_inst",
    "trap_value",
)


def add_system_ports(s: Component) -> None:
    """Add the ports of a processor with its accelerator to a component.

    ``stats_en`` and the outputs after it come from registers alone. The manager is the software or
    testbench around the processor.

    Ports
    -----
    imem, dmem : master; instruction and data memory; a fetch that is accepted after a write
        returns the written data
    mngr2proc, proc2mngr : recv and send, 32 bits; messages from the manager, and to it
    core_id : in, 32 bits; value of the control register ``coreid``
    stats_en : out, 1 bit; the bit last written to the control register of this name
    commit_inst : out, 1 bit; high for one cycle per instruction that commits
    trap_val : out, 1 bit; the program has ended; held until reset
    trap_cause : out, 4 bits; ``proc.isa.Cause``, 0 until the end
    trap_pc, trap_inst : out, 32 bits each; address and word of the last instruction, once trap_val
        is 1; the word is 0 if it could not be fetched. Before the end, trap_pc is the address of
        the current instruction; in a pipeline, this is the last instruction that reached stage M
    trap_value : out, 32 bits; a0 at an ``ecall``, the address of a misaligned access or jump target
        or of an access outside the memory, else 0
    """
    s.imem = MasterIfcRTL(MemReqMsg, MemRespMsg)
    s.dmem = MasterIfcRTL(MemReqMsg, MemRespMsg)
    s.mngr2proc = RecvIfcRTL(Word)
    s.proc2mngr = SendIfcRTL(Word)
    s.core_id = InPort(Word)
    s.stats_en = OutPort(1)
    s.commit_inst = OutPort(1)
    s.trap_val = OutPort(1)
    s.trap_cause = OutPort(4)
    s.trap_pc = OutPort(Word)
    s.trap_inst = OutPort(Word)
    s.trap_value = OutPort(Word)


def add_processor_ports(s: Component) -> None:
    """Add the ports of a system, and ``xcel``: master.

    Req {type_, addr, data}, resp {type_, data}.
    """
    add_system_ports(s)
    s.xcel = MasterIfcRTL(XcelReqMsg, XcelRespMsg)
