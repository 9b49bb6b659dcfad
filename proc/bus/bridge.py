"""BusBridge: splits the processor's data port between the memory and AXI4-Lite."""

from pymtl3 import Bits1, Bits32, Component, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.mem import MemMsgType
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, MinionIfcRTL

from rsaxcel.fl.bus import ALL_BYTES
from rsaxcel.fl.register_map import ADDRESS_NBITS
from rsaxcel.proc.bus.device import BUS_BIT
from rsaxcel.proc.ports import MemReqMsg, MemRespMsg
from rsaxcel.rtl.axi.slave import OKAY, AxiLiteMasterIfc

WRITE = int(MemMsgType.WRITE)


class BusBridge(Component):
    """Forwards requests for addresses from ``BUS_BASE`` on to the bus, all others to the memory.

    Three kinds of accesses to the bus fail: an access to a byte or half word (the bus accepts words
    only), an access beyond the 4 KiB of the accelerator, and an access that the slave answers with
    an error. Failed accesses change nothing. Their response has ``test`` = 1, like the response to
    an access outside the memory.

    Ports
    -----
    proc : minion; the processor's data port; a request may come in the cycle in which the response
        to the preceding request is taken, not earlier
    mem : master; the memory
    axi : master; AXI4-Lite; ``b.rdy`` and ``r.rdy`` depend on ``proc.resp.rdy`` in the same cycle,
        all other outputs come from registers

    Latency: 0 cycles to the memory and back. A request for the bus is answered 1 cycle later than
    by the slave alone, or after 1 cycle if the request is wrong and not forwarded.
    """

    def construct(s):
        s.proc = MinionIfcRTL(MemReqMsg, MemRespMsg)
        s.mem = MasterIfcRTL(MemReqMsg, MemRespMsg)
        s.axi = AxiLiteMasterIfc()
        s.owed_reg = Wire(Bits1)  #: the next response is for a request to the bus
        #: this request is wrong: the bridge has not forwarded it to the slave
        s.wrong_reg = Wire(Bits1)
        s.write_reg = Wire(Bits1)
        #: 1: the slave has not accepted the message on this AXI channel (aw, w, ar) yet.
        s.aw_reg = Wire(Bits1)
        s.w_reg = Wire(Bits1)
        s.ar_reg = Wire(Bits1)
        s.address_reg = Wire(mk_bits(ADDRESS_NBITS))
        s.data_reg = Wire(Bits32)

        s.for_bus = Wire(Bits1)
        s.accepts = Wire(Bits1)
        s.wrong = Wire(Bits1)
        s.mem.req.msg //= s.proc.req.msg

        @update
        def comb_request():
            s.for_bus @= s.proc.req.msg.addr[BUS_BIT]
            s.mem.req.val @= s.proc.req.val & ~s.for_bus
            s.proc.req.rdy @= s.mem.req.rdy | s.for_bus
            s.accepts @= s.proc.req.val & s.for_bus
            s.wrong @= (s.proc.req.msg.len != 0) | (s.proc.req.msg.addr[ADDRESS_NBITS:BUS_BIT] != 0)

        s.axi.aw.val //= s.aw_reg
        s.axi.aw.msg.addr //= s.address_reg
        s.axi.w.val //= s.w_reg
        s.axi.w.msg.data //= s.data_reg
        s.axi.w.msg.strb //= ALL_BYTES
        s.axi.ar.val //= s.ar_reg
        s.axi.ar.msg.addr //= s.address_reg

        @update
        def comb_take():
            s.mem.resp.rdy @= s.proc.resp.rdy & ~s.owed_reg
            s.axi.b.rdy @= s.proc.resp.rdy & s.owed_reg & s.write_reg
            s.axi.r.rdy @= s.proc.resp.rdy & s.owed_reg & ~s.write_reg

        @update
        def comb_response():
            s.proc.resp.val @= s.mem.resp.val
            s.proc.resp.msg @= s.mem.resp.msg
            if s.owed_reg:
                s.proc.resp.val @= s.wrong_reg | s.axi.r.val
                s.proc.resp.msg.type_ @= 0
                s.proc.resp.msg.opaque @= 0
                s.proc.resp.msg.test @= 0
                s.proc.resp.msg.len @= 0
                s.proc.resp.msg.data @= s.axi.r.msg.data
                if s.wrong_reg | (s.axi.r.msg.resp != OKAY):
                    s.proc.resp.msg.test @= 1
                if s.write_reg:
                    s.proc.resp.val @= s.wrong_reg | s.axi.b.val
                    s.proc.resp.msg.type_ @= WRITE
                    s.proc.resp.msg.test @= 0
                    if s.wrong_reg | (s.axi.b.msg.resp != OKAY):
                        s.proc.resp.msg.test @= 1

        @update_ff
        def seq_request():
            if s.reset:
                s.owed_reg <<= 0
                s.aw_reg <<= 0
                s.w_reg <<= 0
                s.ar_reg <<= 0
            else:
                if s.accepts:
                    s.owed_reg <<= 1
                elif s.proc.resp.val & s.proc.resp.rdy:
                    s.owed_reg <<= 0
                s.aw_reg <<= s.aw_reg & ~s.axi.aw.rdy
                s.w_reg <<= s.w_reg & ~s.axi.w.rdy
                s.ar_reg <<= s.ar_reg & ~s.axi.ar.rdy
                if s.accepts & ~s.wrong:
                    s.aw_reg <<= s.proc.req.msg.type_ == WRITE
                    s.w_reg <<= s.proc.req.msg.type_ == WRITE
                    s.ar_reg <<= s.proc.req.msg.type_ != WRITE
            if s.accepts:
                s.wrong_reg <<= s.wrong
                s.write_reg <<= s.proc.req.msg.type_ == WRITE
                s.address_reg <<= s.proc.req.msg.addr[0:ADDRESS_NBITS]
                s.data_reg <<= s.proc.req.msg.data

    def line_trace(s):
        return f"{s.proc}|{s.mem}"
