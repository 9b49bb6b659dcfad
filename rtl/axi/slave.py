"""AxiLiteSlave: converts the five channels of AXI4-Lite to register accesses."""

from pymtl3 import Bits1, Bits2, Component, Wire, update, update_ff
from pymtl3.stdlib.stream import NormalQueueRTL
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from rsaxcel.fl.bus import AccessReqMsg, AccessRespMsg
from rsaxcel.rtl.axi.interface import (
    OKAY,
    SLVERR,
    AddressMsg,
    AxiLiteMinionIfc,
    ReadDataMsg,
    WriteDataMsg,
    WriteRespMsg,
)

QUEUED = 2


class AxiLiteSlave(Component):
    """AXI4-Lite slave (AMBA AXI and ACE Protocol Specification, part B) in front of registers.

    Each channel has a queue of two entries, so that there is no combinational path from an input to
    an output. Address and data of a write may come in any order. If a write and a read are waiting,
    the kind that was not served last goes first. Two pending responses of a kind (write or read)
    stall further accesses of this kind, but not accesses of the other kind.

    Ports
    -----
    axi : minion; the five channels
    access : master; req {type_, addr, data, strb}, resp {type_, error, data}; each response is
        taken at once, in the order of the requests

    Latency: 2 cycles more than the access, from the acceptance of address and data to the response.

    Throughput, while responses are taken and accesses take one cycle: one access per cycle if reads
    and writes take turns. If all accesses are of one kind, two accesses in three cycles: two
    pending responses stall the third access until the cycle after the first response is taken.
    """

    def construct(s):
        s.axi = AxiLiteMinionIfc()
        s.access = MasterIfcRTL(AccessReqMsg, AccessRespMsg)
        s.aw = NormalQueueRTL(AddressMsg, QUEUED)
        s.w = NormalQueueRTL(WriteDataMsg, QUEUED)
        s.b = NormalQueueRTL(WriteRespMsg, QUEUED)
        s.ar = NormalQueueRTL(AddressMsg, QUEUED)
        s.r = NormalQueueRTL(ReadDataMsg, QUEUED)
        s.axi.aw //= s.aw.recv
        s.axi.w //= s.w.recv
        s.b.send //= s.axi.b
        s.axi.ar //= s.ar.recv
        s.r.send //= s.axi.r

        #: Responses of the slave that the master has not taken: in preparation or in the queue.
        s.writes_owed_reg = Wire(Bits2)
        s.reads_owed_reg = Wire(Bits2)
        s.wrote_reg = Wire(Bits1)  #: the last access was a write
        s.can_write = Wire(Bits1)
        s.can_read = Wire(Bits1)
        s.writes = Wire(Bits1)

        @update
        def comb_request():
            s.can_write @= s.aw.send.val & s.w.send.val & (s.writes_owed_reg != QUEUED)
            s.can_read @= s.ar.send.val & (s.reads_owed_reg != QUEUED)
            s.writes @= s.can_write & ~(s.can_read & s.wrote_reg)
            s.access.req.val @= s.can_write | s.can_read
            s.access.req.msg.type_ @= s.writes
            s.access.req.msg.addr @= s.ar.send.msg.addr
            if s.writes:
                s.access.req.msg.addr @= s.aw.send.msg.addr
            s.access.req.msg.data @= s.w.send.msg.data
            s.access.req.msg.strb @= s.w.send.msg.strb
            s.aw.send.rdy @= s.writes & s.access.req.rdy
            s.w.send.rdy @= s.writes & s.access.req.rdy
            s.ar.send.rdy @= s.can_read & ~s.writes & s.access.req.rdy

        @update
        def comb_response():
            s.access.resp.rdy @= 1
            s.b.recv.val @= s.access.resp.val & s.access.resp.msg.type_
            s.r.recv.val @= s.access.resp.val & ~s.access.resp.msg.type_
            s.b.recv.msg.resp @= OKAY
            s.r.recv.msg.resp @= OKAY
            if s.access.resp.msg.error:
                s.b.recv.msg.resp @= SLVERR
                s.r.recv.msg.resp @= SLVERR
            s.r.recv.msg.data @= s.access.resp.msg.data

        @update_ff
        def seq_owed():
            if s.reset:
                s.writes_owed_reg <<= 0
                s.reads_owed_reg <<= 0
            else:
                if s.aw.send.rdy & ~(s.axi.b.val & s.axi.b.rdy):
                    s.writes_owed_reg <<= s.writes_owed_reg + 1
                elif ~s.aw.send.rdy & s.axi.b.val & s.axi.b.rdy:
                    s.writes_owed_reg <<= s.writes_owed_reg - 1
                if s.ar.send.rdy & ~(s.axi.r.val & s.axi.r.rdy):
                    s.reads_owed_reg <<= s.reads_owed_reg + 1
                elif ~s.ar.send.rdy & s.axi.r.val & s.axi.r.rdy:
                    s.reads_owed_reg <<= s.reads_owed_reg - 1

        @update_ff
        def seq_turns():
            if s.reset:
                s.wrote_reg <<= 0
            elif s.access.req.val & s.access.req.rdy:
                s.wrote_reg <<= s.writes

    def line_trace(s):
        return f"{s.axi}"
