"""AXI4-Lite as PyMTL3 streams: one stream per channel, AXI's valid and ready as val and rdy."""

from pymtl3 import Interface
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

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
