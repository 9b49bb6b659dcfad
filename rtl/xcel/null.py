"""NullXcel: the xcel interface without an accelerator, for a processor alone."""

from pymtl3 import Bits1, Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from rsaxcel.fl.xcel import XcelReqMsg, XcelRespMsg


class NullXcel(Component):
    """Answers every request: ignores writes, reads 0.

    Ports
    -----
    xcel : minion; req {type_, addr, data}, resp {type_, data}

    Latency: 1 cycle; a request per cycle while responses are taken.
    """

    def construct(s):
        s.xcel = MinionIfcRTL(XcelReqMsg, XcelRespMsg)
        s.full_reg = Wire(Bits1)
        s.write_reg = Wire(Bits1)

        @update
        def comb_ports():
            s.xcel.req.rdy @= ~s.full_reg | s.xcel.resp.rdy
            s.xcel.resp.val @= s.full_reg
            s.xcel.resp.msg.type_ @= s.write_reg
            s.xcel.resp.msg.data @= 0

        @update_ff
        def seq_request():
            if s.reset:
                s.full_reg <<= 0
            elif s.xcel.req.rdy:
                s.full_reg <<= s.xcel.req.val
                s.write_reg <<= s.xcel.req.msg.type_

    def line_trace(s):
        return f"{s.xcel.req}(){s.xcel.resp}"
