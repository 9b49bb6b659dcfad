"""AXI4-Lite: its channels as PyMTL3 streams, a slave that converts them to accesses, its pins.

A channel is a stream: AXI's valid and ready are val and rdy.
"""

from pymtl3 import Bits1, Bits2, Component, InPort, Interface, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream import NormalQueueRTL
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.bus import AccessReqMsg, AccessRespMsg
from rsaxcel.fl.messages import message
from rsaxcel.fl.register_map import ADDRESS_NBITS, WORD_NBITS, WORD_NBYTES

OKAY, SLVERR = 0, 2  #: response codes of AXI: success, error

#: Fields of the channels' payloads, with their widths in bits.
ADDRESS = (("addr", ADDRESS_NBITS),)
WRITE_DATA = (("data", WORD_NBITS), ("strb", WORD_NBYTES))
WRITE_RESP = (("resp", 2),)
READ_DATA = (("data", WORD_NBITS), ("resp", 2))

AddressMsg = message("AxiAddress", ADDRESS)
WriteDataMsg = message("AxiWriteData", WRITE_DATA)
WriteRespMsg = message("AxiWriteResp", WRITE_RESP)
ReadDataMsg = message("AxiReadData", READ_DATA)


class AxiLiteMinionIfc(Interface):
    """The five channels of AXI4-Lite, seen from the slave, without the protection bits.

    Ports
    -----
    aw, ar : recv {addr}; byte addresses
    w : recv {data, strb}
    b : send {resp}
    r : send {data, resp}
    """

    def construct(s):
        s.aw = RecvIfcRTL(AddressMsg)
        s.w = RecvIfcRTL(WriteDataMsg)
        s.b = SendIfcRTL(WriteRespMsg)
        s.ar = RecvIfcRTL(AddressMsg)
        s.r = SendIfcRTL(ReadDataMsg)

    def __str__(s):
        return f"{s.aw}|{s.w}|{s.b}|{s.ar}|{s.r}"


class AxiLiteMasterIfc(Interface):
    """The five channels of AXI4-Lite, seen from the master, without the protection bits.

    Ports
    -----
    aw, ar : send {addr}; byte addresses
    w : send {data, strb}
    b : recv {resp}
    r : recv {data, resp}
    """

    def construct(s):
        s.aw = SendIfcRTL(AddressMsg)
        s.w = SendIfcRTL(WriteDataMsg)
        s.b = RecvIfcRTL(WriteRespMsg)
        s.ar = SendIfcRTL(AddressMsg)
        s.r = RecvIfcRTL(ReadDataMsg)


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


PREFIX = "s_axi_"

#: For each channel: direction of payload and valid at the slave, and fields with widths in bits.
CHANNELS = {
    "aw": (InPort, ADDRESS),
    "w": (InPort, WRITE_DATA),
    "b": (OutPort, WRITE_RESP),
    "ar": (InPort, ADDRESS),
    "r": (OutPort, READ_DATA),
}


def add_axi_pins(s: Component) -> None:
    """Add the ports of an AXI4-Lite slave, such as ``s_axi_awaddr``, without protection bits.

    A slave that ignores protection bits may omit these.
    """
    for channel, (payload, fields) in CHANNELS.items():
        for name, nbits in (*fields, ("valid", 1)):
            setattr(s, f"{PREFIX}{channel}{name}", payload(nbits))
        ready = OutPort if payload is InPort else InPort
        setattr(s, f"{PREFIX}{channel}ready", ready(1))


def axi_pins() -> list[str]:
    """Names of the ports of an AXI4-Lite slave."""
    return [
        f"{PREFIX}{channel}{name}"
        for channel, (_, fields) in CHANNELS.items()
        for name in (*(field for field, _ in fields), "valid", "ready")
    ]


def connect_axi_pins(s: Component, axi) -> None:
    for channel, (_, fields) in CHANNELS.items():
        stream = getattr(axi, channel)
        for name, _ in fields:
            signal = getattr(stream.msg, name)
            signal //= getattr(s, f"{PREFIX}{channel}{name}")
        valid, ready = stream.val, stream.rdy
        valid //= getattr(s, f"{PREFIX}{channel}valid")
        ready //= getattr(s, f"{PREFIX}{channel}ready")


class AxiAccelerator(Component):
    """An accelerator on a bus, for a system on chip.

    Parameters
    ----------
    accelerator : Component; accelerator with the ports ``access`` (minion), ``entropy`` and
        ``interrupt``; a component that PyMTL3 has not elaborated

    Ports
    -----
    s_axi_* : AXI4-Lite slave, 32 bits; synchronous to ``clk``; ``reset`` is active high
    entropy_data, entropy_valid : in, 8 bits and 1 bit; random bytes
    entropy_ready : out, 1 bit
    interrupt : out, 1 bit; level-sensitive
    """

    def construct(s, accelerator):
        add_axi_pins(s)
        s.entropy_data = InPort(8)
        s.entropy_valid = InPort(1)
        s.entropy_ready = OutPort(1)
        s.interrupt = OutPort(1)
        s.slave = AxiLiteSlave()
        connect_axi_pins(s, s.slave.axi)
        s.accelerator = accelerator
        s.slave.access //= s.accelerator.access
        s.accelerator.entropy.msg //= s.entropy_data
        s.accelerator.entropy.val //= s.entropy_valid
        s.accelerator.entropy.rdy //= s.entropy_ready
        s.accelerator.interrupt //= s.interrupt

    def line_trace(s):
        return s.accelerator.line_trace()
