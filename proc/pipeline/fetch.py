"""Stage F: requests instructions ahead, drops those that a jump made useless."""

from pymtl3 import Bits1, Bits32, Component, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from proc.isa import RESET_VECTOR
from proc.ports import MemReqMsg, MemRespMsg


class Fetch(Component):
    """Delivers instructions in order, one per cycle from a memory that answers in one cycle.

    The address of a request that has not been accepted changes at a redirection.

    Ports
    -----
    imem : master; instruction memory
    redirect : in, 1 bit; the next instruction is the one at ``target``; what is shown in this cycle
        and what has been requested is dropped
    target : in, 32 bits; a multiple of 4
    take : in, 1 bit; the instruction shown is taken
    valid : out, 1 bit; an instruction is there
    pc, inst : out, 32 bits each; its address and the word, 0 where the memory says that it is
        outside
    outside : out, 1 bit; the memory says so
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
        s.requested_reg = Wire(Bits1)  # else pc_reg is still to be requested
        # At most one response is to be dropped: nothing redirects before the next one is there.
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
