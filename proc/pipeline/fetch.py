"""Stage F of the processor: fetches instructions ahead, and drops them after a jump or branch."""

from pymtl3 import Bits1, Bits32, Component, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from rsaxcel.proc.isa import RESET_VECTOR
from rsaxcel.proc.ports import MemReqMsg, MemRespMsg


class Fetch(Component):
    """Delivers instructions in order, one per cycle if the memory answers in one cycle.

    A redirection (a jump or taken branch) also changes the address of a pending request that the
    memory has not accepted.

    Ports
    -----
    imem : master; instruction memory
    redirect : in, 1 bit; fetch continues at ``target``; the instruction that is offered in this
        cycle, and an instruction that has been requested, are dropped
    target : in, 32 bits; a multiple of 4
    take : in, 1 bit; the offered instruction is taken
    valid : out, 1 bit; an instruction is offered
    pc, inst : out, 32 bits each; address and word of the offered instruction; the word is 0 if the
        address is outside the memory
    outside : out, 1 bit; the memory answers that the address is outside
    """

    def construct(s):
        s.imem = MasterIfcRTL(MemReqMsg, MemRespMsg)
        s.redirect = InPort(1)
        s.target = InPort(32)
        s.take = InPort(1)
        s.valid = OutPort(1)
        s.pc = OutPort(32)
        s.inst = OutPort(32)
        s.outside = OutPort(1)

        s.pc_reg = Wire(Bits32)
        s.requested_reg = Wire(Bits1)  #: the instruction at pc_reg has been requested
        #: 1: the next response is dropped. There is at most one such response, since no second
        #: redirection comes before the next instruction is delivered.
        s.drop_reg = Wire(Bits1)
        s.next = Wire(Bits1)
        s.next_pc = Wire(Bits32)

        @update
        def comb_response():
            s.valid @= s.imem.resp.val & s.requested_reg & ~s.drop_reg
            s.imem.resp.rdy @= s.drop_reg | s.redirect | s.take
            s.outside @= s.imem.resp.msg.test != 0
            s.inst @= s.imem.resp.msg.data
            if s.outside:
                s.inst @= 0

        @update
        def comb_request():
            s.next @= s.redirect | ~s.requested_reg | (s.valid & s.take)
            s.next_pc @= s.pc_reg
            if s.redirect:
                s.next_pc @= s.target
            elif s.requested_reg:
                s.next_pc @= s.pc_reg + 4
            s.imem.req.val @= s.next & ~s.reset

        s.pc //= s.pc_reg
        s.imem.req.msg.type_ //= 0
        s.imem.req.msg.opaque //= 0
        s.imem.req.msg.addr //= s.next_pc
        s.imem.req.msg.len //= 0
        s.imem.req.msg.data //= 0

        @update_ff
        def seq_fetch():
            if s.reset:
                s.pc_reg <<= RESET_VECTOR
                s.requested_reg <<= 0
                s.drop_reg <<= 0
            else:
                if s.next:
                    s.pc_reg <<= s.next_pc
                    s.requested_reg <<= s.imem.req.rdy
                if s.redirect & s.requested_reg & ~s.valid:
                    s.drop_reg <<= 1
                elif s.imem.resp.val:
                    s.drop_reg <<= 0

    def line_trace(s):
        return f"{s.pc_reg}" if s.valid else "        "
